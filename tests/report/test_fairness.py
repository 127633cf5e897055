"""Why a behaviour that repeats for ever is fair: in the text, in the trace file, in the picture."""

from __future__ import annotations

import pytest

from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.diagram import behaviour_dot
from rmqproof.model.report.itf import itf_text, parse_itf
from rmqproof.model.report.text import behaviour_text
from rmqproof.model.tla.source import Source
from tests.report.samples import behaviour

LINES = ("WF_vars(Tick): taken at step 2", "SF_vars(Stop): never enabled on the cycle")


def lasso(loop: int) -> Behaviour:
    return behaviour({"x": 0}, {"x": 1}, {"x": 2}, loop=loop, violated="Ends", fairness=LINES)


def test_text_ends_with_a_line_for_each_condition():
    lines = behaviour_text(lasso(1)).plain.splitlines()
    assert lines[-3:] == ["Fair because of each fairness condition:", *(f"    {line}" for line in LINES)]


def test_narrow_text_breaks_lines():
    text = behaviour_text(lasso(1), width=40).plain
    assert max(map(len, text[text.index("Fair") :].splitlines())) <= 40
    assert " ".join(text.split()).endswith(LINES[1])


def test_trace_file_keeps_the_lines_and_the_loop():
    read = parse_itf(Source("trace", itf_text(lasso(1))))
    assert (read.fairness, read.loop) == (LINES, 1)


@pytest.mark.parametrize(("loop", "words", "head"), [(1, "repeats 2\u20133", 1), (2, "for ever", 2)])
def test_picture_has_the_way_back_and_the_lines(loop, words, head):
    dot = behaviour_dot(lasso(loop))
    assert f'"step 2" -> "step {head}"' in dot
    assert words in dot
    assert all(line in dot for line in LINES)


def test_picture_shows_some_of_many_lines():
    many = behaviour({"x": 0}, {"x": 1}, loop=1, fairness=tuple(f"WF_v(A{n}): taken at step 2" for n in range(100)))
    dot = behaviour_dot(many)
    assert "A28" in dot and "A29" not in dot
    assert "and 71 more fairness conditions" in dot
