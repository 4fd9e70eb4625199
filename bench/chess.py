"""Random decisions a second of the books beside OpenSpiel's chess from Python, in one run on one machine.

    python bench/chess.py [seconds] [before]

The program is looked for on the path; set SABRETACHE to name another. With a second program, an earlier build, each row has its figures as well and the
ratio of the two. Processor time is counted on both sides, so that whatever else runs on the machine matters little; each row is measured three times in
turn with the chess, and the middle ratio is told. Above 1, ours is faster.

"all listed": every offer of everybody is listed, and each is equally likely (`bench playouts`). "two steps": first who acts, each equally likely, then
what he does (`bench steps`). The last rows are whole battles between two Drill-masters (`bench drilled`), without the chess.
"""

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time

import pyspiel

PROGRAM = os.environ.get("SABRETACHE", "sabretache")
SECONDS = sys.argv[1] if len(sys.argv) > 1 else "4"
BEFORE = sys.argv[2] if len(sys.argv) > 2 else None
ROUNDS = 3
RANDOM = ("kulm", "barrosa", "ramillies", "blenheim")
DRILLED = ("teaching", "the-crossroads", "meeting", "kulm")


def chess(seconds=0.7):
    """Decisions a second of random games, as OpenSpiel's examples play them."""
    game, chance, count, begun = pyspiel.load_game("chess"), random.Random(1815), 0, time.process_time()
    while time.process_time() - begun < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            count += 1
    return count / (time.process_time() - begun)


def ours(program, what, scenario):
    """Decisions and battles in a second of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [program, "bench", what, "--scenario", scenario, "--seconds", SECONDS, "--json"]
    done = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return done["count"] / spent, done["battles_per_second"] * done["seconds"] / spent


def random_row(scenario, words, what):
    figures = []
    for _ in range(ROUNDS):
        theirs = chess()
        was = ours(BEFORE, "playouts", scenario)[0] if BEFORE else None
        figures.append((ours(PROGRAM, what, scenario)[0], theirs, was))
    middle = lambda of: statistics.median(of(*one) for one in figures)
    told = f"| {scenario} | {words} | {middle(lambda now, _, was: now):,.0f} | {middle(lambda now, chess, was: now / chess):.2f} |"
    if BEFORE:
        told += f" {middle(lambda now, chess, was: was / chess):.2f} | {middle(lambda now, chess, was: now / was):.1f} |"
    print(told, flush=True)


def drilled_row(scenario):
    figures = [(ours(PROGRAM, "drilled", scenario)[1], ours(BEFORE, "drilled", scenario)[1] if BEFORE else None) for _ in range(ROUNDS)]
    told = f"| {scenario} | {statistics.median(now for now, _ in figures):.2f} |"
    if BEFORE:
        told += f" {statistics.median(was for _, was in figures):.2f} | {statistics.median(now / was for now, was in figures):.1f} |"
    print(told, flush=True)


def main():
    print("| scenario | how | decisions a second | of chess |" + (" before | gain |" if BEFORE else ""))
    print("|---|---|---:|---:|" + ("---:|---:|" if BEFORE else ""))
    for scenario in RANDOM:
        random_row(scenario, "all listed", "playouts")
        random_row(scenario, "two steps", "steps")
    print("\n| scenario | battles of Drill-masters a second |" + (" before | gain |" if BEFORE else ""))
    print("|---|---:|" + ("---:|---:|" if BEFORE else ""))
    for scenario in DRILLED:
        drilled_row(scenario)


if __name__ == "__main__":
    main()
