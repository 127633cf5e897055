"""What Z3 found, as values of TLA+, put to the Python engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import z3

from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.literals import literal
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.values import FALSE, TRUE, function, model_value
from rmqproof.model.prove.logic import term
from rmqproof.model.prove.merge import is_number, is_truth
from rmqproof.model.prove.obligation import Obligation
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.second_solver import Opinions
from rmqproof.model.prove.theorems import Lemma
from rmqproof.model.prove.values import (
    AtomValue,
    FunctionValue,
    RecordValue,
    SequenceValue,
    SetValue,
    UnionValue,
    Value,
)
from rmqproof.model.report.behaviour import Behaviour, Origin, Step
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError
from rmqproof.model.types.domain import Atom


@dataclass(frozen=True, eq=False, slots=True)
class Countermodel:
    """Values that satisfy hypotheses and falsify the goal. `confirmed`: the Python engine says so."""

    bindings: Mapping[str, Any]
    constants: Mapping[str, Any] = field(default_factory=dict)
    now: tuple[Any, ...] | None = None
    then: tuple[Any, ...] | None = None
    action: str = ""
    arguments: tuple[Any, ...] = ()
    confirmed: bool = False
    doubt: str = ""
    second: Opinions = field(default_factory=Opinions)
    """Whether a second solver has values for it, too."""


class Reader:
    """Reads values in a model that Z3 found; never looks at the form of its terms."""

    def __init__(self, model: z3.ModelRef, atoms: frozenset[Atom]) -> None:
        self.model = model
        self._atoms = {self._text(AtomValue.of(atom).term): atom for atom in atoms}

    def _eval(self, value: Any) -> Any:
        return self.model.eval(term(value), model_completion=True)

    def _text(self, value: Any) -> str:
        return str(self._eval(value))

    def number(self, value: Value) -> int:
        return int(self._eval(value).as_long())

    def truth(self, value: Value) -> bool:
        return bool(z3.is_true(self._eval(value)))

    def value(self, value: Value) -> Any:
        """The Python engine's value. Raise `Untranslatable` for one that has no end."""
        if is_truth(value):
            return TRUE if self.truth(value) else FALSE
        if is_number(value):
            return self.number(value)
        if isinstance(value, AtomValue):
            atom = value.known if value.known is not None else self._atoms.get(self._text(value.term))
            if atom is None:
                return model_value("another")
            return model_value(atom.name) if atom.is_model else atom.name
        if isinstance(value, RecordValue):
            return function({name: self.value(item) for name, item in value.fields.items()})
        if isinstance(value, SequenceValue):
            return tuple(self.value(value.at(index)) for index in range(1, self.number(value.length) + 1))
        if isinstance(value, FunctionValue):
            present = [entry for entry in value.entries if self.truth(entry.present)]
            return function({self.value(entry.key): self.value(entry.value) for entry in present})
        if isinstance(value, UnionValue):
            return next(self.value(each) for guard, each in value.alternatives if self.truth(guard))
        if isinstance(value, SetValue):
            elements = value.elements()
            if elements is not None:
                return frozenset(self.value(item) for guard, item in elements if self.truth(guard))
        raise Untranslatable("a set without end in a countermodel")


def read_countermodel(obligation: Obligation, model: z3.ModelRef) -> Countermodel:
    """The values of a model within bounds."""
    reader = Reader(model, frozenset(obligation.translator.atoms | obligation.atoms))
    step = obligation.step
    return Countermodel(
        {name: reader.value(value) for name, value in obligation.bindings.items()},
        {constant.name: reader.value(value) for constant, value in obligation.free.items()},
        None if obligation.now is None else tuple(reader.value(value) for value in obligation.now),
        None if obligation.then is None else tuple(reader.value(value) for value in obligation.then),
        "" if step is None else step.action,
        () if step is None else tuple(reader.value(a) for a in step.arguments if not callable(a)),
    )


def confirm(model: core.Model, lemma: Lemma, found: Countermodel, goal: bool = True) -> Countermodel:
    """Ask the Python engine: do the hypotheses hold and, with `goal`, does the goal fail?"""
    constants = [c for c in model.specification.constants if c.name in found.constants]
    before = [constant.value for constant in constants]
    try:
        for constant in constants:
            constant.value = literal(found.constants[constant.name], constant.at)
        for name, formula, expected in _questions(model, lemma, goal):
            try:
                answer = _ask(model, lemma, found, formula)
            except TlaError as error:
                return replace(found, doubt=f"the Python engine cannot evaluate {name}: {error.message}")
            if answer is not expected:
                return replace(found, doubt=f"the Python engine finds {name} {'false' if expected else 'true'}")
    finally:
        for constant, value in zip(constants, before, strict=True):
            constant.value = value
    return replace(found, confirmed=True)


def _questions(model: core.Model, lemma: Lemma, goal: bool) -> list[tuple[str, core.Expression, bool]]:
    questions = [(a.name or "an assumption", a.body, True) for a in model.specification.assumptions]
    for binding, domain in lemma.fresh:
        member = core.Builtin(domain.at, "\\in", (core.Reference(domain.at, binding), domain))
        questions.append((f"{binding.name} \\in its set", member, True))
    questions += [(hypothesis.name, hypothesis.formula, True) for hypothesis in lemma.hypotheses]
    return [*questions, *([("the goal", lemma.goal, False)] if goal else [])]


def _ask(model: core.Model, lemma: Lemma, found: Countermodel, formula: core.Expression) -> bool:
    plain = replace(
        model, initial=None, next=None, invariants=(), properties=(), constraints=(), action_constraints=(),
        symmetry=None, view=None, postconditions=(),
    )  # fmt: skip
    system = PythonSystem(plain)
    bindings = tuple(binding for binding, _ in lemma.fresh)
    given = [system.fixed(b.name, b.at, found.bindings[b.name]) for b in bindings]
    node: core.Expression = formula
    if bindings:
        whole = core.Definition(lemma.name, model.specification.name, lemma.at, bindings, formula)
        node = core.Call(lemma.at, whole, tuple(core.ConstantReference(lemma.at, c) for c in given))
    states = [(*state, 0) for state in (found.now, found.then) if state is not None]
    step = None if not states else len(states) == 2
    run = system.careful().test(node, step, "condition")
    try:
        return bool(run(*states))
    except TlaError:
        raise
    except Exception as error:
        raise TlaError(str(error) or type(error).__name__, formula.at, kind="evaluation") from error


def behaviour_of(model: core.Model, lemma: Lemma, found: Countermodel, command: str = "") -> Behaviour:
    """The countermodel as a behaviour of one state or two; the lemma's own symbols are among the variables."""
    given = {name: to_itf(value) for name, value in (*found.constants.items(), *found.bindings.items())}
    names = [variable.name for variable in model.specification.variables]
    states = [state for state in (found.now, found.then) if state is not None] or [()]
    steps = []
    for index, state in enumerate(states):
        shown = (
            given | {name: to_itf(value) for name, value in zip(names, state, strict=bool(state))} if state else given
        )
        action = found.action if index else None
        arguments = tuple(to_itf(argument) for argument in found.arguments) if index else ()
        steps.append(Step(index, action, arguments, shown))
    values = frozenset(str(atom) for atom in model.model_values)
    return Behaviour(
        tuple(steps[0].state), tuple(steps), None, lemma.name, lemma.sentence,
        Origin(command=command, model_values=values), initial=False,
    )  # fmt: skip
