"""What lines say of values that grow with the run."""

from __future__ import annotations

from pathlib import Path

from rmqproof.conformance.runs.event import Event, GrowingList, Offset, Symbol
from rmqproof.conformance.runs.folded_prefix import EMPTY, FoldedPrefix
from rmqproof.conformance.runs.mapping import RunMapping
from rmqproof.conformance.runs.model import open_run_model
from rmqproof.conformance.runs.packed import PackedEvents
from rmqproof.conformance.runs.pattern import NOTHING, Bindings, has_symbols, match
from rmqproof.model.evaluate import comparison
from rmqproof.model.evaluate.values import Function, record_domain
from rmqproof.model.tla.model_files import ModelFiles
from tests.calls import calls_of

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


def test_a_list_that_grows_may_begin_with_what_is_folded() -> None:
    prefix = EMPTY.grown(["entry"] * 5, range(5), {}, (), ["first", "second"], None)
    folded = Bindings({}, {}, {}, 0, prefix)
    said = GrowingList([None, None, Offset(7)], ("first", "second", "third"))
    assert list(match(said, (2,), folded, frozenset())) == [folded]
    assert not list(match(said, (3,), folded, frozenset())) and not list(match(said, (9, 2), folded, frozenset()))
    assert list(match(said, (1, 2, 7), NOTHING, frozenset())) == [NOTHING]
    other = GrowingList(said.items, ("first", "other", "third"))
    assert not list(match(other, (2,), folded, frozenset()))


def test_prefixes_of_one_length_differ_by_rows_and_marks() -> None:
    one, *others = (
        EMPTY.grown(["entry"], [1], {}, marked, rows, None) for marked, rows in (((), ()), ((1,), ()), ((), ("row",)))
    )
    assert one not in others and others[0].marked() == {1} and others[1].rows == ("row",)
    longer = one.grown(["next"], [2], {}, (2,), ("row",), None)
    again = one.grown(["other"], [3], {}, (3,), ("other row",), None)
    assert (longer.rows, again.rows, one.rows) == (("row",), ("other row",), ())
    assert (longer.marked(), again.marked(), one.marked()) == ({2}, {3}, set())


def test_a_list_that_grows_is_packed_once() -> None:
    said = GrowingList([Offset(1)], (1,))
    events = PackedEvents(Event("n", None, state={"file": said}, sequence=number) for number in range(200))
    assert all(event.state["file"] is said for event in events)


def test_what_depends_on_names() -> None:
    assert has_symbols([{"#has": [Symbol("a")]}]) and not has_symbols([{"epoch": 1, "start": Offset(0)}, None])


def test_a_list_that_a_line_repeats_is_looked_at_once() -> None:
    model = open_run_model(ModelFiles(SPEC, SPEC.with_suffix(".cfg")), RunMapping())
    model._fields["files"] = 0  # a field of the state as the whole of its first variable
    said = [{"start": Offset(3)}, {"start": Offset(7)}]
    event = Event(node="n", action=None, state={"files": said})
    starts = record_domain(("start",))

    def matches(first: int, second: int, base: int = 0) -> bool:
        state = ((Function((starts, first)), Function((starts, second))), 0)
        bindings = NOTHING if not base else Bindings({}, {}, {}, 0, FoldedPrefix(base))
        return list(model.state_matches(event, state, bindings)) == [bindings]

    with calls_of(match) as looked:
        assert matches(3, 7)
        count = len(looked)
        assert count and matches(3, 7) and len(looked) == count
    assert not matches(3, 8) and not matches(3, 7, base=1) and matches(2, 6, base=1)
    named = Event(node="n", action=None, state={"files": [Symbol("a"), Symbol("b")]})
    found = next(iter(model.state_matches(named, ((1, 2), 0), NOTHING)))
    assert not list(model.state_matches(named, ((2, 1), 0), found))


def test_records_of_numbers_are_compared_without_an_order_of_their_fields() -> None:
    domain = record_domain(("epoch", "start"))
    with calls_of(comparison._values) as ordered:
        assert not comparison.equal(Function((domain, 1, 0)), Function((domain, 2, 0)))
    assert not ordered
