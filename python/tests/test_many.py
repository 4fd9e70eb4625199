"""Many battles stepped together, and runs of the laboratory."""

import numpy as np
import pytest
import sabretache
from sabretache import Battle, SabretacheError, VecBattle, simulate


def first_actions(many, chance):
    """A random action of each battle's mask."""
    return np.array([chance.integers(max(row.sum(), 1)) for row in many.masks()], np.int64)


def test_battles_together_are_the_battles_one_by_one():
    many = VecBattle(4, "teaching", seed=10)
    single = [Battle("teaching", 10 + n) for n in range(4)]
    chance = np.random.default_rng(3)
    for _ in range(40):
        actions = first_actions(many, chance)
        for battle, action in zip(single, actions):
            if not battle.over:
                battle.choose(int(battle.menu(512)[action]))
        many.step(actions)
    for battle, copy in zip(single, many.battles()):
        assert copy.log() == battle.log()
    units, scalars = many.observe()
    assert units.shape == (4, len(single[0].units), len(sabretache.UNIT_COLUMNS)) and scalars.shape == (4, len(sabretache.SCALARS))
    for n, battle in enumerate(single):
        assert (units[n] == battle.observe(battle.side)).all() and (scalars[n] == battle.scalars(battle.side)).all()


def test_threads_change_nothing():
    one, two = VecBattle(6, "teaching", 1, threads=1), VecBattle(6, "teaching", 1, threads=2)
    assert (one.play_out() == two.play_out()).all()
    assert (one.winners() == two.winners()).all() and (one.sides() == -1).all()
    assert [a.log() for a in one.battles()] == [b.log() for b in two.battles()]


def test_battles_that_are_over_give_their_rewards_and_are_begun_again():
    many, chance, ended, won = VecBattle(3, "teaching"), np.random.default_rng(1), 0, 0
    for _ in range(4_000):
        rewards, over = many.step(first_actions(many, chance))
        assert (rewards.sum(axis=1) == 0).all() and not rewards[~over].any()
        if over.any():
            ended += int(over.sum())
            winners = many.winners()
            for n in np.flatnonzero(over):
                assert rewards[n, 0] == {0: 1, 1: -1, -1: 0}[int(winners[n])]
                won += rewards[n].any()
            assert (many.reset_over() == over).all() and (many.sides() >= 0).all()
        if ended >= 6:
            break
    assert ended >= 6 and won
    assert many[0].seed % 3 == 0 and many[0].seed > 0


def test_players_step_all_battles():
    many = VecBattle(2, "teaching")
    many.play("drill-master")
    assert list(many.choices_made()) == [1, 1] and len(many) == 2


def test_wrong_words_for_many_battles():
    for n in (0, 10**9):
        with pytest.raises(SabretacheError):
            VecBattle(n, "teaching")
    many = VecBattle(2, "teaching")
    with pytest.raises(IndexError, match="battle 1 has no action 511"):
        many.step(np.array([0, 511]))
    assert list(many.choices_made()) == [0, 0]
    with pytest.raises(SabretacheError, match="3 actions for 2 battles"):
        many.step(np.zeros(3, np.int64))
    with pytest.raises(TypeError):
        many.step("first")
    with pytest.raises(IndexError):
        many[2]
    with pytest.raises(SabretacheError):
        VecBattle(2, "teaching", threads=0)


# ---------------------------------------------------------------- the laboratory


@pytest.fixture(scope="module")
def run():
    return simulate("teaching", 40, "recruit", "recruit", seed=5)


def test_a_run_becomes_frames_and_words(run, tmp_path):
    pandas, polars = run.to_pandas(), run.to_polars("units")
    assert len(run) == len(pandas) == 40 and list(pandas.battle) == list(range(40))
    assert set(pandas.winner.dropna()) <= {"A", "B"} and set(polars["side"]) == {"A", "B"}
    assert run.share("A")["value"] == pytest.approx((pandas.winner == "A").mean())
    assert run.share("points")["low"] < run.share("points")["value"] < run.share("points")["high"]
    assert run.answer() and run.summary() and run.html().lower().startswith("<!doctype html>")
    run.write(tmp_path)
    read = sabretache.Run.read([tmp_path])
    assert read.columns("battles")["seed"] == run.columns("battles")["seed"]
    assert polars.shape == tuple(pytest.importorskip("polars").read_parquet(tmp_path / "units.parquet").shape)


def test_threads_and_shards_change_no_byte(run, tmp_path):
    other = simulate("teaching", 40, "recruit", "recruit", seed=5, threads=1)
    words = (sabretache._core.scenario_text("teaching"), 40, "recruit", "recruit", 5, False, 100_000)
    parts = [sabretache._core.fight_shard(*words, index=n, of=3) for n in (3, 1, 2)]
    whole = sabretache.Run.of_parts(parts)
    for name, one in (("a", run), ("b", other), ("c", whole)):
        one.write(tmp_path / name)
    for file in ("battles.parquet", "units.parquet", "battles.csv", "report.html", "summary.txt"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes() == (tmp_path / "c" / file).read_bytes()


def test_a_battle_of_a_run_can_be_fought_again_choice_by_choice():
    for a, b in (("recruit", "recruit"), ("drill-master", "recruit")):
        rows = simulate("teaching", 3, a, b, seed=2).columns("battles")
        for n in range(3):
            battle = Battle("teaching", int(rows["seed"][n]))
            battle.play_out(a, b)
            assert (battle.winner, battle.choices_made) == (rows["winner"][n], rows["decisions"][n])


def test_luck_is_taken_out_and_a_run_stops_when_enough_is_known():
    run = simulate("teaching", 400, "recruit", "recruit", luck=True, until=0.15)
    assert 64 <= len(run) < 400
    assert run.without_luck() is not None and run.about()["players"] == ["recruit", "recruit"]


def test_progress_is_told_and_can_stop_a_run():
    told = []
    simulate("teaching", 8, "recruit", "recruit", progress=lambda done, of: told.append((done, of)))
    assert told and told[-1] == (8, 8)

    def stop(done, of):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate("teaching", 100_000, "recruit", "recruit", progress=stop)


def test_wrong_words_for_a_run():
    for more in ({"battles": 0}, {"a": "napoleon"}, {"until": 2.0}, {"longest": 0}, {"threads": 0}):
        with pytest.raises(SabretacheError):
            simulate("teaching", **{"battles": 1, **more})
    with pytest.raises(SabretacheError, match="`client` is"):
        simulate("teaching", 1, client=object())
    with pytest.raises(sabretache.ScenarioError):
        simulate("no-such-place")
    with pytest.raises((OverflowError, TypeError)):
        simulate("teaching", -1)
    with pytest.raises(SabretacheError):
        sabretache.Run.of_parts([])
    with pytest.raises(SabretacheError):
        sabretache.Run.of_parts([b"nonsense"])
    one, other = (simulate("teaching", 1, "recruit", "recruit", seed=n).about() for n in (1, 2))
    assert one != other
