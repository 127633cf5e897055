"""Temporal formulas of a model as formulas over compiled predicates, for the search that checks liveness.

Definitions are opened, quantifiers over constant sets are written out, each maximal part without a temporal operator
becomes one predicate. Fairness is what *Specifying Systems* 8.4 defines:

    WF_v(A) == []<>(~ENABLED <<A>>_v \\/ <<A>>_v)
    SF_v(A) == <>[]~ENABLED <<A>>_v \\/ []<><<A>>_v
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice, product

from rmqproof.model.evaluate.comparison import comparable_set
from rmqproof.model.evaluate.equality import comparable
from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import LazySet
from rmqproof.model.evaluate.locate import located
from rmqproof.model.evaluate.program import State
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.support import unpack
from rmqproof.model.evaluate.system import PythonSystem, sentence
from rmqproof.model.evaluate.value_order import ordered
from rmqproof.model.evaluate.values import Value
from rmqproof.model.search.liveness.check import TemporalProperty
from rmqproof.model.search.liveness.fairness import FairnessCondition
from rmqproof.model.search.liveness.formula import (
    Atom,
    Formula,
    Predicate,
    Truth,
    always,
    conjunction,
    disjunction,
    eventually,
    negation,
    predicates_of,
)
from rmqproof.model.tla import core
from rmqproof.model.tla.asking import asks
from rmqproof.model.tla.expression_level import expression_level
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tla.split import opened
from rmqproof.model.tla.substitute import substitute

_MOST = 100_000
"""Values of a quantifier over constants, at most."""

Wrap = Callable[[core.Expression], core.Expression]
_LOOKED_AT = 20_000
"""States in which a variable is looked for values of two kinds."""


def fairness_of(system: PythonSystem) -> Formula:
    """What the model's SPECIFICATION assumes of behaviours besides Init and [][Next]_v. Raise `TlaError`."""
    translation = _Translation(system)
    return conjunction(translation.formula(part) for part in system.model.fairness)


def needing_values(system: PythonSystem, formula: Formula, states: Iterable[State]) -> list[Predicate]:
    """The predicates that a formula asks of states and steps and that may have no value where nobody needs an answer.

    The step of a fairness condition is left out where no variable has values of two kinds in (the first of) `states`:
    what it asks has a value since ENABLED has one, and what a step leads to can be compared with what the action gives.
    """
    found = predicates_of(formula)
    steps = [each for each in found if each.step and each.needs is not None]
    if not steps or _of_two_kinds(system, states):
        return found
    return [each for each in found if each not in steps]


def _of_two_kinds(system: PythonSystem, states: Iterable[State]) -> bool:
    unknown = [place for place, shape in enumerate(system.shapes) if not comparable(shape, shape)]
    met = list(islice(states, _LOOKED_AT)) if unknown else []
    try:
        for place in unknown:
            comparable_set(frozenset(state[place] for state in met))
    except Fault:
        return True
    return False


def fairness_conditions(system: PythonSystem) -> list[FairnessCondition]:
    """Each WF and SF that the model's SPECIFICATION assumes, in their order. Raise `TlaError`."""
    translation = _Translation(system)
    for part in system.model.fairness:
        translation.formula(part)
    return translation.conditions


def temporal_properties(system: PythonSystem) -> list[TemporalProperty]:
    """The parts of the model's properties that a search for safety does not check, each conjunct for itself.

    Raise `TlaError` for one that cannot be checked.
    """
    found = []
    for prop in system.model.properties:
        for part in prop.liveness:
            translation = _Translation(system)
            formula = translation.formula(part)
            found.append(TemporalProperty(prop.name, formula, sentence(prop.definition), tuple(translation.atoms)))
    return found


def _same(node: core.Expression) -> core.Expression:
    return node


class _Translation:
    def __init__(self, system: PythonSystem) -> None:
        self.system = system
        self.conditions: list[FairnessCondition] = []
        self.atoms: list[Predicate] = []
        """What the formula asks of a state, as it is written."""
        self._quantified: list[str] = []

    def formula(self, node: core.Expression, wrap: Wrap = _same) -> Formula:
        """The formula; `wrap` puts a part of it into the LETs around it."""
        level = expression_level(node)
        if level < core.TEMPORAL:
            return self._atom(node, level, wrap)
        match node:
            case core.Let():
                return self.formula(node.body, _in_let(wrap, node))
            case core.Label():
                return self.formula(node.body, wrap)
            case core.Call() if not node.definition.recursive:
                return self.formula(opened(node), wrap)
            case core.Quantified():
                join = conjunction if node.kind == "\\A" else disjunction
                return join(self.formula(instance, wrap) for instance in self._instances(node, wrap))
            case core.If():
                condition = self.formula(node.condition, wrap)
                then, otherwise = self.formula(node.then, wrap), self.formula(node.otherwise, wrap)
                return disjunction((conjunction((condition, then)), conjunction((negation(condition), otherwise))))
            case core.Fairness():
                return self._fairness(node, wrap)
            case core.Builtin():
                return self._builtin(node, wrap)
            case core.TemporalQuantified():
                raise _refused(f"the temporal quantifier {node.kind}{node.kind[-1]}", node)
            case core.Call():
                raise _refused(f"the recursive temporal operator {node.definition.name}", node)
        raise _refused("a temporal formula here", node)

    def _builtin(self, node: core.Builtin, wrap: Wrap) -> Formula:
        operator = node.operator
        if operator not in ("/\\", "\\/", "~", "=>", "<=>", "[]", "<>", "~>"):
            raise _refused(f"the operator {operator} on temporal formulas", node)
        if operator in ("[]", "<>"):
            self._check_action(node)
        asked = len(self.atoms)
        parts = [self.formula(argument, wrap) for argument in node.arguments]
        if self._settled(node, wrap):
            del self.atoms[asked:]
        match operator:
            case "/\\":
                return conjunction(parts)
            case "\\/":
                return disjunction(parts)
            case "~":
                return negation(parts[0])
            case "=>":
                return disjunction((negation(parts[0]), parts[1]))
            case "<=>":
                return disjunction((conjunction(parts), conjunction(map(negation, parts))))
            case "[]":
                return always(parts[0])
            case "<>":
                return eventually(parts[0])
        return always(disjunction((negation(parts[0]), eventually(parts[1]))))

    def _settled(self, node: core.Builtin, wrap: Wrap) -> bool:
        """Whether a constant decides a junction: nothing else in it is asked then.

        As in TLC (`LiveExprNode.simplify`), which takes neither `[]TRUE` nor `<>TRUE` for a constant.
        """
        first, *others = node.arguments
        match node.operator:
            case "/\\":
                return any(self._constant(part, wrap) is False for part in node.arguments)
            case "\\/":
                return any(self._constant(part, wrap) is True for part in node.arguments)
            case "=>":
                return self._constant(first, wrap) is False or self._constant(others[0], wrap) is True
            case "~>":
                return self._constant(first, wrap) is False
        return False

    def _constant(self, node: core.Expression, wrap: Wrap) -> bool | None:
        if expression_level(node) > core.CONSTANT or self.system.analysis.of(wrap(node)).reads or asks(node):
            return None
        return self.system.constant_truth(wrap(node))

    def _check_action(self, node: core.Builtin) -> None:
        """[] and <> take actions only as [A]_v and <<A>>_v, which stuttering does not change."""
        (body,) = node.arguments
        while isinstance(body, core.Let | core.Label):
            body = body.body
        allowed = core.BoxAction if node.operator == "[]" else core.AngleAction
        if (
            expression_level(body) == core.ACTION
            and not isinstance(body, allowed)
            and not self._stuttering(body, allowed)
        ):
            raise _refused(
                f"{node.operator} of an action that is not {'[A]_v' if allowed is core.BoxAction else '<<A>>_v'}", node
            )

    def _stuttering(self, body: core.Expression, allowed: type) -> bool:
        """A definition whose body is [A]_v, or <<A>>_v."""
        return isinstance(body, core.Call) and not body.definition.recursive and isinstance(opened(body), allowed)

    def _fairness(self, node: core.Fairness, wrap: Wrap) -> Formula:
        step = core.AngleAction(node.at, node.action, node.subscript)
        enabled = self._enabled(step, node.stands_for, wrap)
        needs = enabled.predicate if isinstance(enabled, Atom) else None
        taken = self._atom(step, core.ACTION, wrap, needs)
        self.conditions.append(
            FairnessCondition(node.kind == "SF", node.at.text, ", ".join(self._quantified), enabled, taken)
        )
        if node.kind == "WF":
            return always(eventually(disjunction((negation(enabled), taken))))
        return disjunction((eventually(always(negation(enabled))), always(eventually(taken))))

    def _enabled(self, step: core.AngleAction, instance: tuple[str, str] | None, wrap: Wrap) -> Formula:
        found = self.system.abstract_enabled(step, instance[0], wrap=wrap) if instance is not None else None
        if found is not None:
            test = found.test
            values = [self.system.state_value(expression) for _, expression in found.standing]

            def enabled(state: State) -> bool:
                return test((*state[:-1], *(value(state) for value in values), 0))

            return Atom(Predicate(enabled, False, str(step.at), self._reads(wrap(step)), source=found))
        return self._atom(core.Builtin(step.at, "ENABLED", (step,)), core.STATE, wrap)

    def _atom(self, node: core.Expression, level: int, wrap: Wrap, needs: Predicate | None = None) -> Formula:
        whole = wrap(node)
        constant = self._constant(node, wrap)
        if constant is not None:
            return Truth(constant)
        test = self.system.step_condition(whole) if level == core.ACTION else self.system.state_condition(whole)
        still = False if isinstance(node, core.AngleAction) else True if isinstance(node, core.BoxAction) else None
        text, reads = str(node.at), self._reads(whole)
        predicate = Predicate(test, level == core.ACTION, text, reads, still, whole, needs, asks(whole))
        if not predicate.step:
            self.atoms.append(predicate)
        return Atom(predicate)

    def _reads(self, node: core.Expression) -> frozenset[int] | None:
        """The places of the variables on which the truth of the expression depends, now or after the step."""
        facts = self.system.analysis.of(node)
        return None if facts.impure or facts.free else facts.reads | facts.primed

    def _instances(self, node: core.Quantified, wrap: Wrap) -> Iterator[core.Expression]:
        """The body for each value of the bound variables."""
        names: list[core.Binder] = list(node.binders)
        domains: list[list[Value]] = []
        for binder in names:
            if binder.domain is None:
                raise _refused("an unbounded quantifier over a temporal formula", node)
            if expression_level(binder.domain) > core.CONSTANT:
                raise _refused("a quantifier over a set that varies, with a temporal formula inside,", node)
            domains.append(self._elements(wrap(binder.domain)))
        for values in product(*domains):
            said = [f"{_binder_text(binder)} = {shorten(value)}" for binder, value in zip(names, values, strict=True)]
            self._quantified += said
            try:
                yield substitute(node.body, dict(self._bound(names, values)))
            except Fault as error:
                raise located(error, self.system.places, node.at) from error
            finally:
                del self._quantified[len(self._quantified) - len(said) :]

    def _bound(
        self, binders: list[core.Binder], values: tuple[Value, ...]
    ) -> Iterator[tuple[core.Binding, core.Expression]]:
        for binder, value in zip(binders, values, strict=True):
            items = unpack(value, len(binder.bindings)) if binder.is_tuple else (value,)
            for binding, item in zip(binder.bindings, items, strict=True):
                yield binding, core.ConstantReference(binding.at, self.system.fixed(binding.name, binding.at, item))

    def _elements(self, domain: core.Expression) -> list[Value]:
        value = self.system.constant(domain)
        if not isinstance(value, frozenset | LazySet):
            raise TlaError("a quantifier ranges over something that is no set", domain.at, "", "evaluation")
        try:
            found = list(islice(value, _MOST + 1))
        except Fault as error:
            raise located(error, self.system.places, domain.at) from error
        if len(found) > _MOST:
            raise _refused(f"a temporal formula for each of more than {_MOST:,} values", domain)
        return list(ordered(found))


def _binder_text(binder: core.Binder) -> str:
    names = ", ".join(binding.name for binding in binder.bindings)
    return f"<<{names}>>" if binder.is_tuple else names


def _in_let(wrap: Wrap, let: core.Let) -> Wrap:
    return lambda node: wrap(core.Let(let.at, let.definitions, node))


def _refused(what: str, node: core.Expression) -> TlaError:
    return TlaError(
        f"{what} cannot be checked: a check needs a formula over finitely many states and steps",
        node.at,
        "Build it from [], <>, ~>, WF_v(A), SF_v(A), [][A]_v and <><<A>>_v, with quantifiers over constant sets.",
        "property",
    )
