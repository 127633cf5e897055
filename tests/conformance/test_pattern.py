"""What lines say of values that grow with the run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rmqproof.conformance.runs import model as run_model
from rmqproof.conformance.runs.event import Event, Offset, Symbol
from rmqproof.conformance.runs.folded_prefix import FoldedPrefix
from rmqproof.conformance.runs.mapping import RunMapping
from rmqproof.conformance.runs.model import open_run_model
from rmqproof.conformance.runs.pattern import NOTHING, Bindings, has_symbols, match
from rmqproof.model.evaluate import comparison
from rmqproof.model.evaluate.values import Function, record_domain
from rmqproof.model.tla.model_files import ModelFiles

LONG = 20_000
SPEC = Path(__file__).parent / "examples" / "TwoPhase.tla"


def test_a_list_may_be_longer_than_the_stack_is_deep() -> None:
    said = [Offset(number) for number in range(LONG)]
    assert list(match(said, tuple(range(LONG)), NOTHING, frozenset())) == [NOTHING]
    assert not list(match(said, (*range(LONG - 1), 0), NOTHING, frozenset()))


def test_a_list_of_sets_matches_in_every_way() -> None:
    said = [1, {"#set": [Symbol("a"), Symbol("b")]}, Symbol("a")]
    ways = list(match(said, (1, frozenset((5, 6)), 6), NOTHING, frozenset()))
    assert [way.known("a") for way in ways] == [6]


def test_what_depends_on_names() -> None:
    assert has_symbols([{"#has": [Symbol("a")]}]) and not has_symbols([{"epoch": 1, "start": Offset(0)}, None])


def test_a_list_that_a_line_repeats_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Any] = []

    def counted(pattern: Any, *others: Any) -> Iterator[Bindings]:
        looked.append(pattern)
        return match(pattern, *others)

    monkeypatch.setattr(run_model, "match", counted)
    model = open_run_model(ModelFiles(SPEC, SPEC.with_suffix(".cfg")), RunMapping())
    model._fields["files"] = 0  # a field of the state as the whole of its first variable
    said = [{"start": Offset(3)}, {"start": Offset(7)}]
    event = Event(node="n", action=None, state={"files": said})
    starts = record_domain(("start",))

    def matches(first: int, second: int, base: int = 0) -> bool:
        state = ((Function((starts, first)), Function((starts, second))), 0)
        bindings = NOTHING if not base else Bindings({}, {}, {}, 0, FoldedPrefix(base))
        return list(model.state_matches(event, state, bindings)) == [bindings]

    assert matches(3, 7) and len(looked) == 1
    assert matches(3, 7) and len(looked) == 1
    assert not matches(3, 8) and not matches(3, 7, base=1) and matches(2, 6, base=1)
    named = Event(node="n", action=None, state={"files": [Symbol("a"), Symbol("b")]})
    found = next(iter(model.state_matches(named, ((1, 2), 0), NOTHING)))
    assert not list(model.state_matches(named, ((2, 1), 0), found))


def test_records_of_numbers_are_compared_without_an_order_of_their_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "_values", None)
    domain = record_domain(("epoch", "start"))
    assert not comparison.equal(Function((domain, 1, 0)), Function((domain, 2, 0)))
