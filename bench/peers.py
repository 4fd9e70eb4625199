"""Sets our speed beside that of other libraries, in one run on one machine, one thread each.

    python bench/peers.py [seconds]

Our side is built with cargo, or is the program that the variable PEERS names. What is not installed is skipped. Ratios are what counts: above 1, ours is faster.
"""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
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


def icepool_engagement():
    """The volley of crates/lab/scenarios/volley.toml: three dice, each 5 or more hits; whoever is hit stands if two dice
    come to 8 less the hits or less."""
    from icepool import d6, map as icepool_map

    def once():
        hits = 3 @ (d6 >= 5)
        fate = icepool_map(lambda n: False if n == 0 else (2 @ d6 > 8 - n), hits)
        assert fate.denominator() > 0
        return 1

    return a_second(once)


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
        ("exact odds of an engagement", "icepool", icepool_engagement, mine["engagement_odds"]),
        ("random decisions", "OpenSpiel chess, from Python", openspiel_chess, mine["playouts"]["per_second"]),
        ("random decisions", "boardgame.io local client", boardgame_io, mine["playouts"]["per_second"]),
    ]
    print("| what, a second | ours | theirs | peer | ratio |\n|---|---:|---:|---|---:|")
    for what, peer, measure, our_rate in rows:
        try:
            rate = measure()
        except Exception as error:  # whatever keeps a peer from running, the others still do
            print(f"| {what} | {our_rate:,.0f} | - | {peer}: skipped ({type(error).__name__}) | - |")
            continue
        print(f"| {what} | {our_rate:,.0f} | {rate:,.0f} | {peer} | {our_rate / rate:,.1f} |")
    print()
    for name in ["clone", "odds", "offers", "search", "drilled"]:
        row = mine[name]
        battles = f", {row['battles_per_second']:,.1f} battles" if row["battles_per_second"] else ""
        print(f"{name:<8} {row['per_second']:>12,.0f} {row['unit']} a second{battles}")


if __name__ == "__main__":
    main()
