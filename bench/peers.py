"""Sets our speed beside that of other libraries, in one run on one machine, one thread each.

    python bench/peers.py [seconds]

Our side is built with cargo (or is the program that the variable PEERS names), and the program itself, with Picket in it (`cargo build --release --features picket`,
or the one that the variable SABRETACHE names). What is not installed is skipped. Ratios are what counts: above 1, ours is faster. Before an engagement is timed, the
peer's odds are compared with ours, outcome by outcome.
"""

import json
import os
import random
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM = os.environ.get("SABRETACHE", str(HERE.parent / "target/release/sabretache"))
SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0


def a_second(run):
    """How often a function runs in a second; it returns how much it did."""
    run()  # once to warm up
    count, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        count += run()
    return count / (time.perf_counter() - begun)


def ours():
    command = [os.environ["PEERS"]] if "PEERS" in os.environ else ["cargo", "run", "--quiet", "--release", "--package", "sabretache-lab", "--example", "peers", "--"]
    done = subprocess.run([*command, str(SECONDS)], cwd=HERE.parent, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def odds(ruleset, test, situation, *more):
    """What the program says of a situation: its odds, or with --measure how often a second it works them out."""
    command = [PROGRAM, "odds", ruleset, test, "--situation", json.dumps(situation), "--json", *more]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measured(ruleset, test, situation):
    return odds(ruleset, test, situation, "--measure", str(SECONDS))["per_second"]


def agrees(die, told):
    """Like for like: the peer's outcomes and chances are ours, every one of them, to the last digit."""
    mine = {one["outcome"]: Fraction(one["p"]) for one in told["outcomes"]}
    theirs = {str(outcome): Fraction(ways, die.denominator()) for outcome, ways in die.items()}
    assert mine == theirs, (mine, theirs)


VOLLEY = {"steadiness": 8}


def icepool_volley():
    """Picket's volley: three dice, each 5 or more hits; whoever is hit stands if two dice come to 8 less the hits or less."""
    from icepool import d6, map as icepool_map

    def fate(hits):
        if hits == 0:
            return "no hits"
        return (2 @ d6 <= 8 - hits).map({True: "is hit and stands", False: "falls back"})

    def once():
        return icepool_map(fate, 3 @ (d6 >= 5))

    agrees(once(), odds("picket", "volley", VOLLEY))
    return a_second(lambda: once() is not None)


ENGAGEMENT = {"attackers": [{"quality": "trained"}], "defenders": [{"quality": "trained", "staggers": 1}]}


def icepool_engagement():
    """An engagement of Huzzah!, one battalion against one, from the two ratings that our side worked out: margins, kills,
    staggers, who breaks, who wins, who routs or retires."""
    from icepool import d6, map as icepool_map

    told = odds("huzzah", "engagement", ENGAGEMENT)
    attacker, defender = told["target"], told["more"][0]["target"]
    # A trained battalion breaks at 8 kills and staggers; the defender begins with a stagger.
    limit, before = 8, 1

    def fight(a, d):
        attack = attacker - a if a <= attacker and a < 11 else None
        defence = defender - d if d <= defender and d < 11 else None
        broken = lambda huzzah, own, enemy, enemy_huzzah, already: (  # noqa: E731
            already + (own is None) + enemy_huzzah + (0 if huzzah else enemy or 0) >= limit
        )
        attackers_break = broken(a == 2, attack, defence, d == 2, 0)
        defenders_break = broken(d == 2, defence, attack, a == 2, before)
        ours, theirs = -1 if attack is None else attack, -1 if defence is None else defence
        winner = "attackers" if ours > theirs else "defenders" if theirs > ours else None
        if (winner == "attackers" and attackers_break) or (winner == "defenders" and defenders_break):
            winner = None
        if winner == "attackers":
            return "attackers win, defenders " + ("break" if defenders_break else "retire" if d == 2 else "rout")
        if winner == "defenders":
            return "defenders win, attackers " + ("break" if attackers_break else "retire" if a == 2 else "rout")
        fates = "break" if attackers_break else "retire", "break" if defenders_break else "hold"
        return f"tie, attackers {fates[0]}, defenders {fates[1]}"

    def once():
        return icepool_map(fight, 2 @ d6, 2 @ d6)

    agrees(once(), told)
    return a_second(lambda: once() is not None)


def openspiel_chess():
    import pyspiel

    game = pyspiel.load_game("chess")
    rng = random.Random(1815)

    def once():
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
        return decisions

    return a_second(once)


def boardgame_io():
    done = subprocess.run(
        ["node", "boardgame.mjs", str(SECONDS)],
        cwd=HERE,
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "NODE_ENV": "production"},
    )
    return json.loads(done.stdout)["decisions_per_second"]


def main():
    mine = ours()
    rows = [
        ("exact odds of a volley and the test it calls for (Picket), from the situation", "icepool", icepool_volley, lambda: measured("picket", "volley", VOLLEY)),
        ("the same as a choice on the table, through geometry and events", "icepool", icepool_volley, lambda: mine["engagement_odds"]),
        ("exact odds of an engagement (Huzzah!), from the situation", "icepool", icepool_engagement, lambda: measured("huzzah", "engagement", ENGAGEMENT)),
        ("random decisions", "OpenSpiel chess, from Python", openspiel_chess, lambda: mine["playouts"]["per_second"]),
        ("random decisions", "boardgame.io local client", boardgame_io, lambda: mine["playouts"]["per_second"]),
    ]
    print("| what, a second | ours | theirs | peer | ratio |\n|---|---:|---:|---|---:|")
    for what, peer, measure, our_side in rows:
        our_rate = our_side()
        try:
            rate = measure()
        except ImportError as error:  # whatever is not installed is skipped
            print(f"| {what} | {our_rate:,.0f} | - | {peer}: skipped ({error}) | - |")
            continue
        print(f"| {what} | {our_rate:,.0f} | {rate:,.0f} | {peer} | {our_rate / rate:,.1f} |")
    print()
    for name in ["clone", "odds", "offers", "search", "drilled"]:
        row = mine[name]
        battles = f", {row['battles_per_second']:,.1f} battles" if row["battles_per_second"] else ""
        print(f"{name:<8} {row['per_second']:>12,.0f} {row['unit']} a second{battles}")


if __name__ == "__main__":
    main()
