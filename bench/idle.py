"""What battles cost that nobody looks at: the memory of a server with a thousand of them, before and after they have left it.

    python bench/idle.py [battles] [scenario]

Battles are begun, opened once and left alone; after five minutes the server lets go of them. The program is target/release/sabretache, or the
one that the variable SABRETACHE names.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

PROGRAM = os.environ.get("SABRETACHE", str(Path(__file__).resolve().parent.parent / "target/release/sabretache"))
BATTLES = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
SCENARIO = sys.argv[2] if len(sys.argv) > 2 else "maida"
IDLE = 300


def main():
    with tempfile.TemporaryDirectory() as folder:
        command = [PROGRAM, "serve", "--no-browser", "--address", "127.0.0.1:0", "--data", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            url = next(line for line in server.stdout if "Sabretache is at" in line).split()[-1].rstrip("/")
            measure(server.pid, url)
        finally:
            server.terminate()


def measure(pid, url):
    def ask(path, secret=None, body=None):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Seat {secret}"} if secret else {})
        request = urllib.request.Request(url + path, headers=headers, data=json.dumps(body).encode() if body else None)
        while True:
            try:
                with urllib.request.urlopen(request) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                if error.code != 429:
                    raise
                time.sleep(1)  # so many new battles a second and no more

    def memory():
        status = Path(f"/proc/{pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS:")).split()[1])

    first = ask("/api/battles", body={"scenario": SCENARIO, "seed": 0})
    ask(f"/api/battles/{first['id']}", first["secrets"]["spectator"])
    none = memory()
    battles = [ask("/api/battles", body={"scenario": SCENARIO, "seed": n}) for n in range(BATTLES)]
    kept = memory()
    for battle in battles:
        ask(f"/api/battles/{battle['id']}", battle["secrets"]["spectator"])
    opened = memory()
    time.sleep(IDLE + 15)
    left = memory()
    again = time.perf_counter()
    ask(f"/api/battles/{battles[0]['id']}", battles[0]["secrets"]["spectator"])
    again = time.perf_counter() - again
    print(f"{BATTLES} battles of {SCENARIO}, resident memory:")
    print(f"  one battle                       {none / 1024:8.1f} MB")
    print(f"  all begun                        {kept / 1024:8.1f} MB")
    print(f"  all in memory, no connections    {opened / 1024:8.1f} MB, {(opened - kept) / BATTLES:.0f} kB a battle")
    print(f"  five minutes later               {left / 1024:8.1f} MB, {(left - none) / BATTLES:.1f} kB a battle")
    print(f"  one of them comes back in        {again * 1000:8.1f} ms")


if __name__ == "__main__":
    main()
