"""How the lines of a log become events: a TOML file, or our own format where there is none.

[fields]                  # where a line has what; dots lead into objects; these are the defaults
node = "node"
action = "action"
arguments = "arguments"
state = "state"
sent = "sent"
received = "received"
sequence = "sequence"
clock = "at"

[actions]                 # names in the log -> actions of the model; with arguments, where to find them
LogAppend = "AppendPut"
Voted = { action = "Prepare", arguments = ["host"], state = ["status"], stutter = true }

[state]                   # fields of the state -> what they show, in TLA+; `node` is the event's node
"disk.logEnd" = "Len(disk[node].log)"

[ignore]                  # names of events, or fields of the state as "state.<field>" -> why they say nothing
Heartbeat = "the model knows no periodic heartbeats"

[values]                  # strings of the log -> values of the model
NoBroker = "none"

[run]
symbols = "m[0-9]+"       # strings that stand for values which the model names otherwise
logged = ["AppendPut"]    # actions that always leave a line; default: those that the run or this file names
hidden = ["Flush"]        # actions that never do, although something names them
constants = { MaxPuts = 100 }
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rmqproof.conformance.runs.event import RunError, Symbol

ALL = "*"
_FIELDS = {
    name: name for name in ("node", "action", "arguments", "state", "sent", "received", "sequence")
} | {"clock": "at"}  # fmt: skip
_SECTIONS = {"fields", "actions", "state", "ignore", "values", "run"}
_RUN = {"symbols", "logged", "hidden", "constants"}
_ACTION = {"action", "arguments", "state", "stutter"}


@dataclass(frozen=True, slots=True)
class ActionRule:
    """What an event's name means. `arguments` and `state`: paths in the line; None: the usual fields."""

    action: str | None
    arguments: tuple[str, ...] | None = None
    state: tuple[str, ...] | None = None
    stutter: bool = False


@dataclass(frozen=True, slots=True)
class RunMapping:
    """A mapping that was read. `state` None: fields of the state are the model's variables."""

    fields: Mapping[str, str] = field(default_factory=lambda: dict(_FIELDS))
    actions: Mapping[str, ActionRule] = field(default_factory=dict)
    state: Mapping[str, str] | None = None
    ignore: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    symbols: re.Pattern[str] | None = None
    logged: frozenset[str] | None = None
    hidden: frozenset[str] = frozenset()
    constants: Mapping[str, Any] = field(default_factory=dict)
    doubt: str = ""
    """Why it may be that the run is refused though the program did nothing wrong."""

    def value(self, value: Any) -> Any:
        """A value of the log as a pattern: names replaced, symbols marked."""
        if isinstance(value, str):
            if value in self.values:
                return self.values[value]
            return Symbol(value) if self.symbols is not None and self.symbols.fullmatch(value) else value
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            if "#map" in value:
                return {"#map": [[self.value(key), self.value(item)] for key, item in value["#map"]]}
            if "#bigint" in value:
                return value
            return {self.values.get(key, key): self.value(item) for key, item in value.items()}
        return value


def read_mapping(path: Path) -> RunMapping:
    """Raise `RunError` for a file that is no mapping, `OSError` for one that cannot be read."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RunError(f"{path}: {error}") from None
    problems = [
        f"{path}: there is no section [{name}]; there are {_listed(_SECTIONS)}." for name in content.keys() - _SECTIONS
    ]
    problems += [
        f"{path}: [fields] knows no {name}; it knows {_listed(_FIELDS)}."
        for name in content.get("fields", {}).keys() - _FIELDS.keys()
    ]
    problems += [
        f"{path}: [run] knows no {name}; it knows {_listed(_RUN)}." for name in content.get("run", {}).keys() - _RUN
    ]
    for section in ("fields", "state", "ignore", "values"):
        problems += [
            f"{path}: [{section}] {name} must be a text." for name, value in content.get(section, {}).items()
            if not isinstance(value, str) or (section == "ignore" and not value.strip())
        ]  # fmt: skip
    if problems:
        raise RunError(*problems)
    run = content.get("run", {})
    try:
        symbols = re.compile(run["symbols"]) if "symbols" in run else None
    except re.error as error:
        raise RunError(f"{path}: [run] symbols is no regular expression: {error}.") from None
    return RunMapping(
        {**_FIELDS, **content.get("fields", {})},
        {name: _rule(path, name, rule) for name, rule in content.get("actions", {}).items()},
        content.get("state"),
        content.get("ignore", {}),
        content.get("values", {}),
        symbols,
        frozenset(run["logged"]) if "logged" in run else None,
        frozenset(run.get("hidden", ())),
        run.get("constants", {}),
    )


def _rule(path: Path, name: str, rule: Any) -> ActionRule:
    if isinstance(rule, str):
        return ActionRule(rule)
    if not isinstance(rule, dict) or rule.keys() - _ACTION:
        raise RunError(f"{path}: [actions] {name} must be a text or a table with some of {_listed(_ACTION)}.")
    arguments, state = rule.get("arguments"), rule.get("state")
    return ActionRule(
        rule.get("action"),
        tuple(arguments) if arguments is not None else None,
        tuple(state) if state is not None else None,
        bool(rule.get("stutter", False)),
    )


def _listed(names: Any) -> str:
    return ", ".join(sorted(names))
