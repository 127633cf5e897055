"""How long is left: said where the end is known, from what was done, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.checking.options import Options
from rmqproof.model.cli.progress_line import progress_text
from rmqproof.model.cli.time_left import TimeLeft, in_words, time_left
from rmqproof.model.search.control import Progress
from rmqproof.model.tla.model_files import ModelFiles


def at(seconds: float, distinct: int, queue: int = 10) -> Progress:
    return Progress(2 * distinct, distinct, queue, 5, seconds, 100.0)


def model(folder: Path, *lines: str) -> ModelFiles:
    (folder / "M.tla").write_text("---- MODULE M ----\n====\n")
    (folder / "M.cfg").write_text("\n".join(lines) + "\n")
    return ModelFiles(folder / "M.tla", folder / "M.cfg")


def test_at_the_speed_since_the_first_report(tmp_path: Path) -> None:
    """A resumed search has found 500 states already, in no time."""
    left = time_left(model(tmp_path, "\\* EXPECT success distinct 1_000 total 5,000"), Options())
    assert left.after(at(1, 500)) is None
    assert left.after(at(3, 600)) == 8
    assert left.after(at(11, 1000)) == 0
    assert left.after(at(12, 1001)) is None  # more than there should be
    text = progress_text(at(5, 700), "M", left).plain
    assert text.endswith("5 s, about 6 s left")


@pytest.mark.parametrize(
    "line", ["\\* nothing", "\\* EXPECT success", "\\* EXPECT safety failure Inv distinct 9", "\\* EXPECT ?"]
)
def test_nothing_is_said_of_a_graph_that_is_not_known(line: str, tmp_path: Path) -> None:
    left = time_left(model(tmp_path, line), Options())
    assert [left.after(at(second, 100 * second)) for second in (1, 2, 3)] == [None, None, None]
    assert "left" not in progress_text(at(4, 400), "M", left).plain.rpartition(",")[2]


def test_limits_and_random_behaviours(tmp_path: Path) -> None:
    expected = model(tmp_path, "\\* EXPECT success distinct 1000")
    assert time_left(expected, Options(max_states=300)) == TimeLeft(300)
    assert TimeLeft(300, seconds=10).after(at(4, 100)) == 6
    both = TimeLeft(1000, seconds=10)
    assert [both.after(at(1, 100)), both.after(at(2, 200))] == [9, 8]
    drawn = time_left(expected, Options(simulate=100))
    assert [drawn.after(at(1, 50, queue=90)), drawn.after(at(2, 90, queue=80))] == [None, 8]


def test_words() -> None:
    assert [in_words(each) for each in (0.2, 40, 700, 12_000)] == [
        "about 1 s",
        "about 40 s",
        "about 12 min",
        "about 3 h 20 min",
    ]
