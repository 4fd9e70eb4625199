"""A laboratory run carried by Dask: each shard is one task, on two workers, and the shards make one report.

    pip install "dask[distributed]"
    python bench/shards_dask.py SCENARIO [--battles N] [--shards N] [--out FOLDER] [-- more words for `sabretache simulate`]

The program is looked for on the path; set SABRETACHE to name another. Any other job engine does the same: a task is one
call of `sabretache simulate --shard i/n --out FOLDER`, and it may be repeated at will, since a battle that is written down
already is not fought again.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = os.environ.get("SABRETACHE", "sabretache")


def fight_shard(scenario, battles, index, of, folder, more):
    """One shard, on whichever worker takes it; which process that was, and where the shard lies."""
    out = Path(folder) / f"shard-{index}-of-{of}"
    command = [PROGRAM, "simulate", scenario, "--battles", str(battles), "--seed", "1815", *more]
    # Each worker is one process on one core; the results are the same with any number of threads.
    command += ["--threads", "1", "--shard", f"{index}/{of}", "--out", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return os.getpid(), str(out)


def main():
    from dask.distributed import Client, LocalCluster

    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("scenario")
    options.add_argument("--battles", type=int, default=1000)
    options.add_argument("--shards", type=int, default=8)
    options.add_argument("--out", default="run")
    asked = options.parse_args(words[:cut])
    folder, more = Path(asked.out).resolve(), words[cut + 1 :]
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        numbers = range(1, asked.shards + 1)
        tasks = [client.submit(fight_shard, asked.scenario, asked.battles, n, asked.shards, str(folder), more) for n in numbers]
        done = client.gather(tasks)
    workers = sorted({worker for worker, _ in done})
    print(f"{asked.shards} shards on {len(workers)} workers: " + ", ".join(f"{sum(w == one for w, _ in done)} on {one}" for one in workers))
    subprocess.run([PROGRAM, "report", *(out for _, out in done), "--out", str(folder)], check=True)


if __name__ == "__main__":
    main()
