"""Pictures through `dot`, through pygraphviz, and without either."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from rmqproof.model.report.diagram import behaviour_dot
from rmqproof.model.report.render import NoGraphviz, draw, picture, render
from rmqproof.model.tla.source import TlaError
from tests.report.samples import sample

_DOT = 'digraph { a -> b [label="→"] }'


@pytest.mark.parametrize(
    ("ending", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("dot", b"digraph")]
)
def test_formats(tmp_path: Path, ending: str, start: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    render(behaviour_dot(sample("failover")), tmp_path / f"picture.{ending}")
    assert (tmp_path / f"picture.{ending}").read_bytes().startswith(start)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("name", ["picture.gif", "picture"])
def test_another_format(tmp_path: Path, name: str) -> None:
    with pytest.raises(TlaError) as caught:
        render(_DOT, tmp_path / name)
    assert "End the name in one of .svg, .png" in caught.value.remedy


def test_graphviz_refuses() -> None:
    with pytest.raises(TlaError, match="syntax error"):
        picture("digraph { a -> }", "svg")


@pytest.mark.usefixtures("without_graphviz")
def test_without_graphviz_the_dot_file_is_kept(tmp_path: Path) -> None:
    with pytest.raises(NoGraphviz) as caught:
        render(_DOT, tmp_path / "picture.svg")
    assert (tmp_path / "picture.dot").read_text() == _DOT
    assert caught.value.saved == tmp_path / "picture.dot"
    assert "pip install pygraphviz" in str(caught.value)
    drawn = draw(_DOT, tmp_path / "one.svg")
    assert drawn.path == tmp_path / "one.dot" and "pip install pygraphviz" in drawn.problem


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands for dot")
@pytest.mark.parametrize(("script", "works"), [("echo '<svg/>'", True), ("echo 'no such shape' >&2; exit 1", False)])
def test_through_dot_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, works: bool) -> None:
    dot = tmp_path / "dot"
    dot.write_text(f"#!/bin/sh\ncat >/dev/null\n{script}\n")
    dot.chmod(dot.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    if works:
        assert picture(_DOT, "svg") == b"<svg/>\n"
    else:
        with pytest.raises(TlaError, match="dot failed: no such shape"):
            picture(_DOT, "svg")


def test_the_same_behaviour_gives_the_same_picture() -> None:
    first, second = (picture(behaviour_dot(sample("failover")), "svg") for _ in range(2))
    assert first == second
