"""What each named action of Next reads and writes, down to the argument of a function and the field of a record.

An `AccessPath` leads to a part of a state, such as `broker[b].role`. What is said is never too little: two steps of
which neither writes a part that the other reads or writes commute, whatever the state. Left out are ghosts, which are
read only to be written again, and branches that the constants close.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rmqproof.model.tla import core

from .access_paths import ANY, AccessPath, Argument, Key, Known, Names, Passed, may_overlap, put
from .dependence import Dependence, Write
from .effects import Effects
from .form import (
    Arms,
    Assignment,
    Choice,
    Conjunction,
    Disjunction,
    Enter,
    EnterParameter,
    Inside,
    Keep,
    Local,
    Parameter,
    form_of,
)
from .naming import StepName

_NOTHING: frozenset[AccessPath] = frozenset()


@dataclass(frozen=True, slots=True)
class Footprint:
    reads: frozenset[AccessPath] = frozenset()
    writes: frozenset[AccessPath] = frozenset()


@dataclass(slots=True)
class _Action:
    tests: set[AccessPath] = field(default_factory=set)
    writes: list[Write] = field(default_factory=list)
    closed: bool = False
    """It has a form that is not looked into."""

    def footprint(self, name: str, live: Iterable[AccessPath] | None) -> Footprint:
        kept = [write for write in self.writes if live is None or _overlap_any(write.access, live)]
        reads = self.tests.union(*(write.reads for write in kept))
        return Footprint(_of_action(name, reads), _of_action(name, (write.access for write in kept)))


def footprints(
    next_step: core.Expression, variables: Sequence[core.Variable], *, ghosts: bool = False
) -> Mapping[str, Footprint]:
    """By the name of the action. Of an action that is missing nothing is known: it can read and write everything.
    `ghosts`: leave none out."""
    actions = _Actions(Dependence([variable.name for variable in variables]))
    actions.descend(next_step, Names(), StepName(), _NOTHING)
    if actions.unnamed:
        return {}
    live = None if ghosts else _live(actions.found.values())
    closed = {name for name, action in actions.found.items() if action.closed} | actions.renamed
    return {name: action.footprint(name, live) for name, action in actions.found.items() if name not in closed}


def _live(actions: Iterable[_Action]) -> set[AccessPath]:
    """The parts that decide what a step does to something that is tested, without their keys that are no values."""
    actions = list(actions)
    if any(action.closed for action in actions):
        return {_plain(write.access) for action in actions for write in action.writes}
    live = {_plain(access) for action in actions for access in action.tests}
    writes = {(_plain(w.access), frozenset(map(_plain, w.reads))) for action in actions for w in action.writes}
    while True:
        more = {access for written, reads in writes if _overlap_any(written, live) for access in reads} - live
        if not more:
            return live
        live |= more


def _plain(access: AccessPath) -> AccessPath:
    return AccessPath(access.variable, tuple(key if isinstance(key, Known) else ANY for key in access.path))


def _overlap_any(access: AccessPath, others: Iterable[AccessPath]) -> bool:
    return any(may_overlap(_plain(access), other) for other in others)


def _of_action(name: str, accesses: Iterable[AccessPath]) -> frozenset[AccessPath]:
    """Without arguments of the operators around the one that the step is named by."""

    def known(key: Key) -> Key:
        return ANY if isinstance(key, Argument) and key.action != name else key

    return frozenset(put(access, known) for access in accesses)


@dataclass(slots=True)
class _Actions:
    """The actions of Next as they are found."""

    depends: Dependence
    found: dict[str, _Action] = field(default_factory=dict)
    renamed: set[str] = field(default_factory=set)
    """What is entered in a conjunction of Next itself and gives the step another name."""
    unnamed: bool = False
    """There is a step whose name is not known here."""
    effects: Effects = field(default_factory=lambda: Effects(initial=False))

    def descend(self, e: core.Expression, names: Names, name: StepName[Key], tests: frozenset[AccessPath]) -> None:
        """Down to what gives the step its name."""
        match form_of(e):
            case Disjunction(parts=parts) if not isinstance(e, core.BoxAction):
                for part in parts:
                    self.descend(part, names, name, tests)
            case Choice(quantified=quantified):
                inner, more = self.depends.chosen(quantified.binders, names)
                self.descend(quantified.body, inner, name, tests | more)
            case Arms(arms=arms, otherwise=otherwise):
                for condition, body in arms:
                    tests |= self.depends.reads(condition, names)
                    self.descend(body, names, name, tests)
                if otherwise is not None:
                    self.descend(otherwise, names, name, tests)
            case Inside(body=body):
                self.descend(body, names, name, tests)
            case Local(let=let):
                self.descend(let.body, names.let(let.definitions), name, tests)
            case Enter(call=call) if not call.definition.recursive and self.effects.gives_value(call):
                definition = call.definition
                arguments = tuple(Argument(definition.name, number) for number, _ in enumerate(definition.parameters))
                more = _NOTHING.union(*(self.depends.reads(argument, names) for argument in call.arguments))
                inner = self.depends.names.entered(call, names)
                inner = inner.bind(dict(zip(definition.parameters, arguments, strict=True)))
                self.descend(definition.body, inner, name.entering(definition.name, arguments), tests | more)
            case Conjunction() | Assignment() | Keep():
                action = self.found.setdefault(name.name, _Action())
                action.tests |= tests
                self.collect(e, names, action, set(), self.renamed if name.root else set())
            case _:
                self.unnamed = True

    def collect(self, e: core.Expression, names: Names, action: _Action, given: set[str], entered: set[str]) -> None:
        """What the ways through a formula test and assign. `given`: the variables that may have their values already;
        those that get one are added; `entered`: so are the names of the operators that are entered."""
        reads = self.depends.reads
        form = form_of(e)
        if not self.effects.gives_value(e) and not isinstance(form, (Parameter, EnterParameter)):
            action.tests |= reads(e, names)
            return
        match form:
            case Conjunction(parts=parts):
                for part in parts:
                    self.collect(part, names, action, given, entered)
            case Disjunction(parts=parts):
                self._each(parts, names, action, given, entered)
            case Arms(arms=arms, otherwise=otherwise):
                bodies = []
                for condition, body in arms:
                    decided = self.depends.names.decided(condition, names)
                    action.tests |= reads(condition, names) if decided is None else _NOTHING
                    bodies += [body] if decided is not False else []
                    if decided:
                        break
                else:
                    bodies += [otherwise] if otherwise is not None else []
                self._each(bodies, names, action, given, entered)
            case Choice(quantified=quantified):
                inner, more = self.depends.chosen(quantified.binders, names)
                action.tests |= more
                self.collect(quantified.body, inner, action, given, entered)
            case Inside(body=body):
                self.collect(body, names, action, given, entered)
            case Local(let=let):
                self.collect(let.body, names.let(let.definitions), action, given, entered)
            case Enter(call=call) if not call.definition.recursive:
                entered.add(call.definition.name)
                self.collect(call.definition.body, self.depends.names.entered(call, names), action, given, entered)
            case Parameter() | EnterParameter():
                found = self.depends.names.opened(e, names)
                if isinstance(found, Passed) and found.expression is not e:
                    self.collect(found.expression, found.names, action, given, entered)
                else:
                    action.closed = True
            case Assignment():
                self._assigned(form, names, action, given)
            case Keep(kept=kept):
                kept_names = self._variables(kept, names)
                if kept_names is None or kept_names & given:
                    action.tests |= reads(kept, names)
                given |= kept_names or set()
            case _:
                action.closed = True

    def _each(
        self, parts: Iterable[core.Expression], names: Names, action: _Action, given: set[str], entered: set[str]
    ) -> None:
        """Each part alone, after the same variables have got their values."""
        before = set(given)
        for part in parts:
            inside = set(before)
            self.collect(part, names, action, inside, entered)
            given |= inside

    def _assigned(self, form: Assignment, names: Names, action: _Action, given: set[str]) -> None:
        variable = self._primed(form.target, names)
        if variable is None or variable in given:
            action.tests |= self.depends.reads(form.target, names) | self.depends.reads(form.value, names)
        if variable is None:
            return
        given.add(variable)
        base = AccessPath(variable)
        if form.operator == "=":
            action.writes += self.depends.writes(form.value, names, base)
        else:
            action.writes.append(Write(base, self.depends.reads(form.value, names)))

    def _primed(self, target: core.Expression, names: Names) -> str | None:
        """The variable that gets its value by `target = ...`, if one does."""
        found = self.depends.names.opened(target, names)
        if not isinstance(found, Passed):
            return None
        e = found.expression
        if not isinstance(e, core.Builtin) or e.operator != "'":
            return None
        access = self.depends.names.access(e.arguments[0], found.names)
        return access.variable if access is not None and not access.path else None

    def _variables(self, kept: core.Expression, names: Names) -> set[str] | None:
        """The variables that UNCHANGED names; None where it names something else."""
        found = self.depends.names.opened(kept, names)
        if not isinstance(found, Passed):
            return {found.variable} if isinstance(found, AccessPath) and not found.path else None
        match found.expression:
            case core.TupleExpression(items=items):
                parts = [self._variables(item, found.names) for item in items]
                return set().union(*(part for part in parts if part is not None)) if None not in parts else None
            case core.VariableReference(variable=variable):
                return {variable.name}
        return None
