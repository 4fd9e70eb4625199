"""Sets our speed beside that of other libraries, in one run on one machine, one thread each.

    python bench/peers.py [seconds]

Our side is target/release/examples/peers and target/release/sabretache with Picket in it, or what the variables PEERS and SABRETACHE name. What is not installed is skipped.
Ratios are what counts: above 1, ours is faster. Everybody's processor time is counted, so that whatever else runs on the machine matters little. Before an engagement is
timed, the peer's odds are compared with ours, outcome by outcome.
"""

import json
import os
import random
import resource
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM = os.environ.get("SABRETACHE", str(HERE.parent / "target/release/sabretache"))
PEERS = os.environ.get("PEERS", str(HERE.parent / "target/release/examples/peers"))
SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0


def a_second(run):
    """How often a function runs in a second of processor time; it returns how much it did."""
    run()  # once to warm up
    count, begun = 0, time.process_time()
    while time.process_time() - begun < SECONDS:
        count += run()
    return count / (time.process_time() - begun)


def spent(command, **more):
    """What a program said, and how much processor time it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True, text=True, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(done.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ours(what):
    """How often a second of processor time our side does something on Picket."""
    told, seconds = spent([PEERS, str(SECONDS), what])
    return told[what]["count"] / seconds


def odds(ruleset, test, situation):
    """What the program says of a situation."""
    return spent([PROGRAM, "odds", ruleset, test, "--situation", json.dumps(situation), "--json"])[0]


def measured(ruleset, test, situation):
    command = [PROGRAM, "odds", ruleset, test, "--situation", json.dumps(situation), "--json", "--measure", str(SECONDS)]
    told, seconds = spent(command)
    return told["count"] / seconds


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
    return spent(["node", "boardgame.mjs", str(SECONDS)], cwd=HERE, env={**os.environ, "NODE_ENV": "production"})[0]["per_second"]


def main():
    rows = [
        ("exact odds of a volley and the test it calls for (Picket), from the situation", "icepool", icepool_volley, lambda: measured("picket", "volley", VOLLEY)),
        ("the same as a choice on the table, through geometry and events", "icepool", icepool_volley, lambda: ours("engagement")),
        ("exact odds of an engagement (Huzzah!), from the situation", "icepool", icepool_engagement, lambda: measured("huzzah", "engagement", ENGAGEMENT)),
        ("random decisions (Picket)", "OpenSpiel chess, from Python", openspiel_chess, lambda: ours("playouts")),
        ("random decisions (Picket)", "boardgame.io local client", boardgame_io, lambda: ours("playouts")),
    ]
    print("| what, a second | ours | theirs | peer | ratio |\n|---|---:|---:|---|---:|")
    for what, peer, measure, our_side in rows:
        our_rate = our_side()
        try:
            rate = measure()
        except ImportError as error:  # whatever is not installed is skipped
            print(f"| {what} | {our_rate:,.0f} | - | {peer}: skipped ({error}) | - |", flush=True)
            continue
        print(f"| {what} | {our_rate:,.0f} | {rate:,.0f} | {peer} | {our_rate / rate:,.1f} |", flush=True)


if __name__ == "__main__":
    main()
