#!/usr/bin/env python3
"""Random battles fought twice, once on the table as it is and once in a mirror or turned round by half a circle: no rule
knows left from right or north from south, so every offer, limit and place must come out the same.

    python3 bench/symmetry.py [--program PATH] [--battles N] [--choices N] [--seed N] [--turn | --mirror] SCENARIO ...

Both are told the same choices and thrown the same dice. Exit code 1 where they differ. Malbrook acts from right to left
(MB-SEQ-05) and breaks ties that way, so that it is only turned.
"""

import argparse
import json
import random
import subprocess
import sys
import tomllib

# Micrometres: places are whole ones, rounded where something is turned.
SLACK = 400
EDGES = {"north": "south", "south": "north", "east": "west", "west": "east"}
LISTS = {"area", "line"}
PLACES = {"at", "hold", "communication", "horses"}


class Engine:
    """One process, one battle."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.kill()


def inline(value):
    """A value as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {inline(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(inline(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)


class Image:
    """What becomes of places and directions."""

    def __init__(self, how, width, depth):
        self.mirror, self.width, self.depth = how == "mirror", width, depth

    def point(self, x, y, width, depth):
        return (width - x, y) if self.mirror else (width - x, depth - y)

    def heading(self, degrees, whole):
        return (-degrees) % whole if self.mirror else (degrees + whole / 2) % whole

    def edge(self, name):
        return name if self.mirror and name in ("north", "south") else EDGES.get(name, name)

    def key(self, key):
        return " ".join(self.word(word) for word in key.split(" "))

    def word(self, word):
        if word in ("left", "right") and self.mirror:
            return "left" if word == "right" else "right"
        winds = word.split("-")
        return "-".join(map(self.edge, winds)) if all(wind in EDGES for wind in winds) else word

    def scenario(self, value, key=None):
        if isinstance(value, dict):
            image = {name: self.scenario(one, name) for name, one in value.items()}
            # The inner side of walls and works is on one hand of their line.
            if self.mirror and "line" in image and value.get("kind") != "road":
                image["line"].reverse()
            return image
        if isinstance(value, list):
            numbers = len(value) == 2 and all(isinstance(one, (int, float)) for one in value)
            if numbers and (key in PLACES or key in LISTS):
                return [round(one, 6) for one in self.point(*value, self.width, self.depth)]
            return [self.scenario(one, key) for one in value]
        if key == "facing":
            return self.heading(value, 360)
        if key in ("baseline", "edge"):
            return self.edge(value)
        if key in ("rises", "uphill"):
            return self.word(value) if isinstance(value, str) else self.heading(value, 360)
        return value

    def value(self, value, table):
        if not isinstance(value, dict):
            return value
        if "wheel" in value and self.mirror:
            return {"wheel": -value["wheel"]}
        if "point" in value:
            x, y = self.point(value["point"]["x"], value["point"]["y"], *table)
            return {"point": {"x": x, "y": y}}
        if "formation" in value:
            return {"formation": self.key(value["formation"])}
        return value


def near(one, other, slack=SLACK):
    return abs(one - other) <= slack


def limits(offer, image):
    """What is comparable of an offer's input, as the image has it."""
    given = offer.get("input") or {}
    kind = given.get("kind")
    if kind == "distance":
        return (kind, given["least"], given["most"])
    if kind == "wheel":
        pair = (given["most_left"], given["most_right"])
        return (kind, -pair[1], -pair[0]) if image and image.mirror else (kind, *pair)
    if kind == "number":
        return (kind, given.get("least"), given.get("most"))
    return (kind,)


def same_limits(one, other):
    if len(one) != len(other) or one[0] != other[0]:
        return False
    return all(a == b or (isinstance(a, (int, float)) and near(a, b, 400)) for a, b in zip(one[1:], other[1:]))


def by_the_compass(offer):
    """What is measured from the west or counted from the south: where an officer stands who comes back, where reinforcements
    come on along their edge, the sides of a block of houses, which way along a wall is back."""
    return offer["key"].startswith(("relinquish", "enter", "emerge")) or "-wall" in offer["key"]


def has_hands(offer, value):
    """Whether a value counts stands or wings from one side, so that its image is another."""
    return isinstance(value, dict) and ("number" in value or "bent" in str(value.get("formation")))


def offers_differ(here, there, image):
    ours = {image.key(offer["key"]): limits(offer, image) for offer in here["offers"] if not by_the_compass(offer)}
    theirs = {offer["key"]: limits(offer, None) for offer in there["offers"] if not by_the_compass(offer)}
    only = sorted(set(ours) ^ set(theirs))
    if only:
        return "offered on one table only: " + ", ".join(f"{key} ({'first' if key in ours else 'image'})" for key in only[:6])
    for key, limit in ours.items():
        if not same_limits(limit, theirs[key]):
            return f"{key}: {limit} on the first table, {theirs[key]} on its image"
    return None


def views_differ(here, there, image, table):
    theirs = {unit["key"]: unit for unit in there["units"]}
    for unit in here["units"]:
        other = theirs.get(unit["key"])
        if other is None or bool(unit["pose"]) != bool(other["pose"]) or unit["formation"] != other["formation"]:
            return f"{unit['key']} is not the same: {unit['formation']} and {other and other['formation']}"
        if unit["lines"] != other["lines"]:
            return f"{unit['key']}: {unit['lines']} and {other['lines']}"
        for mine, its in [(unit["pose"], other["pose"])] if unit["pose"] else []:
            x, y = image.point(mine["at"]["x"], mine["at"]["y"], *table)
            turn = (image.heading(mine["heading"], 36_000) - its["heading"]) % 36_000
            if not (near(x, its["at"]["x"]) and near(y, its["at"]["y"]) and min(turn, 36_000 - turn) <= 10):
                return f"{unit['key']} at {x:.0f}, {y:.0f} and {its['at']['x']}, {its['at']['y']}, turned by {turn}"
    return None


def throw(chance, engines, request, image, table):
    """Makes a choice on both tables, throwing the same dice; the replies."""
    mapped = {**request, "offer": image.key(request["offer"]), "value": image.value(request["value"], table)}
    faces = []
    while True:
        replies = [engine.ask(**one, dice=faces) for engine, one in zip(engines, (request, mapped))]
        kinds = [reply["type"] for reply in replies]
        if kinds == ["dice", "dice"]:
            if replies[0]["dice"] != replies[1]["dice"]:
                return replies, f"dice {replies[0]['dice']} and {replies[1]['dice']}"
            faces += [chance.randint(1, 10 if "10" in die else 6) for die in replies[0]["dice"]]
            continue
        if "declined" in kinds and kinds[0] != kinds[1]:
            return None, None
        if kinds[0] != kinds[1]:
            return replies, f"{kinds[0]} and {kinds[1]}: {json.dumps(replies[0])[:200]} | {json.dumps(replies[1])[:200]}"
        return replies, None


def battle(program, path, how, seed, choices):
    """One battle; what differs, or nothing, and how many choices were made."""
    with open(path, "rb") as file:
        scenario = tomllib.load(file)
    image = Image(how, scenario["table"]["width"], scenario["table"]["depth"])
    texts = ["\n".join(f"{json.dumps(key)} = {inline(one)}" for key, one in this.items()) for this in (scenario, image.scenario(scenario))]
    engines = [Engine(program), Engine(program)]
    chance = random.Random(seed)
    told = []
    try:
        begun = [engine.ask(type="begin", scenario=text) for engine, text in zip(engines, texts)]
        if any(reply["type"] != "moment" for reply in begun):
            return f"it does not begin: {json.dumps(begun)[:600]}", 0
        setting = engines[0].ask(type="view")["view"]["setting"]
        table = (setting["width"], setting["depth"])
        for made in range(choices):
            here, there = [engine.ask(type="decision") for engine in engines]
            if here["type"] != "decision" or not here["offers"]:
                return None, made
            fault = offers_differ(here, there, image)
            if fault:
                return f"after {made} choices ({'; '.join(told[-4:])}): {fault}", made
            offer = chance.choice([offer for offer in here["offers"] if not by_the_compass(offer)] or here["offers"])
            value = "none"
            if offer.get("input") and offer["input"].get("kind") not in (None, "none"):
                proposed = engines[0].ask(type="proposals", offer=offer["key"])
                values = [value for one in proposed.get("offers", []) for value in one["values"]]
                values = [value for value in values if not (image.mirror and has_hands(offer, value))]
                if not values:
                    continue
                value = chance.choice(values)
            told.append(f"{offer['key']} {json.dumps(value)}")
            request = {"type": "choose", "offer": offer["key"], "value": value}
            replies, fault = throw(chance, engines, request, image, table)
            if replies is None:
                # A micrometre less of room on one table: they are no longer the same battle.
                return None, made
            if fault:
                return f"after {made} choices ({'; '.join(told[-4:])}): {fault}", made
            views = [engine.ask(type="view")["view"] for engine in engines]
            fault = views_differ(views[0], views[1], image, table)
            if fault:
                return f"after {made} choices ({'; '.join(told[-4:])}): {fault}", made
        return None, choices
    finally:
        for engine in engines:
            engine.end()


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--program", default="target/debug/sabretache")
    asked.add_argument("--battles", type=int, default=5)
    asked.add_argument("--choices", type=int, default=150)
    asked.add_argument("--seed", type=int, default=1815)
    how = asked.add_mutually_exclusive_group()
    how.add_argument("--turn", action="store_const", dest="how", const="turn")
    how.add_argument("--mirror", action="store_const", dest="how", const="mirror")
    asked.add_argument("scenario", nargs="+")
    asked = asked.parse_args()
    faults = made = 0
    for path in asked.scenario:
        ways = [asked.how] if asked.how else ["turn"] if "malbrook" in path else ["turn", "mirror"]
        for way in ways:
            for number in range(asked.battles):
                fault, choices = battle(asked.program, path, way, asked.seed + number, asked.choices)
                made += choices
                if fault:
                    faults += 1
                    print(f"{path}, {way}, seed {asked.seed + number}: {fault}", flush=True)
    print(f"{made} choices, {faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
