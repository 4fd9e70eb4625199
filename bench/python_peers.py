"""Random decisions a second from Python, beside OpenSpiel's chess, in one run on one machine.

    make python-bench                       # builds the wheel, installs it beside OpenSpiel, and runs this
    python bench/python_peers.py [seconds]

All of it on one thread but the last row. Processor time is counted, so that whatever else runs on the machine matters little; each row is measured three
times in turn with the chess, and the middle one of the three ratios is told. Above 1, ours is faster.
"""

import random
import statistics
import sys
import time

import numpy as np
import pyspiel
from sabretache import Battle, VecBattle

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
ROUNDS = 3
SCENARIOS = ("teaching", "kulm", "barrosa", "ramillies")


def a_second(run, clock=time.process_time):
    """How many decisions a function makes in a second; it returns how many it made."""
    run()  # once to warm up
    count, begun = 0, clock()
    while clock() - begun < SECONDS:
        count += run()
    return count / (clock() - begun)


def chess():
    """A random game of chess, as OpenSpiel's examples play one."""
    game, chance = pyspiel.load_game("chess"), random.Random(1815)

    def once():
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            decisions += 1
        return decisions

    return once


def listed(scenario):
    """Like for like: every decision lists all actions, one of them is picked in Python and carried out."""
    first, chance, seeds = Battle(scenario), random.Random(1815), iter(range(1 << 30))

    def once():
        battle, decisions = first.anew(next(seeds)), 0
        while not battle.over and decisions < 500:
            battle.choose(chance.randrange(battle.action_count))
            decisions += 1
        return decisions

    return once


def picked(scenario):
    """One call a decision: the battle picks an offer, and a value for that one alone."""
    first, seeds = Battle(scenario), iter(range(1 << 30))

    def once():
        battle, decisions = first.anew(next(seeds)), 0
        while not battle.over and decisions < 500:
            battle.play("recruit")
            decisions += 1
        return decisions

    return once


def fought(scenario):
    """One call a battle."""
    first, seeds = Battle(scenario), iter(range(1 << 30))
    return lambda: first.anew(next(seeds)).play_out(most=500)


def together(scenario):
    """Sixty-four battles at a time on all cores, by the clock on the wall."""
    seeds = iter(range(0, 1 << 30, 64))
    return lambda: int(np.sum(VecBattle(64, scenario, next(seeds)).play_out(most=500)))


def main():
    rows = [
        ("all actions listed, one picked in Python", listed, time.process_time),
        ("one call a decision", picked, time.process_time),
        ("one call a battle", fought, time.process_time),
        ("`VecBattle(64)`, all cores, wall clock", together, time.perf_counter),
    ]
    print("| scenario | how | ours | chess | ratio |\n|---|---|---:|---:|---:|")
    for scenario in SCENARIOS:
        for words, make, clock in rows:
            ours, theirs = zip(*((a_second(make(scenario), clock), a_second(chess(), clock)) for _ in range(ROUNDS)))
            ratio = statistics.median(mine / other for mine, other in zip(ours, theirs))
            mine, other = statistics.median(ours), statistics.median(theirs)
            print(f"| {scenario} | {words} | {mine:,.0f} | {other:,.0f} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
