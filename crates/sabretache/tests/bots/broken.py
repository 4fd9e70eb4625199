"""A bot that fails in the way its first argument names, for tests. Otherwise it takes the first value that is proposed."""

import json
import os
import sys
import time

way = sys.argv[1] if len(sys.argv) > 1 else "well"
goes = 0
FAILS = ("stall", "deaf", "crash", "close", "rubbish", "long", "flood", "cheat", "late", "undo")


def keep(file, line):
    """Where files are named, what is heard and said is kept in them."""
    if len(sys.argv) > file:
        with open(sys.argv[file], "a") as kept:
            kept.write(line.strip() + "\n")


def say(**message):
    line = json.dumps({key: value for key, value in message.items() if value is not None})
    keep(4, line)
    print(line, flush=True)


def fail():
    if way == "stall":
        time.sleep(600)
    if way == "deaf":
        os.close(0)
        time.sleep(600)
    if way == "crash":
        sys.stderr.write("Traceback: out of powder\n")
        sys.exit(3)
    if way == "close":
        os.close(1)
        time.sleep(600)
    if way == "rubbish":
        print("bestmove e2e4", flush=True)
    if way == "long":
        sys.stdout.write("x" * 5_000_000)
        sys.stdout.flush()
        time.sleep(600)
    if way == "flood":
        while True:
            say(type="info", text="thinking")
    if way == "cheat":
        say(type="choose", moment=go["moment"], offer="win at once")
    if way == "late":
        say(type="choose", moment=go["moment"] - 1, offer=go["proposals"][0]["offer"])
    if way == "undo":
        say(type="undo")


for line in sys.stdin:
    keep(3, line)
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        if way == "silent":
            time.sleep(600)
        if way == "fails to start":
            sys.exit(7)
        say(type="hello", name="Broken")
    elif kind in ("ready", "battle"):
        if way == "not ready" and kind == "battle":
            time.sleep(600)
        say(type="ready")
    elif kind in ("go", "declined"):
        if kind == "go":
            goes += 1
            go = message
        if way in FAILS and goes > 1:
            fail()
        else:
            if way == "resign":
                say(type="resign", moment=go["moment"])
                continue
            open_ones = [one for one in message["proposals"] if one["values"]]
            score = {"sure": 0.99, "doomed": 0.01, "even": 0.5}.get(sys.argv[2] if len(sys.argv) > 2 else "")
            say(type="choose", moment=message["moment"], offer=open_ones[0]["offer"], value=open_ones[0]["values"][0], score=score)
    elif kind == "quit":
        if way == "stays":
            time.sleep(600)
        break
