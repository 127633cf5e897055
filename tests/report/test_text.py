"""Behaviours as text."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given, settings
from rich.console import Console

from rmqproof.model.report.behaviour import Behaviour, Origin
from rmqproof.model.report.text import behaviour_text, print_behaviour
from tests.report.samples import TRACES, behaviour, behaviours, sample


def test_a_whole_counterexample() -> None:
    assert behaviour_text(sample("two_phase_commit"), 80).plain == (
        """\
1. Initial state
    /\\ vote = (m1 :> "working" @@ m2 :> "working" @@ m3 :> "working")
    /\\ decision = "open"
    /\\ heard = {}
    /\\ sent = {}

2. Prepare(m1)
    vote[m1]: "working" -> "prepared"
    sent: + [kind |-> "prepared", from |-> m1]

3. Prepare(m2)
    vote[m2]: "working" -> "prepared"
    sent: + [kind |-> "prepared", from |-> m2]

4. ReceivePrepared(m1)
    heard: {} -> {m1}

5. Prepare(m3)
    vote[m3]: "working" -> "prepared"
    sent: + [kind |-> "prepared", from |-> m3]

6. ReceivePrepared(m2)
    heard: {m1} -> {m1, m2}

7. ReceivePrepared(m3)
    heard: {m1, m2} -> {m1, m2, m3}

8. DecideCommit
    decision: "open" -> "committed"
    sent: + [kind |-> "commit"]

9. LearnCommit(m2)
    vote[m2]: "prepared" -> "committed"

10. AbortAlone(m1)
    vote[m1]: "prepared" -> "aborted"

Consistent is violated in step 10.
One manager has committed what another has aborted."""
    )


def test_a_narrow_terminal_gets_before_and_after_in_lines_of_their_own() -> None:
    trace = behaviour({"log": [{"id": 1, "epoch": 1}]}, {"log": [{"id": 1, "epoch": 1}, {"id": 2, "epoch": 1}]})
    assert "log: <<[id |-> 1, epoch |-> 1]>> -> <<[id |-> 1, epoch |-> 1], [id |-> 2, epoch |-> 1]>>" in (
        behaviour_text(trace, 100).plain
    )
    assert "log[2]: + [id |-> 2, epoch |-> 1]" in behaviour_text(trace, 60).plain


def test_a_value_of_another_kind() -> None:
    text = behaviour_text(behaviour({"x": "none"}, {"x": {"a": "a" * 30, "b": "b" * 30}}), 60).plain
    assert (
        text.splitlines()[3:]
        == [
            "2. A1",
            "    x:",
            '      - "none"',
            f'      + [ a |-> "{"a" * 30}",',
            f'          b |-> "{"b" * 30}" ]',
        ]
    )  # fmt: skip


def test_the_whole_states_when_asked() -> None:
    short, full = (behaviour_text(sample("die_hard"), full=full).plain for full in (False, True))
    assert short.count("/\\ big = ") == 1
    assert full.count("/\\ big = ") == len(sample("die_hard").steps)
    assert "->" not in full


def test_a_step_that_changes_nothing() -> None:
    assert "2. A1\n    (nothing changes)" in behaviour_text(behaviour({"x": 1}, {"x": {"#bigint": "1"}})).plain


@pytest.mark.parametrize(
    ("loop", "words"),
    [(0, "Then it goes on as from step 1."), (1, "Nothing happens after step 2."), (None, "")],
)
def test_how_a_behaviour_goes_on(loop: int | None, words: str) -> None:
    text = behaviour_text(behaviour({"x": 1}, {"x": 2}, loop=loop, violated="Ends")).plain
    assert words in text
    assert ("Ends is violated in step 2." in text) == (loop is None)


def test_a_deadlock() -> None:
    text = behaviour_text(behaviour({"x": 1}, {"x": 2}, violated="deadlock")).plain
    assert text.endswith("Deadlock: in step 2 no action is enabled.")


def test_model_values_have_no_quotes() -> None:
    trace = behaviour({"x": "b1"}, {"x": "b2"}, origin=Origin(model_values=frozenset({"b1"})))
    assert 'x: b1 -> "b2"' in behaviour_text(trace).plain


@pytest.mark.parametrize("name", TRACES)
@pytest.mark.parametrize("width", [80, 120])
def test_no_line_of_the_samples_is_wider_than_the_terminal(name: str, width: int) -> None:
    assert max(map(len, behaviour_text(sample(name), width).plain.splitlines())) <= width


@pytest.mark.parametrize(("terminal", "colours"), [(True, True), (False, False)])
def test_colours_only_on_a_terminal(terminal: bool, colours: bool) -> None:
    written = io.StringIO()
    console = Console(file=written, force_terminal=terminal, width=100, color_system="standard" if terminal else None)
    print_behaviour(sample("die_hard"), console)
    assert ("\x1b[" in written.getvalue()) == colours
    assert "NotFour is violated in step 7." in written.getvalue()


@settings(max_examples=80)
@given(behaviours())
def test_every_behaviour_has_a_text(any_behaviour: Behaviour) -> None:
    for full in (False, True):
        text: Any = behaviour_text(any_behaviour, 60, full).plain
        assert text.startswith("1. Initial state")
