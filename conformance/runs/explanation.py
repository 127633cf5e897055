"""Why a run is no behaviour: the event, the states that are possible before it, what stands in each step's way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random

from rmqproof.conformance.difference import Row, rows
from rmqproof.conformance.runs.event import Event, GrowingList, Offset, Origin, Symbol
from rmqproof.conformance.runs.pattern import Bindings, match, shown, unfolded
from rmqproof.conformance.runs.validation import Entry, Validation
from rmqproof.model.evaluate.blame import Blame, Blamer
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.values import Value
from rmqproof.model.report.difference import changes
from rmqproof.model.search.system import State

MOST_STATES = 5
MOST_CANDIDATES = 6
_MOST_ARGUMENTS = 64
_MOST_STEPS = 10_000
"""Of a state, that are looked at."""
_MOST_ASKED = 1_000_000
"""Where more actions with arguments would have to be asked for, only those that the event names are looked at."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One step that could have been meant, and what is against it.

    `blame`: it is not enabled; `rows`: it is, and the state after it is another one (part, model, run).
    Neither: it would explain what the run shows of the state, if the event were this step.
    """

    action: str
    arguments: tuple[Value, ...]
    meant: bool
    """It is the action that the event names."""
    blame: Blame | None = None
    rows: tuple[Row, ...] = ()

    @property
    def distance(self) -> tuple[bool, int, int]:
        """Nearest first: the action that was named, enabled ones, then by how much of it is true."""
        passed = self.blame.passed if self.blame is not None else 1_000
        return (not self.meant, -passed, len(self.rows))


@dataclass(frozen=True, slots=True)
class StateBefore:
    """A possible state of the model, and the candidates in it, nearest first."""

    entry: Entry
    state: State
    event: Event
    candidates: tuple[Candidate, ...]


def explain(result: Validation) -> list[StateBefore]:
    """For the states that are possible where a run's explanation ends: nearest first, a few of them."""
    blamer = Blamer(result.model.subject.system)
    found: list[StateBefore] = []
    seen: set[tuple[int, Origin]] = set()
    for entry in sorted(result.candidates, key=lambda entry: entry.lost):
        for event in result.events_after(entry)[:1]:
            if (entry.fingerprint, event.origin) in seen or len(found) >= 4 * MOST_STATES:
                continue
            seen.add((entry.fingerprint, event.origin))
            state = result.state(entry)
            candidates = sorted(_candidates(result, blamer, entry, state, event), key=lambda c: c.distance)
            found.append(StateBefore(entry, state, event, tuple(candidates[:MOST_CANDIDATES])))
    found.sort(key=lambda before: before.candidates[0].distance if before.candidates else (True, 0, 0))
    return found[:MOST_STATES]


def _candidates(result: Validation, blamer: Blamer, entry: Entry, state: State, event: Event) -> Iterator[Candidate]:
    model = result.model
    enabled: set[tuple[str, tuple[Value, ...]]] = set()
    for name, said in event.steps:
        for arguments, target, _ in islice(model.steps_from(state, name, said, entry.bindings), _MOST_STEPS):
            if (name, arguments) not in enabled:
                enabled.add((name, arguments))
                yield Candidate(name, arguments, True, None, tuple(_wrong(result, event, target, entry.bindings)))
    if not event.steps:
        yield Candidate("(no step)", (), True, None, tuple(_wrong(result, event, state, entry.bindings)))
        return
    if event.state and model.domains.number(state) <= _MOST_ASKED:
        named = {name for name, _ in event.steps}
        actions = model.subject.system.actions
        for number, arguments, target in islice(model.subject.system.successors(state), _MOST_STEPS):
            if actions[number] not in named and not any(_wrong(result, event, target, entry.bindings)):
                yield Candidate(actions[number], arguments, False)
    ways = (
        (name, arguments) for name, arguments in _ways(result, event, entry, state) if (name, arguments) not in enabled
    )
    for name, arguments in islice(ways, _MOST_ARGUMENTS):
        found = blamer.blame(name, arguments, state)
        if found is not None:
            yield Candidate(name, arguments, True, found)


def _ways(result: Validation, event: Event, entry: Entry, state: State) -> Iterator[tuple[str, tuple[Value, ...]]]:
    """The event's action with every argument that it can have meant."""
    model, bindings = result.model, entry.bindings
    for name, said in event.steps:
        known = model.arguments(state, name, said, bindings)
        if known is not None:
            yield from ((name, arguments) for arguments in known)
            continue
        for action, arguments in model.domains.candidates(state, Random(0)):
            if action == name and _some(model.arguments_match(name, said, arguments, bindings)):
                yield name, arguments


def _some(found: Iterator[Bindings]) -> bool:
    return next(found, None) is not None


def _wrong(result: Validation, event: Event, state: State, bindings: Bindings) -> Iterator[Row]:
    """What the event says of the state after the step and the model does not: part, model, run."""
    model = result.model
    for name, pattern in event.state.items():
        value = model.field(name, event.node, state)
        following = next(match(pattern, value, bindings, model.names), None)
        if following is not None:
            bindings = following
            continue
        resolved = shown(_resolved(pattern, bindings))
        partial = _overlaid(to_itf(value), resolved)
        found = rows(list(changes((name,), to_itf(value), partial)), model.names)
        if found:
            yield from found
        else:
            yield Row(name, str(to_itf(value)), str(resolved))


def _resolved(pattern: object, bindings: Bindings) -> object:
    """A pattern in which symbols whose value is known are replaced by it."""
    if isinstance(pattern, Offset):
        return pattern.number - bindings.prefix.base
    if isinstance(pattern, Symbol):
        known = bindings.known(pattern.name)
        return to_itf(known) if known is not None else pattern
    if isinstance(pattern, dict):
        return {key: _resolved(item, bindings) for key, item in pattern.items()}
    if isinstance(pattern, GrowingList):
        rest = unfolded(pattern, bindings)
        return _resolved(pattern.items if rest is None else rest, bindings)
    if isinstance(pattern, list | tuple):
        return [_resolved(item, bindings) for item in pattern]
    return pattern


def _overlaid(value: object, pattern: object) -> object:
    """The model's value with what the run says put over it, so that only what was said can differ."""
    if isinstance(pattern, dict) and "#unserializable" in pattern and pattern["#unserializable"] == "?":
        return value
    if not isinstance(pattern, dict) or not isinstance(value, dict):
        return pattern
    if any(key.startswith("#") for key in pattern):
        return pattern
    if "#map" in value:
        pairs = [
            [key, _overlaid(item, pattern[str(key)]) if str(key) in pattern else item] for key, item in value["#map"]
        ]
        known = {str(key) for key, _ in value["#map"]}
        return {"#map": pairs + [[key, item] for key, item in pattern.items() if key not in known]}
    if any(key.startswith("#") for key in value):
        return pattern
    return {**value, **{key: _overlaid(value.get(key), item) for key, item in pattern.items()}}
