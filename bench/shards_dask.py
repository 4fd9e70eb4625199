"""A laboratory run carried by Dask: each shard is one task, on two workers, and the shards make one report.

    pip install "dask[distributed]"
    python bench/shards_dask.py SCENARIO [BATTLES] [SHARDS] [FOLDER]

The program is looked for on the path; set SABRETACHE to name another. Any other job engine does the same: a task is one
call of `sabretache simulate --shard i/n --out FOLDER`, and it may be repeated at will, since a shard that is there
already is not fought again.
"""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = os.environ.get("SABRETACHE", "sabretache")


def fight_shard(scenario, battles, index, of, folder):
    out = Path(folder) / f"shard-{index}-of-{of}"
    command = [PROGRAM, "simulate", scenario, "--battles", str(battles), "--seed", "1815"]
    command += ["--a", "drill-master", "--b", "drill-master", "--shard", f"{index}/{of}", "--out", str(out)]
    # Each worker is one process on one core; the results are the same with any number of threads.
    subprocess.run(command, check=True, env={**os.environ, "RAYON_NUM_THREADS": "1"}, stdout=subprocess.DEVNULL)
    return str(out)


def main():
    from dask.distributed import Client, LocalCluster

    scenario = sys.argv[1]
    battles, shards = (int(arg) for arg in (sys.argv[2:4] + ["1000", "8"][len(sys.argv[2:4]):]))
    folder = Path(sys.argv[4] if len(sys.argv) > 4 else "run").resolve()
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        tasks = [client.submit(fight_shard, scenario, battles, n, shards, str(folder)) for n in range(1, shards + 1)]
        done = client.gather(tasks)
    subprocess.run([PROGRAM, "report", *done, "--out", str(folder)], check=True)


if __name__ == "__main__":
    main()
