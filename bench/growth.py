"""How the cost of a decision grows with the size of the armies: random decisions a second from 8 to 400 units a side.

    python bench/growth.py [seconds] [book...]

Two lines of battalions face each other, brigades of eight under their own officers, in rows of forty. The program is looked for on the
path; set SABRETACHE to name another. Processor time is counted, so that whatever else runs on the machine matters little.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = os.environ.get("SABRETACHE", "sabretache")
SECONDS = sys.argv[1] if len(sys.argv) > 1 else "3"
BOOKS = sys.argv[2:] or ["huzzah", "batteries", "malbrook"]
ROW, APART, BEHIND, BRIGADE = 40, 20, 14, 8


def lists(out, **named):
    for name, items in named.items():
        out.append(f"{name} = [\n    " + ",\n    ".join(items) + ",\n]")
    return "\n".join(out) + "\n"


def batteries(units):
    """Battalions in columns two stands wide, inches."""
    apart, behind = 6, 6
    # A scenario has sixty generals at the most.
    rows, brigade_of = -(-units // ROW), max(BRIGADE, units // 25)
    width, depth = (min(units, ROW) + 1) * apart, 2 * rows * behind + 24
    out = [
        'ruleset = "batteries"',
        f'title = "{units} a side"',
        'measure = "in"',
        "turns = 2",
        f"table = {{ width = {width}, depth = {depth} }}",
        'sides = [{ id = "fr", name = "French" }, { id = "br", name = "British" }]',
        "victory = { losses = 50 }",
    ]
    brigades, generals, listed = [], [], []
    for side, baseline, facing in (("fr", "south", 0), ("br", "north", 180)):
        for n in range(units):
            row, place = divmod(n, ROW)
            back = (rows - row) * behind
            x, y = (place + 1) * apart, back if side == "fr" else depth - back
            brigade = f"{side}-b{n // brigade_of}"
            if n % brigade_of == 0:
                brigades.append(f'{{ id = "{brigade}", name = "{brigade}", side = "{side}", baseline = "{baseline}" }}')
                chief = ", commander_in_chief = true" if n == 0 else ""
                behind_it = y - 3 if side == "fr" else y + 3
                generals.append(
                    f'{{ id = "{brigade}-g", name = "General {brigade}", side = "{side}", brigade = "{brigade}"{chief}, charisma = 1, at = [{x}, {behind_it}] }}'
                )
            listed.append(
                f'{{ id = "{side}-{n}", name = "Battalion {n + 1}", brigade = "{brigade}", arm = "foot", grade = "C", start = 24, at = [{x}, {y}], facing = {facing}, formation = "column", width = 2 }}'
            )
    return lists(out, brigades=brigades, generals=generals, units=listed)


def malbrook(units):
    """Brigades of foot in line, inches."""
    apart, behind = 7, 4
    rows = -(-units // ROW)
    width, depth = (min(units, ROW) + 1) * apart, 2 * rows * behind + 24
    out = [
        'ruleset = "malbrook"',
        f'title = "{units} a side"',
        'measure = "in"',
        "turns = 2",
        f"table = {{ width = {width}, depth = {depth} }}",
        'sides = [{ id = "al", name = "Allies" }, { id = "fr", name = "French" }]',
        'armies = [{ side = "al", style = "new", edge = "south" }, { side = "fr", style = "traditional", edge = "north" }]',
    ]
    leaders, listed = [], []
    for side, facing in (("al", 0), ("fr", 180)):
        rear = 1 if side == "al" else depth - 1
        leaders.append(
            f'{{ id = "{side}-m", name = "Marshal {side}", side = "{side}", rank = "marshal", at = [{width / 2}, {rear}] }}'
        )
        for n in range(units):
            row, place = divmod(n, ROW)
            back = (rows - row) * behind
            x, y = (place + 1) * apart, back if side == "al" else depth - back
            under = f"{side}-g{n // BRIGADE}"
            if n % BRIGADE == 0:
                behind_it = y - 2 if side == "al" else y + 2
                leaders.append(
                    f'{{ id = "{under}", name = "General {under}", side = "{side}", rank = "major-general", above = "{side}-m", at = [{x}, {behind_it}] }}'
                )
            listed.append(
                f'{{ id = "{side}-{n}", name = "Brigade {n + 1}", side = "{side}", kind = "foot", grade = "C", bases = 5, under = "{under}", at = [{x}, {y}], facing = {facing}, formation = "line" }}'
            )
    return lists(out, leaders=leaders, units=listed)


def huzzah(units):
    """Battalions in columns, centimetres."""
    rows = -(-units // ROW)
    depth = (min(units, ROW) + 1) * APART
    width = 2 * (rows * BEHIND + 30) + 80
    out = [
        'ruleset = "huzzah"',
        f'title = "{units} a side"',
        'measure = "cm"',
        f"table = {{ width = {width}, depth = {depth} }}",
        'sides = [{ id = "fr", name = "French" }, { id = "pr", name = "Prussians" }]',
        'options = { turns = 2, first = "pr", attacker = "pr", cavalry_stands = 4, kind = "encounter" }',
        'armies = [{ id = "fr", skirmish = "average", baseline = "west" }, { id = "pr", skirmish = "average", baseline = "east" }]',
    ]
    contingents, commands, officers, listed = [], [], [], []
    for side, facing in (("fr", 90), ("pr", 270)):
        contingents.append(f'{{ id = "{side}-all", name = "{side}", side = "{side}", bombardment_factor = 2 }}')
        commands.append(f'{{ id = "{side}-army", name = "Army", side = "{side}", level = "army" }}')
        home = 8 if side == "fr" else width - 8
        officers.append(
            f'{{ id = "{side}-chief", name = "Chief", command = "{side}-army", ability = "average", at = [{home}, {depth / 2}] }}'
        )
        for n in range(units):
            row, place = divmod(n, ROW)
            front = 30 + (rows - 1 - row) * BEHIND + 14
            x = front if side == "fr" else width - front
            y = (place + 1) * APART
            brigade = n // BRIGADE
            if n % BRIGADE == 0:
                commands.append(
                    f'{{ id = "{side}-b{brigade}", name = "Brigade {brigade + 1}", side = "{side}", level = "brigade", part_of = "{side}-army" }}'
                )
                back = x - 9 if side == "fr" else x + 9
                officers.append(
                    f'{{ id = "{side}-o{brigade}", name = "Brigadier {brigade + 1}", command = "{side}-b{brigade}", ability = "average", at = [{back}, {y}] }}'
                )
            listed.append(
                f'{{ id = "{side}-{n}", name = "Battalion {n + 1}", command = "{side}-b{brigade}", arm = "infantry", quality = "trained", formation = "column", at = [{x}, {y}], facing = {facing} }}'
            )
    return lists(out, contingents=contingents, commands=commands, officers=officers, units=listed)


def rate(book, what, path):
    """Decisions in a second of processor time."""
    command = [PROGRAM, "bench", what, "--ruleset", book, "--scenario", str(path), "--seconds", SECONDS, "--json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["decisions"] / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)


def main():
    print("| book | units a side | random decisions a second | cost of one, against 8 a side | in two steps | cost of one |")
    print("|---|---:|---:|---:|---:|---:|")
    for book in BOOKS:
        first = None
        with tempfile.TemporaryDirectory() as folder:
            # A scenario of Malbrook has six hundred units at the most.
            for units in (8, 25, 50, 100, 200, 300 if book == "malbrook" else 400):
                path = Path(folder) / f"{units}.toml"
                path.write_text({"huzzah": huzzah, "batteries": batteries, "malbrook": malbrook}[book](units))
                rates = [rate(book, what, path) for what in ("playouts", "steps")]
                first = first or rates
                told = " | ".join(f"{one:,.0f} | {base / one:.1f}" for one, base in zip(rates, first))
                print(f"| {book} | {units} | {told} |", flush=True)


if __name__ == "__main__":
    main()
