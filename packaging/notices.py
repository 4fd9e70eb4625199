#!/usr/bin/env python3
"""Writes THIRD-PARTY.md: what the program and the page contain that others have made, with its licences.

Run by `make notices` after `make web`; it asks cargo what the program is built from (without what only tests need) and reads the licences of the fonts and
of the client's library from the installed packages.
"""

import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).parent.parent
MODULES = ROOT / "web/node_modules"
# What ends up in the page; everything else of the client's packages only builds or tests it.
PAGE = ["@fontsource/eb-garamond", "@fontsource-variable/source-sans-3", "svelte", "@noble/hashes", "uqr"]


def crates():
    """The crates of the program, with version and licence, our own left out."""
    tree = subprocess.run(
        ["cargo", "tree", "--package", "sabretache", "--features", "pdf", "--edges", "normal", "--target", "all", "--prefix", "none",
         "--format", "{p}|{l}|{r}"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout
    found = set()
    for line in tree.splitlines():
        package, licence, repository = line.removesuffix(" (*)").split("|")
        name, version = package.split()[:2]
        if not name.startswith("sabretache"):
            found.add((name, version.removeprefix("v"), licence.replace("/", " OR "), repository))
    return sorted(found)


def main():
    lines = [
        "# What others have made", "",
        "The program and its page contain these. Made by `make notices`; `deny.toml` says which licences may come in.", "",
        "## Crates", "", "| crate | version | licence |", "|---|---|---|",
        *(f"| {f'[{name}]({repository})' if repository else name} | {version} | {licence} |"
          for name, version, licence, repository in crates()),
        "", "## The page", "",
    ]
    for name in PAGE:
        package = json.loads((MODULES / name / "package.json").read_text())
        text = next((MODULES / name).glob("LICENSE*")).read_text().strip()
        lines += [f"### {name} {package['version']}", "", "```", text, "```", ""]
    (ROOT / "THIRD-PARTY.md").write_text("\n".join(lines))


if __name__ == "__main__":
    main()
