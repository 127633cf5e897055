"""Read recorded runs: one JSON object a line, one event each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rmqproof.conformance.runs.event import Event, Origin, RunError
from rmqproof.conformance.runs.mapping import ActionRule, RunMapping

_MOST_PROBLEMS = 20


def read_runs(paths: Sequence[Path], mapping: RunMapping) -> list[Event]:
    """The events of these logs, in the order in which they stand. Raise `RunError` with every line that is no event."""
    return list(each_event(paths, mapping))


def event_of(text: str, origin: Origin, mapping: RunMapping) -> Event:
    """The event of one line, which is a JSON object. Raise `RunError`."""
    problems: list[str] = []
    found = _event(json.loads(text), origin, text, mapping, problems, Sharing())
    if found is None or problems:
        raise RunError(*problems)
    return found


def each_event(paths: Sequence[Path], mapping: RunMapping) -> Iterator[Event]:
    """As `read_runs`, one after another; it raises at the end."""
    problems: list[str] = []
    sharing = Sharing()
    for path in paths:
        for origin, line in _lines(path):
            try:
                content = json.loads(line)
            except ValueError as error:
                problems.append(f"{origin}: this is no JSON: {error}.")
                continue
            if not isinstance(content, dict):
                problems.append(f"{origin}: an event is a JSON object, and this is {type(content).__name__}.")
                continue
            event = _event(content, origin, line, mapping, problems, sharing)
            if event is not None:
                yield event
    if problems:
        more = len(problems) - _MOST_PROBLEMS
        raise RunError(*problems[:_MOST_PROBLEMS], *([f"… and {more} more."] if more > 0 else []))


class Sharing:
    """Lines of one node say much the same of its state: equal parts are kept once."""

    def __init__(self) -> None:
        self._last: dict[str, dict[str, Any]] = {}

    def of(self, node: str, state: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a node's line says of its state, with the objects of its last one where they are equal."""
        if not state:
            return state
        last = self._last.setdefault(node, {})
        for name, value in state.items():
            if name not in last or last[name] != value:
                last[name] = value
        return {name: last[name] for name in state}


def _lines(path: Path) -> Iterator[tuple[Origin, str]]:
    name = str(path)
    try:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield Origin(name, number), line.rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise RunError(f"{path}: this is no UTF-8 text ({error.reason}).") from None


def _event(
    content: dict[str, Any], origin: Origin, line: str, mapping: RunMapping, problems: list[str], sharing: Sharing
) -> Event | None:
    fields = mapping.fields
    name = at_path(content, fields["action"])
    if isinstance(name, str) and name in mapping.ignore:
        name, ignored = None, True
    else:
        ignored = False
    if name is not None and not isinstance(name, str):
        problems.append(f"{origin}: {fields['action']} must be the name of an action, and is {name!r}.")
        return None
    node = at_path(content, fields["node"])
    if not isinstance(node, str | int) or isinstance(node, bool):
        problems.append(f"{origin}: {fields['node']} must say which node wrote this, and is {node!r}.")
        return None
    rule = mapping.actions.get(name) if name is not None else None
    node = mapping.values.get(str(node), str(node))
    sequence = at_path(content, fields["sequence"])
    if sequence is not None and (not isinstance(sequence, int) or isinstance(sequence, bool)):
        problems.append(f"{origin}: {fields['sequence']} must be a number, and is {sequence!r}.")
        return None
    clock = at_path(content, fields["clock"])
    state = {} if ignored else _state(content, rule, mapping)
    return Event(
        node=node,
        action=rule.action if rule is not None else name,
        arguments=() if ignored else _arguments(content, rule, mapping),
        state=sharing.of(node, state),
        sent=_texts(at_path(content, fields["sent"])),
        received=_texts(at_path(content, fields["received"])),
        sequence=sequence,
        clock=clock if isinstance(clock, int | float) else None,
        may_stutter=rule.stutter if rule is not None else False,
        origin=origin,
        text=line,
    )


def _arguments(content: dict[str, Any], rule: ActionRule | None, mapping: RunMapping) -> Any:
    if rule is not None and rule.arguments is not None:
        return tuple(mapping.value(at_path(content, path)) for path in rule.arguments)
    found = at_path(content, mapping.fields["arguments"])
    if isinstance(found, dict):
        return {name: mapping.value(value) for name, value in found.items()}
    return tuple(mapping.value(value) for value in found) if isinstance(found, list) else ()


def _state(content: dict[str, Any], rule: ActionRule | None, mapping: RunMapping) -> dict[str, Any]:
    """What the line says of the state, by variable or by what the mapping calls it."""
    if rule is not None and rule.state is not None:
        return {path: mapping.value(at_path(content, path)) for path in rule.state}
    found = at_path(content, mapping.fields["state"])
    if not isinstance(found, dict):
        return {}
    if mapping.state is None:
        return {name: mapping.value(value) for name, value in found.items() if f"state.{name}" not in mapping.ignore}
    return {path: mapping.value(value) for path, value in _leaves(found, "", mapping)}


def _leaves(value: dict[str, Any], prefix: str, mapping: RunMapping) -> Iterator[tuple[str, Any]]:
    """The fields that the mapping knows; one that it does not is taken apart, down to what can only be unknown."""
    assert mapping.state is not None
    for name, inside in value.items():
        path = f"{prefix}{name}"
        if f"state.{path}" in mapping.ignore:
            continue
        deeper = isinstance(inside, dict) and not any(key.startswith("#") for key in inside)
        if path not in mapping.state and deeper and any(known.startswith(f"{path}.") for known in mapping.state):
            yield from _leaves(inside, f"{path}.", mapping)
        else:
            yield path, inside


def at_path(content: Any, path: str) -> Any:
    """What stands at `a.b.0` in a JSON value; None where there is nothing."""
    for part in path.split("."):
        if isinstance(content, dict):
            content = content.get(part)
        elif isinstance(content, list) and part.lstrip("-").isdigit() and -len(content) <= int(part) < len(content):
            content = content[int(part)]
        else:
            return None
    return content


def _texts(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),)
