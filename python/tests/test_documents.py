"""The examples of the documents, the notebook, and the types."""

import doctest
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
import sabretache

HERE = Path(__file__).parent.parent


def test_the_examples_of_the_docstrings_run():
    assert doctest.testmod(sabretache).failed == 0
    openspiel = importlib.import_module("sabretache.openspiel")
    assert doctest.testmod(openspiel).failed == 0


@pytest.mark.parametrize("page", [HERE / "README.md", HERE.parent / "docs" / "python.md"], ids=lambda page: page.name)
def test_the_python_of_the_documents_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)


def test_the_notebook_runs(tmp_path, monkeypatch):
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("SABRETACHE_BATTLES", "24")
    notebook = nbformat.read(HERE / "notebooks" / "fair.ipynb", as_version=4)
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    told = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))
    assert "of 100" in told or "in 100" in told


def test_the_stubs_name_what_there_is():
    stubs = (HERE / "sabretache" / "_core.pyi").read_text()
    for owner in (sabretache.Battle, sabretache.VecBattle, sabretache.Run):
        body = re.search(rf"class {owner.__name__}:\n(.*?)(?=\nclass |\ndef |\Z)", stubs, re.S).group(1)
        stubbed = set(re.findall(r"def (\w+)\(", body)) - {"__new__", "__len__", "__getitem__", "__copy__", "__deepcopy__"}
        there = {name for name in vars(owner) if not name.startswith("_")}
        assert stubbed == there, owner
        for name in there:
            assert getattr(owner, name).__doc__, f"{owner.__name__}.{name} says nothing"
    functions = set(re.findall(r"^def (\w+)\(", stubs, re.M))
    assert functions == {name for name, what in vars(sabretache._core).items() if callable(what) and not isinstance(what, type)}


def test_the_package_passes_a_type_checker(tmp_path):
    code = tmp_path / "uses.py"
    code.write_text(
        "from fractions import Fraction\nimport sabretache\n"
        "battle: sabretache.Battle = sabretache.Battle('teaching', seed=1)\n"
        "odds: dict[str, Fraction] = battle.odds(0)\n"
        "run: sabretache.Run = sabretache.simulate('teaching', 2)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(code)], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    code.write_text("import sabretache\nbattle: int = sabretache.Battle('teaching')\n")
    wrong = subprocess.run([sys.executable, "-m", "mypy", str(code)], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert wrong.returncode == 1, "the types are not found"
