"""A run of the laboratory by one command, on this machine or on a cluster that is there already.

    python -m sabretache simulate teaching --battles 1000 --out run
    python -m sabretache simulate teaching --battles 1000 --out run --dask tcp://scheduler:8786
    python -m sabretache simulate teaching --battles 1000 --out run --ray auto

`local:2` in place of an address starts a cluster of two workers on this machine for the run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from . import SabretacheError, simulate


def _workers(address: str) -> int | None:
    """How many workers `local:2` stands for; nothing for the address of a cluster."""
    name, _, count = address.partition(":")
    return int(count) if name == "local" and count.isdigit() and int(count) > 0 else None


@contextmanager
def _cluster(dask: str | None, ray: str | None) -> Iterator[Any]:
    """The client of the cluster that was named, if one was."""
    if dask is not None:
        from dask.distributed import Client, LocalCluster

        if (workers := _workers(dask)) is None:
            with Client(dask) as client:
                yield client
        else:
            with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
                yield client
    elif ray is not None:
        import ray as module

        if (workers := _workers(ray)) is None:
            module.init(address=ray, log_to_driver=False)
        else:
            module.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
        try:
            yield module
        finally:
            module.shutdown()
    else:
        yield None


def main(words: list[str] | None = None) -> int:
    options = argparse.ArgumentParser("python -m sabretache", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    fight = options.add_subparsers(required=True).add_parser("simulate", help="a scenario fought again and again")
    fight.add_argument("scenario", help="the name of a shipped scenario, or a path")
    fight.add_argument("--battles", type=int, default=1000)
    fight.add_argument("--a", default="drill-master", help="the player of A: recruit, drill-master, marshal:400")
    fight.add_argument("--b", default="drill-master", help="the player of B")
    fight.add_argument("--seed", type=int, default=1815)
    fight.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="changes a number of the rules or a part of the scenario")
    fight.add_argument("--luck", action="store_true", help="take the luck of the dice out of the results as far as it is known")
    fight.add_argument("--out", help="a folder for tables, report and summary")
    fight.add_argument("--shards", type=int, help="into how many parts the run is cut on a cluster")
    where = fight.add_mutually_exclusive_group()
    where.add_argument("--dask", metavar="ADDRESS", help="the scheduler of a Dask cluster, or local:2")
    where.add_argument("--ray", metavar="ADDRESS", help="a Ray cluster (auto for the one this machine belongs to), or local:2")
    asked = options.parse_args(words)
    try:
        with _cluster(asked.dask, asked.ray) as client:
            run = simulate(
                asked.scenario,
                asked.battles,
                asked.a,
                asked.b,
                seed=asked.seed,
                set=asked.set,
                luck=asked.luck,
                client=client,
                shards=asked.shards,
                out=asked.out,
            )
    except SabretacheError as error:
        print(error, file=sys.stderr)
        return 1
    print(run.summary(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
