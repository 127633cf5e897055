"""Values and paths that a command must not stumble over: control characters, huge numbers, places without room."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main
from rmqproof.model.cli.writable import obstacle
from rmqproof.model.tla.library import bundled

SPEC = '---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = "a{}b"\nNext == x\' = x\nInv == x = "c"\n====\n'
CONFIG = "INIT Init\nNEXT Next\nINVARIANT Inv\n"


def written(folder: Path, text: bytes) -> Path:
    (folder / "M.tla").write_bytes(text)
    (folder / "M.cfg").write_text(CONFIG)
    return folder / "M.tla"


@pytest.mark.parametrize("escape", ["\x1b[31m", "\x1b]0;title", "\x9b2J"])
def test_escapes_do_not_reach_the_terminal(tmp_path: Path, escape: str) -> None:
    spec = written(tmp_path, SPEC.format(escape).encode())
    checked = CliRunner().invoke(main, ["check", str(spec), "--out", str(tmp_path / "out")])
    shown = CliRunner().invoke(main, ["trace", "show", str(tmp_path / "out" / "M.itf.json")])
    for result in (checked, shown):
        assert escape[0] not in result.output, result.output
        assert f"\\u{ord(escape[0]):04x}" in result.output
    assert checked.exit_code == 12
    for file in (tmp_path / "out").iterdir():
        assert escape[0] not in file.read_bytes().decode("utf-8", "replace") or file.suffix in (".tla", ".json")


def test_comments_in_latin_1(tmp_path: Path) -> None:
    text = SPEC.format("").replace("EXTENDS Naturals", "EXTENDS Naturals \\* caf\xe9").encode("iso-8859-1")
    assert CliRunner().invoke(main, ["check", str(written(tmp_path, text))]).exit_code == 12


def test_integers_of_many_digits(tmp_path: Path) -> None:
    digits = "9" * 5000
    trace = {"vars": ["x"], "states": [{"x": {"#bigint": digits}}, {"x": 1}]}
    path = tmp_path / "big.itf.json"
    for text in (json.dumps(trace), json.dumps(trace).replace(f'{{"#bigint": "{digits}"}}', digits)):
        path.write_text(text)
        result = CliRunner().invoke(main, ["trace", "show", str(path)])
        assert result.exit_code == 0, result.output[-300:]


WRITING = {
    "check": ("--json", "--out", "--checkpoint", "--store"),
    "prove": ("--json", "--out"),
    "conform": ("--json", "--out", "--store"),
    "validate": ("--json", "--out"),
    "graph": ("--out",),
    "chaos": ("--json", "--keep"),
}


@pytest.mark.parametrize(("command", "option"), [(name, option) for name in WRITING for option in WRITING[name]])
def test_a_place_that_cannot_be_written_is_found_before_the_search(tmp_path: Path, command: str, option: str) -> None:
    spec = written(tmp_path, SPEC.format("").encode())
    (tmp_path / "file").write_text("")
    given = [] if command == "chaos" else [str(spec)]
    for to in (
        tmp_path / "file" / "below",
        Path("/proc/nowhere/below"),
    ):  # a file above; a folder in which none is made
        result = CliRunner().invoke(main, [command, *given, option, str(to)])
        assert result.exit_code == 2, result.output
        assert option in result.output and "Nothing was begun" in result.output
        assert "violated" not in result.output


def test_a_place_that_can_be_written_stays_as_it_is(tmp_path: Path) -> None:
    """It is tried, and what was made for that is taken away."""
    (tmp_path / "kept.json").write_text("kept")
    for place, folder in (
        (tmp_path / "a" / "b", True),
        (tmp_path / "new.json", False),
        (tmp_path / "kept.json", False),
    ):
        assert obstacle(place, folder) is None
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]
    assert (tmp_path / "kept.json").read_text() == "kept"


def test_a_graph_marks_deadlocks(tmp_path: Path) -> None:
    spec = written(tmp_path, SPEC.format("").replace("x' = x\n", 'x = "ab" /\\ x\' = "c"\n').encode())
    drawn = CliRunner().invoke(main, ["graph", str(spec), "-o", str(tmp_path / "states.dot")])
    assert drawn.exit_code == 0 and "1 deadlock" in drawn.output
    assert (tmp_path / "states.dot").read_text().count(">deadlock<") == 1
    (tmp_path / "M.cfg").write_text(CONFIG + "CHECK_DEADLOCK FALSE\n")
    drawn = CliRunner().invoke(main, ["graph", str(spec), "-o", str(tmp_path / "states.dot")])
    assert drawn.exit_code == 0 and "steps\n" in drawn.output


def test_without_graphviz_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    spec = written(tmp_path, SPEC.format("").encode())
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    words = ["check", str(spec), "--engine", "python", "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(main, words)
    assert "Install Graphviz" in result.output and "M.dot" in result.output


@pytest.mark.parametrize("name", ["Cluster", "ControllerMode"])
def test_modules_that_come_with_rmqproof_are_not_found_by_accident(name: str, tmp_path: Path) -> None:
    toy = tmp_path / "Toy.tla"
    toy.write_text(f"---- MODULE Toy ----\nEXTENDS {name}\n====\n")
    result = CliRunner().invoke(main, ["types", str(toy)])
    assert result.exit_code == 150 and f"there is no module {name}" in result.output
    assert "--library rmqproof:" in result.output
    asked = CliRunner().invoke(main, ["types", str(toy), "--library", "rmqproof:"])
    assert asked.exit_code == 0, asked.output


def test_a_configuration_can_name_folders_of_modules(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "Part.tla").write_text("---- MODULE Part ----\nEXTENDS Naturals\nOne == 1\n====\n")
    text = "---- MODULE M ----\nEXTENDS Part\nVARIABLE x\nInit == x = One\nNext == UNCHANGED x\n====\n"
    (tmp_path / "M.tla").write_text(text)
    (tmp_path / "M.cfg").write_text("\\* LIBRARY parts\nINIT Init\nNEXT Next\n")
    for words in (["check", str(tmp_path / "M.cfg")], ["check", str(tmp_path / "M.tla")]):
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, result.output
    (tmp_path / "M.cfg").write_text("INIT Init\nNEXT Next\n")
    without = CliRunner().invoke(main, ["check", str(tmp_path / "M.tla")])
    assert without.exit_code == 150 and "there is no module Part" in without.output
    words = ["check", str(tmp_path / "M.tla"), "--library", str(tmp_path / "parts")]
    assert CliRunner().invoke(main, words).exit_code == 0
    missing = CliRunner().invoke(main, [*words[:-1], str(tmp_path / "none")])
    assert missing.exit_code == 2 and "no such folder" in missing.output


def test_a_configuration_can_name_a_bundled_specification(tmp_path: Path) -> None:
    lines = [line for line in bundled("TwoBrokers.cfg").read_text().splitlines() if "SPEC " not in line]
    (tmp_path / "Mine.cfg").write_text("\\* SPEC rmqproof:ControllerMode.tla\n" + "\n".join(lines) + "\n")
    result = CliRunner().invoke(main, ["check", str(tmp_path / "Mine.cfg"), "--max-states", "50", "--engine", "python"])
    assert result.exit_code == 152, result.output
