"""What of a model says nothing: read off its text, and off its reachable states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from rmqproof.model.audit.graph import DEADLOCK, NO_VALUE, Space
from rmqproof.model.audit.interchange import interchangeable
from rmqproof.model.audit.mutation import Mutant, primed_variable, written
from rmqproof.model.audit.scoring import Fate, Trial
from rmqproof.model.evaluate.symmetry import Images
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.values import ModelValue
from rmqproof.model.tla import core
from rmqproof.model.tla.algorithms import declared_at, is_translated
from rmqproof.model.tla.expression_level import expression_level
from rmqproof.model.tla.findings import FindingKind, static_findings
from rmqproof.model.tla.source import Location, TlaError
from rmqproof.model.tla.walk import children, reached, used_by


class Kind(StrEnum):
    ACTION = "action never enabled"
    UNUSED = "action never used"
    CONJUNCT = "conjunct that never matters"
    DISJUNCT = "disjunct that never matters"
    TRIVIAL = "property trivial here"
    UNFAIR = "liveness that needs no fairness"
    VARIABLE = "variable that nothing depends on"
    CONSTANT = "constant never used"
    BOUND = "bound by a constant"
    SYMMETRY = "symmetry not declared"
    CONSTRAINT = "constraint"
    NOTHING = "no property"
    COVERED = "property that another covers"
    ENGINES = "engines differ"


_END = "Terminating"
"""What the translation of an algorithm calls its last step."""
NOTES = frozenset({Kind.BOUND, Kind.SYMMETRY, Kind.UNFAIR, Kind.CONSTRAINT, Kind.UNUSED, Kind.COVERED})
"""Kinds that are worth knowing and need not be mended."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that says less than it seems to, or that is worth knowing."""

    kind: Kind
    subject: str
    sentence: str
    at: Location | None = None


def textual(model: core.Model) -> Iterator[Gap]:
    """What the text alone tells."""
    for finding in static_findings(model):
        if finding.kind is FindingKind.CONSTANT_UNUSED:
            yield Gap(Kind.CONSTANT, "", f"{finding.message[0].upper()}{finding.message[1:]}.", finding.at)
        elif finding.kind is FindingKind.ACTION_UNREACHED:
            yield Gap(Kind.UNUSED, "", f"{finding.message[0].upper()}{finding.message[1:]}.", finding.at)
    if model.next is not None and not (model.invariants or model.properties):
        yield Gap(Kind.NOTHING, "", "The configuration names no property: nothing but a deadlock could be found.")
    yield from _unread(model)


def explored_gaps(model: core.Model, system: PythonSystem, space: Space) -> Iterator[Gap]:
    """What the reachable states tell. `space` is whole."""
    yield from _never_taken(model, system, space, len(space.states))
    yield from _trivial(model, system, space)
    yield from _unread_but_in_subscripts(model, system, space)
    yield from _symmetries(model, system, space)
    yield from _cut(model, system, space)


def idle_gaps(model: core.Model, system: PythonSystem, space: Space, idle: Sequence[str], count: int) -> Iterator[Gap]:
    """The same of a search that kept no steps: `idle` are properties that assume what is never true."""
    yield from _never_taken(model, system, space, count)
    for name in sorted(idle):
        yield Gap(Kind.TRIVIAL, name, f"{name} holds because what it assumes is never true here.", _place(model, name))
    if space.whole:
        yield from _never_assumed(model, system, space)
    if model.symmetry is None and model.view is None:
        yield from (_undeclared(model, constant) for constant in interchangeable(model))
    yield from _cut(model, system, space)


def _never_taken(model: core.Model, system: PythonSystem, space: Space, count: int) -> Iterator[Gap]:
    actions = set(system.actions)
    taken = {name for number, name in enumerate(system.actions) if number < len(space.taken) and space.taken[number]}
    for name in dict.fromkeys(name for name in system.actions if name not in taken):
        definition = model.specification.definitions.get(name)
        if name == _END and definition is not None and is_translated(definition.at):
            continue  # the end of an algorithm that does not end
        body = definition.body if definition is not None else model.next
        # the steps of the actions that it consists of go by their own names
        rest = bool(_called(body) & (actions - {name}))
        what = f"A step of {name} that has no name of its own" if rest else name
        sentence = f"{what} is enabled in none of the {count:,} states."
        yield Gap(Kind.ACTION, "" if rest else name, sentence, _place(model, name))


def _cut(model: core.Model, system: PythonSystem, space: Space) -> Iterator[Gap]:
    if system.has_constraints:
        many = f"{len(space.beyond):,} " if space.beyond else ""
        what = f"leave out {many}steps or states" if space.cut else "leave out nothing"
        names = ", ".join(each.name for each in (*model.constraints, *model.action_constraints))
        more = ": what lies beyond was not explored" if space.cut else ": they could go"
        yield Gap(Kind.CONSTRAINT, names, f"The constraints ({names}) {what}{more}.")


def redundant(trials: Sequence[Trial], known: Sequence[Gap]) -> Iterator[Gap]:
    """Parts without which the reachable graph is the same, and bounds without which it is another. `known`: what was
    found otherwise, so that an action that is never enabled is said once."""
    never = {gap.subject for gap in known if gap.kind is Kind.ACTION}
    for trial in trials:
        mutant = trial.mutant
        where = f"`{mutant.part}` in {mutant.where}"
        if trial.fate is Fate.EQUIVALENT and mutant.rule in _PARTS:
            if _PARTS[mutant.rule] is Kind.DISJUNCT and mutant.part.partition("(")[0] in never:
                continue
            if mutant.where in never:  # nothing in it matters
                continue
            if _is_the_translators(mutant):
                continue
            sentence = f"{where} may be left out: the reachable graph is the same."
            yield Gap(_PARTS[mutant.rule], mutant.where, sentence, mutant.at)
        elif mutant.bound and trial.fate is not Fate.EQUIVALENT:
            sentence = f"{mutant.bound} bounds what is explored: without {where} there is more."
            yield Gap(Kind.BOUND, mutant.bound, sentence, mutant.at)


def _is_the_translators(mutant: Mutant) -> bool:
    """Whether what is left out was written by the translation of an algorithm: where a step begins, `skip`, the end."""
    node = mutant.left_out
    if node is None or not is_translated(mutant.at):
        return False
    if isinstance(node, core.Literal) or _END in (mutant.where, mutant.part):
        return True
    variables = {part.variable.name for part in reached(node) if isinstance(part, core.VariableReference)}
    return isinstance(node, core.Builtin) and node.operator == "=" and variables == {"pc"}


def covered(trials: Sequence[Trial]) -> Iterator[Gap]:
    """Properties that were violated by mutants, and by none that does not violate one other property as well."""
    kills: dict[str, set[int]] = {}
    for trial in trials:
        for name in trial.killers:
            kills.setdefault(name, set()).add(trial.mutant.number)
    for name, mine in kills.items():
        others = [other for other, its in kills.items() if other not in (name, DEADLOCK) and mine < its]
        if name != NO_VALUE and name != DEADLOCK and len(mine) >= _ENOUGH and others:
            widest = max(others, key=lambda other: len(kills[other]))
            sentence = f"{name} notices {len(mine)} mutants, and {widest} notices each of them, too."
            yield Gap(Kind.COVERED, name, sentence)


_ENOUGH = 3
"""Mutants of which something may be said."""
_PARTS = {"conjunct left out": Kind.CONJUNCT, "disjunct left out": Kind.DISJUNCT}


def _called(body: core.Expression | None) -> set[str]:
    """The names of the definitions that an expression leads to."""
    inside = reached(body) if body is not None else ()
    return {each.name for node in inside for each in used_by(node)}


def _place(model: core.Model, name: str) -> Location | None:
    definition = model.specification.definitions.get(name)
    return definition.at if definition is not None else None


def _trivial(model: core.Model, system: PythonSystem, space: Space) -> Iterator[Gap]:
    """Properties that assume what is true nowhere."""
    idle = [each for each in system.idle if all(map(each.holds, space.looked_at()))]
    names = {each.name for each in idle}
    for step in system.idle_steps:
        if all(step.holds(*each) for each in space.steps_looked_at()):
            names.add(step.name)
    for name in sorted(names):
        yield Gap(Kind.TRIVIAL, name, f"{name} holds because what it assumes is never true here.", _place(model, name))
    yield from _never_assumed(model, system, space)


def _never_assumed(model: core.Model, system: PythonSystem, space: Space) -> Iterator[Gap]:
    """Properties `A ~> B` and `[](A => <>B)` whose A is true in no state."""
    for prop in model.properties:
        for formula in prop.liveness:
            for assumed in _assumed(formula):
                asked = system.state_condition(assumed)
                if not any(asked(state) for state in space.states.values()):
                    sentence = f"{prop.name} holds because `{written(assumed.at)}` is never true here."
                    yield Gap(Kind.TRIVIAL, prop.name, sentence, prop.at)


def _assumed(formula: core.Expression) -> Iterator[core.Expression]:
    """The state formulas A of `A ~> B` and `[](A => <>B)`, as far as they stand open."""
    while isinstance(formula, core.Call) and not formula.arguments:
        formula = formula.definition.body
    if not isinstance(formula, core.Builtin):
        return
    if formula.operator == "~>":
        yield from _of_state(formula.arguments[0])
    elif formula.operator == "[]":
        inner = formula.arguments[0]
        if isinstance(inner, core.Builtin) and inner.operator == "=>":
            yield from _of_state(inner.arguments[0])


def _of_state(node: core.Expression) -> Iterator[core.Expression]:
    if expression_level(node) <= core.STATE:
        yield node


def _symmetries(model: core.Model, system: PythonSystem, space: Space) -> Iterator[Gap]:
    """Sets of model values that the reachable graph does not tell apart, and that no SYMMETRY names."""
    if model.symmetry is not None or model.view is not None:
        return
    for constant in model.specification.constants:
        if constant.value is None or not isinstance(constant.value, core.SetEnumeration):
            continue
        value = system.constant(constant.value)
        if not isinstance(value, frozenset) or len(value) < 2 or not all(type(v) is ModelValue for v in value):
            continue
        elements = sorted((each for each in value if isinstance(each, ModelValue)), key=lambda each: each.name)
        if all(_alike(system, space, one, other) for one, other in pairwise(elements)):
            yield _undeclared(model, constant)


def _undeclared(model: core.Model, constant: core.Constant) -> Gap:
    note = "" if not any(p.liveness for p in model.properties) else " (not beside liveness properties)"
    return Gap(
        Kind.SYMMETRY,
        constant.name,
        f"The elements of {constant.name} may be exchanged everywhere: SYMMETRY Permutations({constant.name}) "
        f"would explore fewer states{note}.",
        constant.at,
    )


def _alike(system: PythonSystem, space: Space, one: ModelValue, other: ModelValue) -> bool:
    """Whether exchanging two model values maps the reachable graph to itself."""
    images = Images({one: other, other: one})
    moved: dict[int, int] = {}
    for mark, state in space.states.items():
        try:
            image = system.fingerprint(system.state([images[value] for value in system.values(state)]))
        except ValueError:  # no step gives a variable such a value
            return False
        if image not in space.states:
            return False
        moved[mark] = image
    if any(moved[mark] not in space.initial for mark in space.initial):
        return False
    return all((moved[before], moved[after]) in space.steps for before, after in space.steps)


def _unread_but_in_subscripts(model: core.Model, system: PythonSystem, space: Space) -> Iterator[Gap]:
    """Variables that a property names in `[][A]_v` alone, where a step that changes no variable of A satisfies it."""

    def stutters(step: core.BoxAction) -> bool:
        try:
            return all(system.evaluate_step(step.action, state, state).truth for state in space.looked_at())
        except (TlaError, RecursionError, AttributeError):
            return False

    known = {gap.subject for gap in _unread(model)}
    yield from (gap for gap in _unread(model, stutters) if gap.subject not in known)


def _unread(model: core.Model, stutters: Callable[[core.BoxAction], bool] = lambda step: False) -> Iterator[Gap]:
    """Variables on which no guard, property or constraint depends, not even through another variable.

    `stutters`: whether an action of a property is true of steps that change nothing: then its subscript says nothing.
    """
    flows: dict[core.Variable, set[core.Variable]] = {}
    live: set[core.Variable] = set()
    seen: set[core.Definition] = set()

    def reads(node: core.Expression) -> set[core.Variable]:
        return {part.variable for part in reached(node) if isinstance(part, core.VariableReference)}

    def step(node: core.Expression) -> None:
        if isinstance(node, core.Builtin):
            if node.operator in ("=", "\\in") and (left := primed_variable(node.arguments[0])) is not None:
                flows.setdefault(left.variable, set()).update(reads(node.arguments[1]))
                return
            if node.operator == "UNCHANGED":
                return
        if isinstance(node, core.VariableReference):
            live.add(node.variable)
        for definition in used_by(node):
            if definition not in seen:
                seen.add(definition)
                step(definition.body)
        for child in children(node):
            step(child)

    if model.next is None:
        return
    step(model.next)
    for definition in (
        *model.invariants, *model.constraints, *model.action_constraints,
        *(each for each in (model.view, model.alias) if each is not None), *model.postconditions,
    ):  # fmt: skip
        live |= reads(definition.body)
    for prop in model.properties:
        for formula in (*prop.initial, *prop.always, *prop.liveness):
            live |= reads(formula)
        for each in prop.steps:
            live |= reads(each.action) | (set() if stutters(each) else reads(each.subscript))
    pending = list(live)
    while pending:
        for read in flows.get(pending.pop(), ()):
            if read not in live:
                live.add(read)
                pending.append(read)
    for variable in model.specification.variables:
        if variable not in live:
            yield Gap(
                Kind.VARIABLE,
                variable.name,
                f"No guard and no property depends on {variable.name}.",
                declared_at(variable.name, variable.at),
            )
