"""One battle: begun, chosen, taken back, copied, kept, told."""

import copy
import pathlib
import pickle
import random
from fractions import Fraction

import numpy as np
import pytest
import sabretache
from sabretache import Battle, BattleOver, Refused, SabretacheError, ScenarioError

SCENARIOS = sabretache.scenarios()
SMALL = ["teaching", "the-crossroads", "meeting"]


def at_random(battle, choices, seed=7):
    """Makes so many choices from the list, at random."""
    chance = random.Random(seed)
    for _ in range(choices):
        if battle.over:
            break
        battle.choose(chance.randrange(battle.action_count))
    return battle


def test_the_three_books_and_their_scenarios_are_there():
    assert list(sabretache.rulesets()) == ["huzzah", "batteries", "malbrook"]
    shipped = pathlib.Path(__file__).parents[2] / "scenarios"
    assert sorted(SCENARIOS) == sorted(file.stem for file in shipped.glob("*/*.toml"))
    assert {Battle(name).ruleset for name in SMALL} == {"huzzah", "batteries", "malbrook"}


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_action_on_the_list_is_allowed(name):
    # A choice that the rules refuse would raise.
    battle = at_random(Battle(name, seed=3), 120)
    assert battle.choices_made == 120 or battle.over


@pytest.mark.parametrize("name", SMALL)
def test_the_same_seed_and_choices_are_the_same_battle(name):
    one, other = at_random(Battle(name, 5), 60), at_random(Battle(name, 5), 60)
    assert one.log() == other.log()
    assert one.save() == other.save()
    assert at_random(Battle(name, 6), 60).log() != one.log()


@pytest.mark.parametrize("name", SMALL)
def test_a_choice_taken_back_and_made_again_meets_the_same_dice(name):
    battle = at_random(Battle(name, 5), 45)
    before, after = battle.save(), at_random(battle.clone(), 30, seed=1).save()
    at_random(battle, 30, seed=1)
    assert battle.save() == after != before
    battle.undo(30)
    assert battle.save() == before and battle.choices_made == 45
    at_random(battle, 30, seed=1)
    assert battle.save() == after
    battle.undo(75)
    assert battle.save() == Battle(name, 5).save()


def test_a_copy_goes_its_own_way():
    battle = at_random(Battle("teaching", 1), 20)
    saved = battle.save()
    for other in (battle.clone(), copy.copy(battle), copy.deepcopy(battle), pickle.loads(pickle.dumps(battle))):
        assert other.save() == saved and other.log() == battle.log()
        at_random(other, 10, seed=2)
        assert battle.save() == saved != other.save()


def test_a_battle_begun_anew_is_the_battle_of_its_seed():
    first = at_random(Battle("teaching", 1), 40)
    assert first.anew(9).play_out() == Battle("teaching", 9).play_out()
    other, plain = first.anew(9), Battle("teaching", 9)
    at_random(other, 25), at_random(plain, 25)
    assert other.log() == plain.log()


def test_a_log_is_taken_up_where_it_ends():
    battle = at_random(Battle("teaching", 11), 33)
    again = Battle.from_log(battle.log())
    assert again.save() == battle.save() and again.choices_made == 33
    at_random(battle, 20), at_random(again, 20)
    assert again.log() == battle.log()
    branch = Battle.from_log(battle.log(), seed=99)
    assert branch.seed == 99 and branch.save() == battle.save()
    kept = pickle.loads(pickle.dumps(branch))
    assert kept.log() == branch.log()


def test_a_saved_battle_is_a_scenario():
    battle = at_random(Battle("maida", 2), 50)
    again = Battle(battle.save(), seed=4)
    assert again.save() == battle.save() and again.side == battle.side


def test_a_scenario_comes_by_name_path_text_or_dictionary(tmp_path):
    text = sabretache.scenario("teaching")
    path = tmp_path / "mine.toml"
    path.write_text(text)
    tomllib = pytest.importorskip("tomllib")
    starts = [Battle(one).save() for one in ("teaching", text, path, str(path), tomllib.loads(text))]
    assert len(set(starts)) == 1
    assert sabretache.check("teaching") == []
    assert Battle("teaching", set=["options.turns=2"]).save() != starts[0]


def test_every_action_has_words_and_a_number():
    battle = Battle("maida", 1)
    while battle.action_count < 20:
        battle.play("recruit")
    actions = battle.actions()
    assert len(actions) == battle.action_count > 1
    for number, (key, value) in enumerate(actions):
        assert battle.action_words(number)
        assert battle.action_number(key, value) == number
    decision = battle.decision()
    assert decision["side"] == battle.side and {key for key, _ in actions} <= {offer["key"] for offer in decision["offers"]}
    assert battle.action_number("nothing of the kind") is None


def test_a_choice_by_key_is_the_choice_by_number():
    one, other = Battle("maida", 1), Battle("maida", 1)
    for _ in range(40):
        key, value = one.actions()[-1]
        one.choose(one.action_count - 1)
        other.choose(key, value)
    assert one.log() == other.log()


def test_a_menu_leaves_out_second_proposals_first():
    battle = Battle("maida", 1)
    while battle.action_count < 30:
        battle.play("recruit")
    keys = [key for key, _ in battle.actions()]
    offers = len(set(keys))
    menu = battle.menu(offers)
    assert len(menu) == offers and list(menu) == sorted(set(menu))
    ends = {offer["key"] for offer in battle.decision()["offers"] if offer["group"] == "end"}
    assert ends and ends <= {keys[n] for n in battle.menu(len(ends))}, "what ends the phase is never left out"
    assert list(battle.menu(10_000)) == list(range(len(keys)))


def test_odds_are_exact_fractions_that_add_up_to_one():
    battle, chancy = Battle("maida", 1), 0
    for _ in range(60):
        for number in range(min(battle.action_count, 6)):
            odds = battle.odds(number)
            assert all(isinstance(chance, Fraction) and 0 < chance <= 1 for chance in odds.values())
            assert sum(odds.values()) == 1
            chancy += len(odds) > 1
        battle.play("drill-master")
    assert chancy > 10
    told = sabretache.odds("huzzah", "threat", {"by_lines": 2, "kills": 1})
    assert sum(told["outcomes"].values()) == 1 and isinstance(told["target"], int)
    assert "threat" in sabretache.tests("huzzah")


@pytest.mark.parametrize("name", SMALL)
def test_throws_lay_open_the_same_chances_as_the_odds(name):
    battle, walked = Battle(name, 1), 0
    while walked < 3 and not battle.over:
        for number in range(min(battle.action_count, 8)):
            throw = battle.throws(number)
            if throw is None:
                continue
            total, ends = Fraction(0), [([n], chance) for n, (_, chance) in enumerate(throw)]
            while ends and len(ends) < 2_000:
                path, chance = ends.pop()
                more = battle.throws(number, path)
                if more is None:
                    total += chance
                else:
                    ends += [(path + [n], chance * p) for n, (_, p) in enumerate(more)]
            if not ends:
                assert total == 1
                walked += 1
                after = battle.clone()
                path = []
                while (more := after.throws(number, path)) is not None:
                    path.append(len(more) - 1)
                after.choose_by(number, path)
                assert after.choices_made == battle.choices_made + 1
                assert pickle.loads(pickle.dumps(after)).save() == after.save()
                with pytest.raises(SabretacheError, match="no log"):
                    after.log()
                after.undo()
                assert after.save() == battle.save()
        battle.play("drill-master")
    assert walked >= 3


def test_worth_and_points_fall_with_losses():
    battle = Battle("teaching", 1)
    at_first = battle.points()
    assert set(at_first) == set(filter(None, battle.units)) and sum(at_first.values()) > 0
    assert isinstance(battle.worth("A"), int) and isinstance(battle.worth("B"), int)
    battle.play_out("drill-master", "drill-master")
    assert sum(battle.points().values()) < sum(at_first.values())


def test_players_fight_a_battle_to_its_end_and_say_why():
    battle = Battle("teaching", 1)
    advice = battle.advise("drill-master")
    assert advice["text"] and battle.action_number(advice["offer"], advice["value"]) is not None
    battle.play("marshal:24")
    made = battle.play_out("drill-master", "recruit")
    assert battle.over and made == battle.choices_made - 1 and battle.side is None
    assert battle.verdict["sentence"] and battle.verdict["winner"] == battle.winner
    assert battle.story() and battle.report()
    with pytest.raises(BattleOver):
        battle.play("recruit")
    with pytest.raises(BattleOver):
        battle.choose(0)
    with pytest.raises(BattleOver):
        battle.advise()
    assert battle.action_count == 0 and battle.actions() == []


def test_a_player_with_a_seed_of_its_own_plays_the_same_again():
    one, other = Battle("teaching", 1), Battle("teaching", 1)
    for _ in range(30):
        one.play("recruit", seed=4)
        other.play("recruit", seed=4)
    assert one.log() == other.log()


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("scenario", "says"),
    [
        ("no-such-place", "there is no scenario or file 'no-such-place'"),
        ("ruleset = 3\n[[x", "not TOML"),
        ("title = 'x'\n", "`ruleset` is missing"),
        ("ruleset = 'chess'\n", "there is no ruleset 'chess'"),
        ({}, "`ruleset` is missing"),
        ({"ruleset": "huzzah"}, "title"),
    ],
)
def test_a_faulty_scenario_is_told_line_by_line(scenario, says):
    with pytest.raises(ScenarioError, match=says.replace("[", r"\[")):
        Battle(scenario)


def test_what_is_no_scenario_is_a_type_error():
    for wrong in (3, None, 2.5, ["teaching"]):
        with pytest.raises(TypeError):
            Battle(wrong)
    with pytest.raises((OverflowError, TypeError)):
        Battle("teaching", seed=-1)
    with pytest.raises((OverflowError, TypeError)):
        Battle("teaching", seed="one")
    with pytest.raises(ScenarioError):
        Battle("teaching", set=["no such thing"])
    with pytest.raises(ScenarioError):
        Battle("teaching", set=["HZ-NON-99=3"])


def test_a_wrong_choice_changes_nothing_and_says_why():
    battle = Battle("maida", 1)
    saved = battle.save()
    with pytest.raises(IndexError, match="there is no action 100000"):
        battle.choose(100_000)
    with pytest.raises(IndexError):
        battle.choose(-1)
    with pytest.raises(SabretacheError, match="nothing called 'dance'"):
        battle.choose("dance")
    with pytest.raises(SabretacheError, match="no value"):
        battle.choose(battle.actions()[0][0], {"distance": 10**30})
    with pytest.raises(SabretacheError):
        battle.choose(battle.actions()[0][0], {"dance": 1})
    with pytest.raises(TypeError):
        battle.choose(0, {"distance": 1})
    with pytest.raises(TypeError):
        battle.choose(None)
    with pytest.raises(SabretacheError, match="can be taken back"):
        battle.undo()
    for ask in (battle.worth, battle.observe, battle.view, battle.report):
        with pytest.raises(SabretacheError, match="there is no side 'C'"):
            ask("C")
    with pytest.raises(SabretacheError, match="there is no player 'napoleon'"):
        battle.play("napoleon")
    for cells in (0, 5000):
        with pytest.raises(SabretacheError):
            battle.ground(cells)
    with pytest.raises(SabretacheError):
        Battle.from_log("nonsense")
    with pytest.raises(SabretacheError):
        sabretache.odds("huzzah", "no such test")
    with pytest.raises(SabretacheError):
        sabretache.odds("huzzah", "threat", {"by_lines": "many"})
    with pytest.raises(SabretacheError):
        sabretache.tests("chess")
    assert battle.save() == saved and battle.choices_made == 0


@pytest.mark.parametrize("name", SMALL)
def test_whatever_value_is_sent_is_taken_or_declined(name):
    chance, battle, declined = random.Random(5), Battle(name, 2), 0
    odd = [0, 1, -1, 2**31 - 1, -(2**31), 2**40, 1.5, "x", None, True, [], {}]
    kinds = ["distance", "wheel", "point", "units", "formation", "number", "none", "dance"]
    for _ in range(60):
        for _ in range(6):
            key, kind, value = chance.choice(battle.actions())[0], chance.choice(kinds), chance.choice(odd)
            if kind == "point":
                value = {"x": value, "y": chance.choice(odd)}
            if kind == "units":
                value = chance.choice([["#0"], ["#99999"], ["#1", "#0"], ["@1"], [1], "#1", []])
            for ask in (battle.clone().choose, battle.odds):
                # A panic is no Exception, and would get through.
                try:
                    ask(key, chance.choice([{kind: value}, kind, value]))
                except SabretacheError:
                    declined += 1
        battle.play("recruit")
    assert declined > 100


def test_what_the_rules_forbid_is_refused_with_its_clause():
    battle = Battle("maida", 1)
    for _ in range(200):
        closed = battle.decision(closed=True)["closed"]
        if closed:
            break
        battle.play("recruit")
    with pytest.raises(Refused) as refused:
        battle.choose(closed[0]["key"])
    assert refused.value.clause == closed[0]["why"]["clause"]
    assert closed[0]["why"]["clause"] in str(refused.value)


# ---------------------------------------------------------------- what machines see


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_units_have_a_row_each_for_the_whole_battle(name):
    battle = Battle(name, 1)
    column = {name: n for n, name in enumerate(sabretache.UNIT_COLUMNS)}
    # Units that a view leaves out have their number, too.
    assert len(battle.units) == 2 * (1 + max(int(unit["id"][1:]) for unit in battle.view()["units"]))
    for _ in range(6):
        seen = battle.observe()
        assert seen.shape == (len(battle.units), len(sabretache.UNIT_COLUMNS)) and seen.dtype == np.float32
        assert np.isfinite(seen).all()
        view = battle.view()
        assert max(int(unit["id"][1:]) for unit in view["units"]) < len(battle.units)
        for unit in view["units"]:
            row = seen[int(unit["id"][1:])]
            assert battle.units[int(unit["id"][1:])] == unit["key"]
            assert row[column["own"]] == (1 if unit["side"] == "A" else -1)
            assert row[column["on_table"]] == (unit["pose"] is not None)
            if unit["pose"]:
                # A column that is coming on stands partly beyond the edge.
                assert -0.2 <= row[column["x"]] <= 1.2 and -0.2 <= row[column["y"]] <= 1.2
                assert np.hypot(row[column["facing_x"]], row[column["facing_y"]]) == pytest.approx(1, abs=1e-5)
                assert row[column["front"]] > 0 and row[column["depth"]] > 0
        battle.play_out(most=150)


def test_a_side_sees_its_own_units_as_its_own():
    battle = Battle("maida", 1)
    own = sabretache.UNIT_COLUMNS.index("own")
    assert (battle.observe("A")[:, own] == -battle.observe("B")[:, own]).all()
    assert battle.scalars("A").shape == (len(sabretache.SCALARS),)
    assert battle.scalars("A")[2] == -battle.scalars("B")[2] == (1 if battle.side == "A" else -1)


def test_the_ground_is_drawn_where_it_lies():
    battle = Battle("maida", 1)
    raster = battle.ground(48)
    assert raster.shape[0] == len(sabretache.GROUND_LAYERS) and max(raster.shape[1:]) == 48
    setting = battle.view()["setting"]
    scale = max(setting["width"], setting["depth"]) / 48
    layers = {name: n for n, name in enumerate(sabretache.GROUND_LAYERS)}
    compared = 0
    for piece in setting["ground"]:
        cells = raster[layers[piece["drawn"]]]
        for point in piece["line"][1:-1]:
            row, column = int(point["y"] / scale), int(point["x"] / scale)
            if 0 <= row < cells.shape[0] and 0 <= column < cells.shape[1]:
                near = cells[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
                assert near.any()
                compared += 1
        if piece["rings"]:
            # Around its outline a piece of ground has cells, and not outside it.
            xs, ys = ([point[axis] for point in piece["rings"][0]] for axis in "xy")
            compared += 1
            low, high = int(min(ys) / scale), int(max(ys) / scale) + 1
            left, right = int(min(xs) / scale), int(max(xs) / scale) + 1
            assert cells[max(low - 1, 0) : high + 1, max(left - 1, 0) : right + 1].any() or (max(xs) - min(xs)) < 2 * scale
    assert compared > 3


def test_what_is_hidden_from_a_side_is_not_in_its_rows():
    battle = Battle("meeting", 1, set=["options.hidden=true"])
    seen, known = battle.observe("B"), battle.observe()
    hidden = (known[:, 0] == 1) & (seen[:, 0] == 0)
    assert hidden.any(), "nothing is hidden: the option has another name"
    assert not seen[hidden].any()


def test_actions_have_a_row_each():
    battle = Battle("maida", 1)
    rows = battle.action_features(64)
    assert rows.shape == (64, len(sabretache.ACTION_COLUMNS)) and rows.dtype == np.float32
    column = sabretache.ACTION_COLUMNS.index("act")
    words = {sabretache.word_code(offer["act"]) for offer in battle.decision()["offers"]}
    assert set(rows[: min(64, battle.action_count), column].astype(int)) <= words
