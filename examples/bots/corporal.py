#!/usr/bin/env python3
"""The Corporal: a bot for Sabretache in Python, with nothing but the standard library.

    sabretache ladder --scenario teaching --battles 4 --players "drill-master,exec:python3 examples/bots/corporal.py"
    sabretache compliance "exec:python3 examples/bots/corporal.py"

It reads one JSON message a line and writes one a line (docs/bots.md). Of what may be chosen it prefers an attack that is
likely to come off, then a step forward, then an order; and it ends a phase when nothing better is left.
"""

import json
import random
import sys

# What it likes to do, by the machine-readable word of the offer; what is not here is worth a half.
LIKES = {"fire": 3, "shoot": 3, "charge": 2, "advance": 2, "move": 2, "march": 2, "order": 1.5, "rally": 2}
MOST_QUESTIONS = 6


def say(**message):
    """One message, one line, sent at once."""
    print(json.dumps(message), flush=True)


def ask(**question):
    """Asks something about the battle while it is ours to decide; None when we are told to stop meanwhile."""
    say(**question)
    for line in sys.stdin:
        answer = json.loads(line)
        if answer["type"] == "stop":
            return None
        if answer.get("ref") == question["ref"]:
            return answer
    sys.exit(0)


def decide(go):
    """The choice for a `go`: an offer by its key, and a value for it."""
    chance = random.Random(go["seed"])  # the same seed, the same battle
    values = {one["offer"]: one["values"] for one in go["proposals"]}
    offers = [offer for offer in go["decision"]["offers"] if values.get(offer["key"])]

    def liking(offer):
        best = 0.1 if offer["group"] == "end" else LIKES.get(offer["act"], 0.5)
        return best + chance.random() / 2

    liked = sorted(((liking(offer), offer["key"], offer) for offer in offers), key=lambda one: -one[0])
    best = None
    for number, (worth, key, offer) in enumerate(liked[:MOST_QUESTIONS]):
        value = values[key][0]  # the best value for it comes first
        odds = ask(type="odds", offer=key, value=value, ref=number)
        if odds is None:
            break
        # How likely it comes off for us; where that does not come into it, evens.
        weighed = worth * (odds["chance"] if odds.get("chance") is not None else 0.5)
        if best is None or weighed > best[0]:
            best = (weighed, key, value)
    if best is None:
        key = liked[0][1]
        best = (0, key, values[key][0])
    return best[1], best[2]


def main():
    go = offer = None
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            say(type="hello", name="Corporal", author="the Sabretache authors", version="1")
        elif kind in ("ready", "battle"):
            say(type="ready")
        elif kind in ("go", "refused"):
            if kind == "go":
                go = message
            else:  # a rule forbids it after all: anything but that
                go["proposals"] = [one for one in go["proposals"] if one["offer"] != offer]
            offer, value = decide(go)
            say(type="choose", moment=go["moment"], offer=offer, value=value)
        elif kind == "quit":
            return
        # Everything else (over, stop, what is yet to be invented) is passed over.


if __name__ == "__main__":
    main()
