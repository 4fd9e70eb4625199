"""Grows the trees from which `crates/players/src/learnt` tells a chance of winning, from battles that the example `looks` wrote down.

    python3 -m venv target/learn && target/learn/bin/pip install numpy scikit-learn
    cargo run --profile play -p sabretache-books --features tools --example looks -- --battles 2000 --seed 22 ensign ensign scenarios/malbrook/meeting.toml > m.csv
    target/learn/bin/python bench/learnt.py malbrook "ensign ensign, seed 22" m.csv

`--without A,B` leaves columns out: what will change in the book without what was learnt being learnt anew. `--out DIR` writes the trees elsewhere.

One battle in three is kept apart, whole: how the trees do on those is printed, beside what a line through worth and time does that was fitted on the
same battles, and is written into the file with the trees. The same data give the same trees.
"""

import json
import sys
import zlib
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "crates" / "players" / "learnt"

# Small trees, many of them, none of which may rest on a handful of battles.
TREES, LEAVES, RATE, LEAST = 120, 8, 0.05, 150
BINS = 10


def read(files):
    """The columns, the numbers, the results, and which battles are kept apart."""
    names, numbers, results, apart, battles = None, [], [], [], set()
    for file in files:
        with open(file, encoding="utf-8") as lines:
            head = next(lines).strip().split(",")
            if names not in (None, head[4:]):
                raise SystemExit(f"{file} has other columns")
            names = head[4:]
            for line in lines:
                scenario, battle, _, result, *row = line.strip().split(",")
                if len(row) != len(names):
                    continue
                key = f"{Path(file).name} {scenario} {battle}"
                battles.add(key)
                numbers.append([float(x) for x in row])
                results.append(float(result))
                # A battle is kept apart or learnt from with all its moments.
                apart.append(zlib.crc32(key.encode()) % 3 == 0)
    return names, np.array(numbers), np.array(results), np.array(apart), len(battles)


def as_classes(numbers, results):
    """A draw is half a victory and half a defeat."""
    rows = np.concatenate([numbers, numbers])
    won = np.concatenate([np.ones(len(results)), np.zeros(len(results))])
    weight = np.concatenate([results, 1.0 - results])
    kept = weight > 0
    return rows[kept], won[kept], weight[kept]


def tree(nodes):
    """A tree as the program reads it: children behind their node, leaves with feature -1."""
    of = {"feature": [], "value": [], "left": [], "right": []}
    for node in nodes:
        leaf = bool(node["is_leaf"])
        of["feature"].append(-1 if leaf else int(node["feature_idx"]))
        of["value"].append(round(float(node["value"] if leaf else node["num_threshold"]), 5))
        of["left"].append(0 if leaf else int(node["left"]))
        of["right"].append(0 if leaf else int(node["right"]))
    return of


def log_odds(base, trees, rows):
    """The same sum as the program's."""
    told = np.full(len(rows), base)
    for one in trees:
        node = np.zeros(len(rows), dtype=int)
        feature, value = np.array(one["feature"]), np.array(one["value"])
        left, right = np.array(one["left"]), np.array(one["right"])
        for _ in range(LEAVES):
            inner = feature[node] >= 0
            number = rows[np.arange(len(rows)), np.maximum(feature[node], 0)]
            then = np.where(number <= value[node], left[node], right[node])
            node = np.where(inner, then, node)
        told += value[node]
    return told


def both_sides(told):
    """Two lines a moment, side A first: both views together, so that the chances add up to one."""
    a, b = told[0::2], told[1::2]
    chance = 1.0 / (1.0 + np.exp((b - a) / 2.0))
    return np.stack([chance, 1.0 - chance], axis=1).reshape(-1)


def reliability(told, came):
    bins = np.minimum((told * BINS).astype(int), BINS - 1)
    rows = []
    for n in range(BINS):
        here = bins == n
        if here.any():
            rows.append(
                {"moments": int(here.sum()), "told": round(told[here].mean(), 4), "came": round(came[here].mean(), 4)}
            )
    return rows


def main():
    words = sys.argv[1:]
    out = Path(words.pop(words.index("--out") + 1)) if "--out" in words else OUT
    without = words.pop(words.index("--without") + 1).split(",") if "--without" in words else []
    book, seeds, *files = [word for word in words if word not in ("--out", "--without")]
    names, numbers, results, apart, battles = read(files)
    by_worth = [names.index("worth"), names.index("worth_by_time")]
    line_of = numbers[:, by_worth].copy()
    # What never differs is asked about by no tree.
    numbers[:, [names.index(name) for name in without]] = 0.0
    rows, won, weight = as_classes(numbers[~apart], results[~apart])
    # Worth is worth having, whatever else a battle looks like.
    better = {"worth": 1, "balance": 1}
    grown = HistGradientBoostingClassifier(
        max_iter=TREES,
        max_leaf_nodes=LEAVES,
        learning_rate=RATE,
        min_samples_leaf=LEAST,
        l2_regularization=5.0,
        early_stopping=False,
        monotonic_cst=[better.get(name, 0) for name in names],
        random_state=1,
    )
    grown.fit(rows, won, sample_weight=weight)
    base = round(float(grown._baseline_prediction.ravel()[0]), 5)
    trees = [tree(one[0].nodes) for one in grown._predictors]
    seen, came = numbers[apart], results[apart]
    told = both_sides(log_odds(base, trees, seen))
    known, won, weight = as_classes(line_of[~apart], results[~apart])
    line = LogisticRegression(fit_intercept=False).fit(known, won, sample_weight=weight)
    plain = line.predict_proba(line_of[apart])[:, 1]
    brier = lambda chance: round(float(((chance - came) ** 2).mean()), 4)
    calibration = {
        "battles": battles,
        "learnt_from": seeds,
        "moments_apart": int(len(came) // 2),
        "brier": brier(told),
        "brier_by_worth_and_time": brier(plain),
        "brier_of_half": brier(np.full(len(came), 0.5)),
        "reliability": reliability(told, came),
    }
    out.mkdir(exist_ok=True)
    text = json.dumps({"features": names, "base": base, "calibration": calibration, "trees": trees}, separators=(",", ":"))
    (out / f"{book}.json").write_text(text.replace('},{"feature"', '},\n{"feature"') + "\n", encoding="utf-8")
    print(book, json.dumps({key: value for key, value in calibration.items() if key != "reliability"}))
    for one in calibration["reliability"]:
        print(f"  told {one['told']:.2f}  came {one['came']:.2f}  in {one['moments']}")


if __name__ == "__main__":
    main()
