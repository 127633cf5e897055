"""The commands `graph` and `trace`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rmqproof.model.cli import main
from tests.report.samples import DATA


def _run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.mark.parametrize("ending", ["svg", "png", "dot", "html"])
def test_a_trace_is_drawn(tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"trace.{ending}"
    result = _run("graph", DATA / "failover.itf.json", "-o", out)
    assert (result.exit_code, result.output) == (0, f"{out}: 20 steps\n")
    assert out.stat().st_size > 5000


def test_the_picture_is_named_after_the_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert _run("graph", DATA / "die_hard.itf.json").exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["die_hard.svg"]


def test_a_bad_trace(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"states": [')
    for result in (_run("graph", tmp_path / "bad.json"), _run("trace", "show", tmp_path / "bad.json")):
        assert result.exit_code == 153
        assert "bad.json:1:13: this is no JSON" in result.output
        assert "Traceback" not in result.output


_TOY = """---- MODULE Toy ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 4
NotThree == x # 3
====
---- CONFIG Toy ----
INIT Init
NEXT Next
INVARIANT NotThree
====
"""


def test_a_bad_name_for_the_picture(tmp_path: Path) -> None:
    result = _run("graph", DATA / "die_hard.itf.json", "-o", tmp_path / "x.bmp")
    assert result.exit_code == 2 and "end the name in one of .svg, .png, .pdf, .dot, .html" in result.output
    (tmp_path / "Toy.tla").write_text(_TOY)
    result = _run("graph", tmp_path / "Toy.tla", "-o", tmp_path / "x.html")
    assert result.exit_code == 2 and "end the name in one of .svg, .png, .pdf, .dot." in result.output


def test_all_states_are_drawn(tmp_path: Path) -> None:
    spec = tmp_path / "Toy.tla"
    spec.write_text(_TOY)
    out = tmp_path / "states.dot"
    result = _run("graph", spec, "-o", out)
    assert (result.exit_code, result.output) == (0, f"{out}: 4 states, 4 steps\n")
    assert "x = 3" in out.read_text()
    assert "NotThree is violated" in out.read_text()


def test_too_many_states(tmp_path: Path) -> None:
    (tmp_path / "Toy.tla").write_text(_TOY)
    result = _run("graph", tmp_path / "Toy.tla", "--limit", "3", "-o", tmp_path / "states.svg")
    assert result.exit_code == 153
    assert "more than 3 states" in result.output
    assert not (tmp_path / "states.svg").exists()


def test_show() -> None:
    result = _run("trace", "show", DATA / "die_hard.itf.json")
    assert result.exit_code == 0
    assert result.output.startswith(
        "1. Initial state\n    /\\ small = 0\n    /\\ big = 0\n\n2. FillBig\n    big: 0 -> 5\n"
    )
    assert result.output.endswith("NotFour is violated in step 7.\nThe big jug holds four gallons.\n")
    assert _run("trace", "show", "--full", DATA / "die_hard.itf.json").output.count("/\\ big") == 7


def test_diff() -> None:
    same = _run("trace", "diff", DATA / "die_hard.itf.json", DATA / "die_hard.itf.json")
    assert (same.exit_code, same.output) == (0, "The traces are the same: 7 steps.\n")
    other = _run("trace", "diff", DATA / "die_hard.itf.json", DATA / "election.itf.json")
    assert other.exit_code == 1
    assert "different variables" in other.output
