"""The adapter that docs/conformance.md shows is whole: it is held to its model as it stands there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main

EXAMPLES = Path(__file__).parent / "examples"
PAGE = Path(__file__).parents[2] / "docs" / "conformance.md"


def test_the_adapter_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = PAGE.read_text().partition("```python\n")[2].partition("```")[0]
    (tmp_path / "page_adapter.py").write_text(text)
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(EXAMPLES), *sys.path])
    words = ["conform", str(EXAMPLES / "TwoPhase.tla"), "--adapter", "page_adapter:TwoPhaseAdapter"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    shown = PAGE.read_text().partition("$ rmqproof conform TwoPhase.tla --adapter adapter:TwoPhaseAdapter\n")[2]
    lines = shown.partition("```")[0].split("\n")
    timed = [line for line in lines if "edges/s" in line]
    assert [line for line in result.output.split("\n") if "edges/s" not in line] == [x for x in lines if x not in timed]
    assert "performed: 105 of 105 edges from 56 states" in result.output and len(timed) == 1
