#!/usr/bin/env python3
"""Random battles of every book, looked at with an independent geometry library (shapely), through the engine's protocol.

    python3 bench/geometry.py [--program PATH] [--battles N] [--choices N] [SCENARIO ...]

After every choice: no two units lie on one another, none lies on itself, nothing lies beyond the edge, and a unit that was
told to go so far has gone no further. Every twentieth choice the overlays are looked at: command radii are circles of their
radius, and what a unit threatens or can hit begins at it. Exit code 1 where something is wrong.
"""

import argparse
import json
import random
import subprocess
import sys

from shapely.geometry import Point, Polygon, box

# Micrometres: the most that a leader's base adds to his reach, and how near things may come. The table lets units touch within a millimetre in Huzzah!, within a thousandth of an inch in the others.
BASE = 26_000.0
SEAM = {"cm": 1_100.0, "in": 60.0}


class Engine:
    """One process, one battle."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def ring(points):
    return Polygon([(p["x"], p["y"]) for p in points])


def is_within_walls(unit):
    """The figures of a garrison are drawn where their place is, and not where they stand."""
    return any(line.startswith(("in ", "In ", "garrison", "holds ")) for line in unit["lines"])


def stands(view):
    shown = [unit for unit in view["units"] if unit["pose"] and not unit["absent"] and not is_within_walls(unit)]
    return [(unit, [ring(points) for points in unit["stands"]]) for unit in shown]


def overlap(one, other, seam):
    """Whether two stands share more ground than a seam of this width."""
    if not one.intersects(other):
        return 0.0
    shared = one.intersection(other)
    # What is left when a seam is cut away all round.
    return shared.area if not shared.buffer(-seam / 2).is_empty else 0.0


def table_faults(view, seam):
    width, depth = view["setting"]["width"], view["setting"]["depth"]
    edge = box(0, 0, width, depth).buffer(seam)
    placed = stands(view)
    for n, (unit, own) in enumerate(placed):
        name = f"{unit['key']} ({unit['formation']})"
        # A column that comes on by its road begins with its head at the edge.
        comes_on = unit["formation"] == "march column" and any(edge.intersects(stand) for stand in own)
        for i, stand in enumerate(own):
            if not stand.is_valid:
                yield f"{name} has a stand that is no ring"
                continue
            if not edge.contains(stand) and not comes_on:
                yield f"{name} is beyond the edge"
            for other in own[:i]:
                if overlap(stand, other, seam):
                    yield f"{name} lies on itself"
            for them, theirs in placed[:n]:
                if any(overlap(stand, other, seam) for other in theirs):
                    yield f"{name} lies on {them['key']} ({them['formation']})"


def move_fault(before, after, offer, value, seam):
    """A unit that advances so far has no corner further from where it was."""
    distance = value.get("distance") if isinstance(value, dict) else None
    if distance is None or not offer["key"].startswith("advance ") or not offer["unit"]:
        return None
    find = lambda view: next((one for one in view["units"] if one["id"] == offer["unit"] and one["pose"]), None)
    was, now = find(before), find(after)
    if not was or not now or was["formation"] != now["formation"] or len(was["stands"]) != len(now["stands"]):
        return None
    went = max(
        Point(a["x"], a["y"]).distance(Point(b["x"], b["y"]))
        for one, other in zip(was["stands"], now["stands"])
        for a, b in zip(one, other)
    )
    return f"{offer['key']} {distance / 10_000:.2f}cm went {went / 10_000:.2f}cm" if went > distance + seam else None


def overlay_faults(engine, view, seam):
    for officer in view["officers"]:
        if not officer["at"] or not officer["radius"]:
            continue
        reply = engine.ask(type="overlays", of=officer["id"])
        for overlay in reply.get("overlays", []):
            if overlay["kind"] != "command":
                continue
            middle, shape = Point(officer["at"]["x"], officer["at"]["y"]), ring(overlay["rings"][0])
            reach = middle.hausdorff_distance(shape)
            # Malbrook measures from the edge of a leader's base.
            if not officer["radius"] - seam <= reach <= officer["radius"] + BASE:
                yield f"the command of {officer['key']} reaches {reach / 10_000:.2f}cm of {officer['radius'] / 10_000:.2f}cm"
            circle = middle.buffer(reach, quad_segs=180)
            if shape.symmetric_difference(circle).area > 0.002 * circle.area:
                yield f"the command radius of {officer['key']} is no circle"
    for unit, own in stands(view):
        reply = engine.ask(type="overlays", of=unit["id"])
        for overlay in reply.get("overlays", []):
            for points in overlay["rings"]:
                shape = ring(points).buffer(0) if len(points) > 2 else None
                if not shape or shape.is_empty or overlay["kind"] not in ("zone", "fire"):
                    continue
                # A zone, a field of fire, begins at the unit it belongs to.
                if min(shape.distance(stand) for stand in own) > seam:
                    yield f"{overlay['kind']} of {unit['key']} ({overlay['label']}) does not begin at it"


def fight(program, scenario, seed, most):
    """What is wrong in one battle, and how much was looked at."""
    luck, engine, faults, seen = random.Random(seed), Engine(program), [], 0
    begun = engine.ask(type="begin", scenario=scenario, seed=seed)
    if begun["type"] != "moment":
        sys.exit(f"{scenario}: {begun}")
    before = engine.ask(type="view")["view"]
    seam = SEAM[before["setting"]["measure"]]
    for choice in range(most):
        decision = engine.ask(type="decision")
        if not decision.get("offers"):
            break
        offer = luck.choice(decision["offers"])
        proposed = engine.ask(type="proposals", offer=offer["key"]).get("offers") or [{}]
        value = luck.choice(proposed[0].get("values") or ["none"])
        reply = engine.ask(type="choose", offer=offer["key"], value=value)
        if reply["type"] != "moment":
            continue
        after = engine.ask(type="view")["view"]
        where = f"{scenario}, seed {seed}, choice {choice}, after '{offer['key']}'"
        # Where somebody answers a move half way, the mover may be among the friends it passes through.
        half_way = engine.ask(type="decision").get("interrupt")
        found = [] if half_way else list(table_faults(after, seam))
        found += filter(None, [move_fault(before, after, offer, value, seam)])
        if choice % 20 == 0:
            found += overlay_faults(engine, after, seam)
        faults += [f"{where}: {fault}" for fault in found]
        seen += 1
        if found:
            break
        before = after
    engine.process.kill()
    return faults, seen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenarios", nargs="*", default=[])
    parser.add_argument("--program", default="target/debug/sabretache")
    parser.add_argument("--battles", type=int, default=1)
    parser.add_argument("--choices", type=int, default=400)
    wishes = parser.parse_args()
    listed = subprocess.run([wishes.program, "scenario", "list"], capture_output=True, text=True, check=True).stdout
    scenarios = wishes.scenarios or [line.split()[0] for line in listed.splitlines() if line.strip()]
    faults, seen = [], 0
    for scenario in scenarios:
        for seed in range(wishes.battles):
            found, choices = fight(wishes.program, scenario, seed, wishes.choices)
            faults += found
            seen += choices
            print(f"{scenario} {seed}: {choices} choices" + "".join(f"\n  {fault}" for fault in found), flush=True)
    print(f"{len(scenarios)} scenarios, {seen} choices, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
