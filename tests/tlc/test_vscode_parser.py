"""The parser of the extension for VS Code understands of our output what it understands of TLC's.

`make vscode-parser EXTENSION=clone-of-tlaplus/vscode-tlaplus` runs this; the sources of the extension are not ours and
not here. Node.js and npm are needed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tools.tlc.__main__ import ROOT, Run, runs
from tools.tlc.normal import FILE, canonical

OTHER_WORDS = {"no-such-option", "no-such-trace-format", "unknown-name", "unparsed", "ways-asserts", "ways-wrong"}
OTHER_WORDS |= {"elevated", "elevated-symmetry", "elevated-twice", "asserts-explored", "simulated-to-no-file"}
OTHER_WORDS |= {f"operators-{name}" for name in ("less", "head", "length", "divided", "elements", "outside", "sum")}
OTHER_WORDS |= {f"operators-{name}" for name in ("invariant", "later", "always")}
"""Of what is wrong in a specification or on a command line, and in warnings, we speak with words of our own."""
Understood = dict[str, Any]


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension's parser as one program."""
    extension = os.environ.get("VSCODE_TLAPLUS", "")
    if not Path(extension, "src", "parsers", "tlc.ts").is_file():
        pytest.skip("the extension's sources are not here: `make vscode-parser EXTENSION=clone`")
    modules = ROOT / "out" / "npm" / "node_modules"
    if shutil.which("node") is None or not (modules / "esbuild").is_dir():
        pytest.skip("esbuild is not here: `make vscode-parser` fetches it")
    program = tmp_path_factory.mktemp("parser") / "parse.js"
    own = Path(__file__).parent / "vscode"
    moment = modules / "moment" / "moment.js"
    aliases = {"extension": extension, "vscode": own / "vscode.js", "moment/moment": moment, "moment": moment}
    command = [str(modules / ".bin" / "esbuild"), str(own / "parse.ts"), "--bundle", "--platform=node"]
    command += [f"--outfile={program}", "--log-level=error", *(f"--alias:{name}={to}" for name, to in aliases.items())]
    subprocess.run(command, check=True, timeout=300)
    return program


@pytest.fixture(scope="module")
def understood(parser: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Understood, Understood]]:
    """Of each run what is understood of TLC's output, and of ours."""
    folder = tmp_path_factory.mktemp("outputs")
    files = []
    for one in runs():
        for whose, (text, _) in (("theirs", one.of_tlc()), ("ours", one.of_ours())):
            files.append(folder / f"{one.name}.{whose}")
            files[-1].write_text(text.partition(f"\n{FILE} ")[0] + "\n", encoding="utf-8")
    command = ["node", str(parser), *map(str, files)]
    said = subprocess.run(command, check=True, timeout=300, capture_output=True, text=True).stdout
    found = {Path(each["file"]).name: each for each in map(json.loads, said.splitlines())}
    return {one.name: (found[f"{one.name}.theirs"], found[f"{one.name}.ours"]) for one in runs()}


def summary(found: Understood) -> Understood:
    """What a user is shown, but for times and the order of variables."""
    result = found["result"]
    return {
        "state and status": (result["state"], result["status"]),
        "numbers": [tuple(each[name] for name in _NUMBERS) for each in result["initialStatesStat"]][-1:],
        "coverage": sorted(tuple(each[name] for name in _COVERED) for each in result["coverageStat"]),
        "warnings": len(result["warnings"]),
        "errors": [(_words(error), [_state(state) for state in error["errorTrace"]]) for error in result["errors"]],
        "output": [(line["text"], line["count"]) for line in result["outputLines"]],
        "times": [result.get(name) is None for name in ("startDateTimeStr", "endDateTimeStr", "duration")],
    }


_COVERED = ("module", "action", "total", "distinct")
_NUMBERS = ("diameter", "total", "distinct", "queueSize")


def _words(error: Understood) -> list[str]:
    lines = ["".join(span["text"] for span in line["spans"]) for line in error["lines"]]
    return lines[:1] + sorted(_value(line) for line in lines[1:])


def _value(line: str) -> str:
    name, is_value, value = line.partition(" = ")
    return f"{name} = {canonical(value)}" if is_value else line


def _state(state: Understood) -> tuple[Any, ...]:
    return state["num"], state["title"], state["module"], state["action"], state["range"], _tree(state["variables"])


def _tree(value: Understood) -> tuple[Any, ...]:
    """A value with how it changed, whatever the order of its parts."""
    if "items" in value:
        return value["key"], value["changeType"], *sorted((_tree(item) for item in value["items"]), key=repr)
    return value["key"], value["changeType"], value["str"]


@pytest.mark.parametrize("one", list(runs()), ids=lambda one: one.name)
def test_the_same_is_understood(one: Run, understood: dict[str, tuple[Understood, Understood]]) -> None:
    theirs, ours = map(summary, understood[one.name])
    if one.name in OTHER_WORDS:
        theirs["errors"], ours["errors"] = ([len(error[1]) for error in each["errors"]][-1:] for each in (theirs, ours))
    assert ours == theirs


def test_a_mistake_in_a_module_is_shown_at_its_place(understood: dict[str, tuple[Understood, Understood]]) -> None:
    for name in ("unparsed", "unknown-name"):
        theirs, ours = (each["said"] for each in understood[name])
        assert theirs
        assert [Path(each["filePath"]).name for each in ours] == [Path(theirs[0]["filePath"]).name]
        assert ours[0]["diagnostic"]["range"]["start"]["line"] in (3, 4)
