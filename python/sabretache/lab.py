"""A scenario fought again and again, on this machine or on a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from . import _core
from ._core import Run, SabretacheError

__all__ = ["simulate"]

# Scenario, battles, players, seed, luck, longest.
_Words = tuple[str, int, str, str, int, bool, int]

# More parts than this cost more to send about than they spread the work better.
_MOST_SHARDS = 256


def simulate(
    scenario: str | os.PathLike[str] | dict[str, Any],
    battles: int = 1000,
    a: str = "drill-master",
    b: str = "drill-master",
    *,
    seed: int = 1815,
    set: Sequence[str] = (),
    luck: bool = False,
    until: float | None = None,
    longest: int = 100_000,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    client: Any = None,
    shards: int | None = None,
    out: str | os.PathLike[str] | None = None,
) -> Run:
    """Fights a scenario `battles` times and gives back the run.

    Same seed, same results, byte for byte, whatever the number of threads, workers or shards, unless a player goes by the clock.

    `a` and `b` are the players (``"recruit"``, ``"drill-master"``, ``"marshal:400"``). `luck` takes the luck of the dice out of the results as far
    as it is known. `until` stops as soon as A's share of the points is known to within so much (0.01 for one point in a hundred); `battles` is
    then the most. A battle is counted as it stands after `longest` choices. `progress` is called with battles done and battles in all. `out` is
    a folder for Parquet and CSV tables, report and summary.

    `client` spreads the run over a cluster that is there already: a ``dask.distributed.Client``, or the module ``ray`` after ``ray.init()``. Each
    worker needs this package and nothing else; `shards` is into how many parts the run is cut.
    """
    text = _core.scenario_text(scenario, list(set))
    words: _Words = (text, battles, a, b, seed, luck, longest)
    if client is None:
        parts = [_core.fight_shard(*words, until=until, threads=threads, progress=progress)]
    else:
        if until is not None:
            raise SabretacheError("`until` looks at all battles so far and needs one machine: say how many `battles` instead")
        parts = _spread(client, words, battles, shards, progress)
    run = Run.of_parts(parts)
    if out is not None:
        run.write(out)
    return run


def _shard(words: _Words, index: int, of: int) -> bytes:
    """One part of a run, on one thread of whichever worker takes it: the cluster decides how many work at a time."""
    return _core.fight_shard(*words, index=index, of=of, threads=1)


def _spread(
    client: Any,
    words: _Words,
    battles: int,
    shards: int | None,
    progress: Callable[[int, int], object] | None,
) -> list[bytes]:
    if shards is not None and shards < 1:
        raise SabretacheError(f"a run is cut into one part or more, not {shards}")
    if hasattr(client, "submit") and hasattr(client, "gather"):
        of = shards or _shards(battles, sum(client.nthreads().values()))
        # A part is a function of its words; Dask must not take two runs of the same words for one that is still to be thrown away.
        tasks = [client.submit(_shard, words, index, of, pure=False) for index in range(1, of + 1)]
        parts = []
        for index, task in enumerate(tasks, start=1):
            parts.append(task.result())
            _tell(progress, index, of, battles)
        return parts
    if hasattr(client, "remote") and hasattr(client, "get") and hasattr(client, "is_initialized"):
        if not client.is_initialized():
            raise SabretacheError("Ray is not running: call ray.init() first, with the address of your cluster where you have one")
        of = shards or _shards(battles, int(client.cluster_resources().get("CPU", 1)))
        shard = client.remote(_shard)
        tasks = [shard.remote(words, index, of) for index in range(1, of + 1)]
        parts = []
        for index, task in enumerate(tasks, start=1):
            parts.append(client.get(task))
            _tell(progress, index, of, battles)
        return parts
    raise SabretacheError("`client` is a dask.distributed.Client or the module ray after ray.init()")


def _shards(battles: int, workers: int) -> int:
    """Four parts a worker, so that one slow part does not hold the run up."""
    return max(1, min(battles, 4 * max(1, workers), _MOST_SHARDS))


def _tell(progress: Callable[[int, int], object] | None, index: int, of: int, battles: int) -> None:
    if progress is not None:
        progress(battles * index // of, battles)
