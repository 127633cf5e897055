"""The examples of docs/library.md and docs/explore.md print what stands below them, in the folder of the tutorial."""

from __future__ import annotations

import doctest
import shutil
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(DOCS / "tutorial", tmp_path / "tutorial")
    shutil.copytree(DOCS / "how-to" / "files", tmp_path / "how-to" / "files")
    monkeypatch.chdir(tmp_path / "tutorial")
    assert failures(DOCS / "library.md") == ""


def test_the_page_on_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DOCS / "tutorial")
    assert failures(DOCS / "explore.md") == ""


def test_a_wrong_output_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```pycon\n>>> 1 + 1\n3\n\n```\n")
    assert "Expected:" in failures(page)


def failures(page: Path) -> str:
    """What the examples print otherwise than the page says."""
    text = page.read_text(encoding="utf-8")
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    runner.run(doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0), out=said.append)
    return "".join(said)
