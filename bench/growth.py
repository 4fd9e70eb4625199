"""How the cost of a decision grows with the size of the armies: random decisions a second from 8 to 400 units a side.

    python bench/growth.py [seconds]

Two lines of battalions face each other, brigades of eight under their own officers, in rows of forty. The program is looked for on the
path; set SABRETACHE to name another.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = os.environ.get("SABRETACHE", "sabretache")
SECONDS = sys.argv[1] if len(sys.argv) > 1 else "3"
ROW, APART, BEHIND, BRIGADE = 40, 20, 14, 8


def scenario(units):
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
    for name, items in (("contingents", contingents), ("commands", commands), ("officers", officers), ("units", listed)):
        out.append(f"{name} = [\n    " + ",\n    ".join(items) + ",\n]")
    return "\n".join(out) + "\n"


def main():
    print("| units a side | random decisions a second | cost of one, against 8 a side |\n|---:|---:|---:|")
    first = None
    with tempfile.TemporaryDirectory() as folder:
        for units in (8, 25, 50, 100, 200, 400):
            path = Path(folder) / f"{units}.toml"
            path.write_text(scenario(units))
            command = [PROGRAM, "bench", "playouts", "--ruleset", "huzzah", "--scenario", str(path)]
            done = subprocess.run([*command, "--seconds", SECONDS, "--json"], check=True, capture_output=True, text=True)
            rate = json.loads(done.stdout)["decisions_per_second"]
            first = first or rate
            print(f"| {units} | {rate:,.0f} | {first / rate:.1f} |", flush=True)


if __name__ == "__main__":
    main()
