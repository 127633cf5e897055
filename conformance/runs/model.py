"""The model as a run needs it: steps by action, and what an event's fields show of a state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from rmqproof.conformance.domains import ActionDomains, FixedValues
from rmqproof.conformance.runs.event import Arguments, Event, GrowingList, Offset, Origin, RunError, Symbol
from rmqproof.conformance.runs.mapping import ALL, RunMapping
from rmqproof.conformance.runs.pattern import Bindings, has_symbols, match
from rmqproof.conformance.runs.states import States
from rmqproof.conformance.runs.steps import ActionSteps
from rmqproof.conformance.subject import ModelSubject, open_files
from rmqproof.model.actions.footprint import Footprint, footprints
from rmqproof.model.evaluate.fingerprint import forget
from rmqproof.model.evaluate.value_order import ordered
from rmqproof.model.evaluate.values import Value, model_value
from rmqproof.model.search.system import State, Transition
from rmqproof.model.tla.config_file import config_of
from rmqproof.model.tla.core import Call, Expression, Literal, ModelValueLiteral
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import Location, TlaError

Constants = tuple[tuple[str, Any], ...]
"""Names and values, as a mapping has them."""
_CACHED = 50_000
_FORGETTING = 1_024
"""States after which what is remembered of their values is freed."""
_PREFIX = "RunField"


@dataclass(slots=True)
class RunModel:
    """A model and a mapping, ready to ask whether a step is what an event says."""

    subject: ModelSubject
    mapping: RunMapping
    domains: ActionDomains
    reopen: Callable[[Mapping[str, Any]], RunModel] | None = None
    """The same with other constants."""
    states: States = field(default_factory=States)
    """The states that were met last, by fingerprint."""
    _successors: dict[int, list[Transition]] = field(default_factory=dict)
    _others: dict[Constants, RunModel] = field(default_factory=dict)
    _steps: ActionSteps | None = None
    _prepared: frozenset[str] = frozenset()
    _uses: dict[str, Any] = field(default_factory=dict)
    _views: dict[tuple[str, str], Callable[[State], Value]] = field(default_factory=dict)
    _fields: dict[str, int] = field(default_factory=dict)
    _lists: dict[tuple[str, str], tuple[Sequence[Any] | GrowingList, Value, int]] = field(default_factory=dict)
    """By node and field the list that matched last: what the line said, what the model had, how much was folded."""
    _next: Callable[[State, State], bool] | None = None
    _kept: int = 0
    _footprints: Mapping[str, Footprint] = field(default_factory=dict)

    @property
    def footprints(self) -> Mapping[str, Footprint]:
        """What each action reads and writes."""
        if not self._footprints:
            model = self.subject.model
            assert model.next is not None, "a model without steps is not opened"
            self._footprints = footprints(model.next, model.specification.variables)
        return self._footprints

    @property
    def names(self) -> frozenset[str]:
        return self.subject.origin.model_values

    def keep(self, state: State) -> int:
        """Remember a state; its fingerprint."""
        fingerprint = self.subject.system.fingerprint(state)
        self.states.keep(fingerprint, state)
        self._kept += 1
        if self._kept % _FORGETTING == 0:
            self.forget()
        return fingerprint

    def forget(self) -> None:
        """Free what is remembered of values that were met; a long run hardly comes back to them."""
        forget(self.subject.system.tables)
        if self._steps is not None:
            self._steps.forget()
        self._successors.clear()
        for other in self._others.values():
            other.forget()

    def holds(self, before: State, action: str, arguments: tuple[Value, ...], after: State) -> bool:
        """Whether these two states are a step of an action: asked of the Python engine, not looked for."""
        if self._steps is not None and action in self._steps.names:
            return self._steps.holds(before, action, arguments, after)
        if self._next is None:
            following = self.subject.model.next
            assert following is not None
            self._next = self.subject.system.step_condition(following)
        return self._next(before, after)

    def successors(self, fingerprint: int) -> list[Transition]:
        """The steps from a state that is remembered."""
        found = self._successors.get(fingerprint)
        if found is None:
            if len(self._successors) > _CACHED:
                self._successors.clear()
            found = list(self.subject.system.successors(self.states[fingerprint]))
            self._successors[fingerprint] = found
        return found

    def prepare(self, actions: Iterable[str]) -> None:
        """Make the steps of these actions quick to find."""
        wanted = frozenset(actions)
        if wanted <= self._prepared:
            return
        self._prepared = actions = wanted | self._prepared
        self._uses = {name: self.domains.parameters(name) for name in actions}
        known = [name for name, uses in self._uses.items() if uses is not None]
        self._steps = ActionSteps(self.subject.system, known) if known else None
        if self._steps is not None:
            self._uses = {name: uses for name, uses in self._uses.items() if name in self._steps.names}

    def steps(
        self, fingerprint: int, action: str, said: Arguments, bindings: Bindings
    ) -> Iterator[tuple[tuple[Value, ...], State, Bindings]]:
        """The steps of an action from a state that is remembered, whose arguments are what a line says of them."""
        return self.steps_from(self.states[fingerprint], action, said, bindings)

    def steps_in_a_row(
        self, state: State, action: str, said: Arguments, bindings: Bindings, parts: Sequence[Constants]
    ) -> Iterator[tuple[tuple[Value, ...], State, Bindings, tuple[RunModel, State]]]:
        """The ends of so many steps of an action, each with these constants; with the arguments of the last, and the
        model and the state of which it is a step."""
        reached = [(state, bindings)]
        *first, last = parts
        for part in first:
            model = self._with(part)
            reached = [
                (target, bound)
                for here, known in reached
                for arguments, target, bound in model.steps_from(here, action, said, known)
                if model.holds(here, action, arguments, target)
            ]
        model = self._with(last)
        for here, known in reached:
            for arguments, target, bound in model.steps_from(here, action, said, known):
                yield arguments, target, bound, (model, here)

    def _with(self, constants: Constants) -> RunModel:
        """The model with other constants."""
        if not constants:
            return self
        found = self._others.get(constants)
        if found is None:
            assert self.reopen is not None, "a model with other constants has to be opened anew"
            found = self._others[constants] = self.reopen(dict(constants))
            found.prepare(self._prepared)
        return found

    def steps_from(
        self, state: State, action: str, said: Arguments, bindings: Bindings
    ) -> Iterator[tuple[tuple[Value, ...], State, Bindings]]:
        """As `steps`, from any state."""
        uses = self._uses.get(action)
        if uses is None or self._steps is None:
            actions = self.subject.system.actions
            for number, arguments, target in self.successors(self.keep(state)):
                if actions[number] == action:
                    for bound in self.arguments_match(action, said, arguments, bindings):
                        yield arguments, target, bound
            return
        for sets in self._offers(uses, state, action, said, bindings):
            for arguments, target in self._steps.steps(state, action, sets):
                for bound in self.arguments_match(action, said, arguments, bindings):
                    yield arguments, target, bound

    def arguments(
        self, state: State, action: str, said: Arguments, bindings: Bindings
    ) -> Iterator[tuple[Value, ...]] | None:
        """What the arguments of an action can be in a state by what a line says; None: not known without its steps."""
        uses = self._uses.get(action)
        if uses is None:
            return None
        found = (product(*map(ordered, sets)) for sets in self._offers(uses, state, action, said, bindings))
        return (
            arguments
            for every in found
            for arguments in every
            if next(self.arguments_match(action, said, arguments, bindings), None) is not None
        )

    def _offers(
        self,
        uses: Sequence[Sequence[Callable[[State], tuple[Value, ...]]]],
        state: State,
        action: str,
        said: Arguments,
        bindings: Bindings,
    ) -> Iterator[tuple[frozenset[Value], ...]]:
        """For each way in which an action is called, of each argument the values that a line allows, if there are."""
        patterns = self.patterns(action, said)
        for use in uses:
            sets = tuple(
                self._offered(patterns[position] if position < len(patterns) else None, possible, state, bindings)
                for position, possible in enumerate(use)
            )
            if all(sets):
                yield sets

    def _offered(
        self, pattern: Any, of: Callable[[State], tuple[Value, ...]], state: State, bindings: Bindings
    ) -> frozenset[Value]:
        """The values of an argument that a line allows, among those that the model has."""
        possible = of.members if isinstance(of, FixedValues) else of(state)
        if pattern is None:
            return frozenset(possible)
        value: Value | None = pattern if type(pattern) is int else None
        if isinstance(pattern, Symbol):
            value = bindings.known(pattern.name)
        elif isinstance(pattern, Offset):
            value = pattern.number - bindings.prefix.base
        if value is not None:
            return frozenset((value,)) if value in possible else frozenset()
        names = self.names
        return frozenset(v for v in possible if next(match(pattern, v, bindings, names), None) is not None)

    def meant(self, event: Event) -> Event:
        """The event with the model's names: an action that the configuration replaces is the one that replaces it."""
        replaced = self.subject.replaced
        if not any(action in replaced for action, _ in event.steps):
            return event
        known = set(self.domains.names)

        def name(action: str) -> str:
            other = replaced.get(action)
            return other if other is not None and other in known and action not in known else action

        return replace(
            event,
            action=name(event.action) if event.action is not None else None,
            alternatives=tuple((name(action), said) for action, said in event.alternatives),
        )

    def check(self, events: Iterable[Event]) -> None:
        """Raise `RunError` for events that speak of actions or fields that the model does not have."""
        known = set(self.domains.names) | set(self.subject.system.actions)
        problems: list[str] = []
        for event in events:
            for action, arguments in event.steps:
                if action in known:
                    problems += self._unknown_arguments(event.origin, action, arguments)
                else:
                    problems.append(
                        f"{event.origin}: there is no action {action} in {self.subject.name}. Map the name in "
                        "[actions] of the mapping, or say in [ignore] why it says nothing."
                    )
            problems += [
                f"{event.origin}: the field {name} of the state is unknown: map it in [state], or say in [ignore] as "
                f'"state.{name}" why it says nothing.'
                for name in event.state
                if not self._knows(name)
            ]
        for action in (self.mapping.logged or frozenset()) - {ALL} | self.mapping.hidden:
            if action not in known:
                problems.append(f"[run] names {action}, and there is no such action in {self.subject.name}.")
        if problems:
            shown = list(dict.fromkeys(problems))
            raise RunError(*shown[:20], *([f"… and {len(shown) - 20} more."] if len(shown) > 20 else []))

    def _unknown_arguments(self, at: Origin, action: str, arguments: Arguments) -> list[str]:
        definition = self.subject.model.specification.definitions.get(action)
        if definition is None:
            return []
        names = [parameter.name for parameter in definition.parameters]
        if not isinstance(arguments, tuple):
            return [f"{at}: {action} has no argument {name}." for name in arguments if name not in names]
        if len(arguments) <= len(names):
            return []
        return [f"{at}: {action} has {len(names)} arguments, and here are {len(arguments)}."]

    def hidden(self, named: frozenset[str]) -> frozenset[str]:
        """The actions that may be taken without a line, where the lines of a run name these."""
        named = named | {rule.action for rule in self.mapping.actions.values() if rule.action is not None}
        logged = self.mapping.logged if self.mapping.logged is not None else named
        if ALL in logged:
            logged = frozenset(self.domains.names)
        return (frozenset(self.domains.names) - logged) | self.mapping.hidden

    # --- matching ------------------------------------------------------------------------------------------------

    def arguments_match(
        self, action: str, said: Arguments, arguments: tuple[Value, ...], bindings: Bindings
    ) -> Iterator[Bindings]:
        """The ways in which an action's arguments are what a line says."""
        patterns = self.patterns(action, said)
        yield from _all(list(zip(patterns, arguments, strict=False)), bindings, self.names)

    def patterns(self, action: str, said: Arguments) -> tuple[Any, ...]:
        """What a line says of an action's arguments, by position."""
        if isinstance(said, tuple):
            return said
        definition = self.subject.model.specification.definitions.get(action)
        return tuple(said.get(p.name) for p in definition.parameters) if definition is not None else ()

    def state_matches(self, event: Event, state: State, bindings: Bindings) -> Iterator[Bindings]:
        pairs = []
        for name, pattern in event.state.items():
            value = self.field(name, event.node, state)
            listed = type(pattern) is list or type(pattern) is GrowingList
            if not listed or not self._list_matches((event.node, name), pattern, value, bindings):
                pairs.append((pattern, value))
        yield from _all(pairs, bindings, self.names)

    def _list_matches(
        self, key: tuple[str, str], pattern: Sequence[Any] | GrowingList, value: Value, bindings: Bindings
    ) -> bool:
        """Whether a list without symbols matches. Lists such as a broker's epoch file grow with the run, and hardly a
        line has another one than the line before."""
        last, base = self._lists.get(key), bindings.prefix.base
        if last is not None and last[0] is pattern and last[2] == base and last[1] == value:
            return True
        if has_symbols(pattern) or next(match(pattern, value, bindings, self.names), None) is None:
            return False
        self._lists[key] = pattern, value, base
        return True

    def field(self, name: str, node: str, state: State) -> Value:
        """What a field of an event's state shows in a state of the model."""
        index = self._fields.get(name, -1)
        if index >= 0:
            return state[index]
        view = self._views.get((name, node))
        if view is None:
            view = self._views[name, node] = self._view(name, node)
        return view(state)

    def expression(self, name: str) -> str:
        """How a report calls a field."""
        return name if self.mapping.state is None else self.mapping.state.get(name, name)

    def _knows(self, name: str) -> bool:
        if self.mapping.state is not None:
            return name in self.mapping.state
        if not self._fields:
            self._fields.update({variable: i for i, variable in enumerate(self.subject.system.variables)})
        return name in self._fields

    def _view(self, name: str, node: str) -> Callable[[State], Value]:
        assert self.mapping.state is not None
        number = list(self.mapping.state).index(name)
        definition = self.subject.model.specification.definitions[f"{_PREFIX}{number}"]
        at = definition.at
        argument: Expression = ModelValueLiteral(at, node) if node in self.names else Literal(at, node)
        if node in self.names:
            model_value(node)
        return self.subject.system.state_value(Call(at, definition, (argument,)))


def _all(pairs: list[tuple[Any, Value]], bindings: Bindings, names: frozenset[str]) -> Iterator[Bindings]:
    if not pairs:
        yield bindings
        return
    pattern, value = pairs[0]
    for found in match(pattern, value, bindings, names):
        yield from _all(pairs[1:], found, names)


def open_run_model(files: ModelFiles, mapping: RunMapping, command: str = "") -> RunModel:
    """The model that a run is held to, with the mapping's constants and the state functions that it writes in TLA+.

    Raise `TlaError`, for a state function too.
    """
    spec, config = files.spec, files.config or config_of(files.spec, files.texts)

    def reopen(constants: Mapping[str, Any]) -> RunModel:
        other = replace(mapping, constants={**mapping.constants, **constants})
        return open_run_model(files, other, command)

    if mapping.state is None and not mapping.constants:
        subject = open_files(files, command)
        return RunModel(subject, mapping, ActionDomains(subject.system), reopen)
    changed = replace(files, config=config)
    if config is not None or files.overrides.text:
        changed = changed.overridden(_constants(mapping))
    if mapping.state is not None:
        changed = changed.extended(f"RunOf{spec.stem}", _views(spec, mapping))
    try:
        subject = open_files(changed, command, (config or spec).stem)
    except TlaError as error:
        raise _explained(error, mapping) from None
    return RunModel(subject, mapping, ActionDomains(subject.system), reopen)


def _views(spec: Path, mapping: RunMapping) -> str:
    """A module that extends the specification by the mapping's state functions."""
    assert mapping.state is not None
    lines = [f"---- MODULE RunOf{spec.stem} ----", f"EXTENDS {spec.stem}"]
    lines += [f"{_PREFIX}{number}(node) == {text}" for number, text in enumerate(mapping.state.values())]
    return "\n".join([*lines, "====", ""])


def _constants(mapping: RunMapping) -> str:
    """The mapping's constants, in the place of the configuration's own."""
    return "".join(f"CONSTANT {name} = {_tla(value)}\n" for name, value in mapping.constants.items())


def _tla(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, list):
        return "{" + ", ".join(map(_tla, value)) + "}"
    return str(value)


def _explained(error: TlaError, mapping: RunMapping) -> TlaError:
    """An error in a state function of the mapping, with the place that its author knows."""
    at: Location | None = error.at
    if at is None or "RunOf" not in at.source.name or mapping.state is None or at.line < 3:
        return error
    number = min(at.line - 3, len(mapping.state) - 1)
    name, text = list(mapping.state.items())[number]
    return TlaError(f'[state] "{name}" = "{text}": {error.message}', None, error.remedy, error.kind)
