"""Random typed expressions: what Z3 makes of them against the Python engine, value by value."""

from __future__ import annotations

from typing import Any

import z3
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.prove.countermodel import Reader
from rmqproof.model.prove.fresh import FiniteSet, Maker
from rmqproof.model.prove.logic import term
from rmqproof.model.prove.merge import equal
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.scope import Bounds
from rmqproof.model.prove.sets import Functions
from rmqproof.model.prove.translate import Translator
from rmqproof.model.prove.values import AtomValue, RecordValue, distinct
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError
from rmqproof.model.types.domain import BOOL, Atom, Int, Record, Seq, Set
from tests.evaluate.test_random_expressions import DECLARED, start
from tests.evaluate.test_random_expressions import Maker as Expressions
from tests.evaluate.trees import model

KINDS = ("int", "bool", "set", "seq", "sets", "fun")
# x, s, q, r, f of the generator; r and f are records
TYPES = [Int(), Set(Int()), Seq(Int()), Record.of({"a": Int(), "b": BOOL}), Record.of({"u": Int(), "v": Int()})]
BOUNDS = Bounds(length=4, size=3, low=-4, high=8)
small = st.integers(-2, 4)
EXAMPLES = settings(max_examples=120, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])


def has_choose(node: Any) -> bool:
    """CHOOSE may be any element for Z3; the Python engine takes one of them."""
    from rmqproof.model.tla.walk import children

    if isinstance(node, core.Choose):
        return True
    parts = list(children(node))
    if isinstance(node, core.Let):
        parts += [definition.body for definition in node.definitions]
    return any(has_choose(part) for part in parts)


def check(node: core.Expression, initial: core.Expression, bounds: Bounds | None) -> None:
    """With the variables unknown but for equations that give them their values, the value is the Python engine's."""
    system = system_of(model(DECLARED, initial))
    (state,) = system.initial_states()
    try:
        expected = system.evaluate_state(node, state)
    except (TlaError, RecursionError):
        assume(False)
        return
    maker = Maker(bounds)
    translator = Translator(bounds=bounds, axioms=maker.constraints)
    values = [maker.make(type_, variable.name) for variable, type_ in zip(DECLARED, TYPES, strict=True)]
    try:
        found = translator.value(node, now=values)
        given_ = translator.truth(initial, now=values)
    except Untranslatable:
        assume(False)
        return
    solver = z3.SimpleSolver()
    solver.set("timeout", 20_000)
    solver.add(*(term(part) for part in (given_, *maker.constraints, *translator.scope.conditions)))
    if translator.atoms:
        solver.add(distinct(translator.atoms))
    answer = solver.check()
    if bounds is not None:
        assume(answer == z3.sat)  # otherwise a number is outside of the bounds
        got = Reader(solver.model(), frozenset(translator.atoms)).value(found)
        assert got == expected
        return
    # without bounds: no other value is possible
    constant = Translator(axioms=maker.constraints)
    try:
        wanted = constant.value(literal_of(expected))
        differs = equal(found, wanted)
    except Untranslatable:
        assume(False)
        return
    solver.add(z3.Not(term(differs)))
    assert solver.check() != z3.sat


def literal_of(value: Any) -> core.Expression:
    """The expression of a value."""
    from rmqproof.model.evaluate.values import Boolean, Function
    from tests.evaluate.trees import AT

    if isinstance(value, Boolean):
        return core.Literal(AT, value.truth)
    if isinstance(value, int | str):
        return core.Literal(AT, value)
    if isinstance(value, frozenset):
        return core.SetEnumeration(AT, tuple(literal_of(item) for item in value))
    if isinstance(value, Function):
        return core.Record(AT, tuple((key, literal_of(item)) for key, item in value.items()))
    return core.TupleExpression(AT, tuple(literal_of(item) for item in value))


@EXAMPLES
@given(data=st.data())
def test_values_within_bounds(data: Any) -> None:
    node, initial = drawn(data.draw)
    check(node, initial, BOUNDS)


@EXAMPLES
@given(data=st.data())
def test_no_other_value_without_bounds(data: Any) -> None:
    node, initial = drawn(data.draw)
    check(node, initial, None)


def drawn(draw: Any) -> tuple[core.Expression, core.Expression]:
    node = Expressions(draw).make(draw(st.sampled_from(KINDS)), draw(st.integers(1, 3)), {})
    assume(not has_choose(node))
    initial = start(
        draw(small),
        draw(st.lists(small, max_size=3)),
        draw(st.lists(small, max_size=3)),
        draw(small),
        draw(st.booleans()),
        [draw(small), draw(small)],
    )
    return node, initial


def test_a_record_is_a_function_of_its_names() -> None:
    """Found at random: the answer was no for `r \\in [{"u", "v"} -> 0..4]`."""
    names, numbers = (FiniteSet(tuple((True, each) for each in items)) for items in (map(string, "uv"), range(5)))
    assert Functions(names, numbers).contains(RecordValue({"u": 0, "v": 4})) is True
    assert Functions(names, numbers).contains(RecordValue({"u": 0, "v": 5})) is False
    assert Functions(names, numbers).contains(RecordValue({"u": 0})) is False


def string(text: str) -> AtomValue:
    return AtomValue.of(Atom(text))
