"""A run on a local cluster of each kind, with real workers: byte for byte the run of one machine."""

import os
import subprocess
import sys

import pytest
from sabretache import SabretacheError, simulate

WORDS = ("teaching", 24, "drill-master", "recruit")
FILES = ("battles.parquet", "units.parquet", "battles.csv", "units.csv", "report.html", "summary.txt")


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone")
    simulate(*WORDS, seed=9, out=folder)
    return folder


def same(one, other):
    return all((one / file).read_bytes() == (other / file).read_bytes() for file in FILES)


def where(_):
    return os.getpid()


def test_dask(alone, tmp_path):
    from dask.distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster) as client:
        pids = set(client.run(os.getpid).values())
        assert len(pids) == 2 and os.getpid() not in pids
        told = []
        simulate(*WORDS, seed=9, client=client, shards=5, out=tmp_path / "five", progress=lambda done, of: told.append(done))
        simulate(*WORDS, seed=9, client=client, out=tmp_path / "usual")
        with pytest.raises(SabretacheError, match="until"):
            simulate(*WORDS, client=client, until=0.1)
        with pytest.raises(SabretacheError, match="no player"):
            simulate("teaching", 2, "napoleon", client=client)
    assert same(alone, tmp_path / "five") and same(alone, tmp_path / "usual")
    assert told == sorted(told) and told[-1] == 24


def test_ray(alone, tmp_path):
    import ray

    with pytest.raises(SabretacheError, match="not running"):
        simulate(*WORDS, client=ray)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        pids = set(ray.get([ray.remote(where).remote(n) for n in range(8)]))
        assert os.getpid() not in pids
        simulate(*WORDS, seed=9, client=ray, shards=4, out=tmp_path)
    finally:
        ray.shutdown()
    assert same(alone, tmp_path)


@pytest.mark.parametrize("where", [[], ["--dask", "local:2"], ["--ray", "local:2"]], ids=["here", "dask", "ray"])
def test_one_command(alone, tmp_path, where):
    words = ["simulate", "teaching", "--battles", "24", "--a", "drill-master", "--b", "recruit", "--seed", "9", "--out", str(tmp_path)]
    done = subprocess.run([sys.executable, "-m", "sabretache", *words, *where], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert same(alone, tmp_path) and done.stdout == (alone / "summary.txt").read_text()


def test_a_wrong_command_says_why():
    words = [sys.executable, "-m", "sabretache", "simulate", "nowhere"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1 and "there is no scenario or file 'nowhere'" in done.stderr
