"""`-generateSpecTE`: a specification that goes through a counterexample again, with expressions to be shown beside it.

Its modules and its configuration are those that TLC's class `TraceExplorationSpec` writes, but for the one that reads
the states from a file in Java's own form.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rmqproof.model.report.behaviour import Behaviour, Value
from rmqproof.model.report.value import Notation
from rmqproof.model.tla import core
from rmqproof.model.tla.config import Config

_RULE = "=" * 77
_START, _END = "_TTraceLassoStart", "_TTraceLassoEnd"


def file_of(spec: Path, given: Path | None) -> Path:
    """Where it is written: the module that `-teSpecOutDir` names, or one that is named by the time, in that folder."""
    if given is not None and given.suffix.lower() == ".tla":
        return given
    folder = given if given is not None else spec.parent
    return folder / f"{spec.stem}_TTrace_{int(time.time())}.tla"


@dataclass(frozen=True, slots=True)
class TraceSpec:
    """`name`: of the module to be written; `root`: of the specification that the behaviour is of."""

    name: str
    root: str
    model: core.Model
    config: Config
    behaviour: Behaviour
    notation: Notation

    @property
    def _loops(self) -> bool:
        """It ends in a lasso of several states; it may also stutter at the end."""
        return self.behaviour.loop is not None and self.behaviour.loop < len(self.behaviour.steps) - 1

    def text(self) -> str:
        """The module, those that it needs, and its configuration."""
        specification = self.model.specification
        known = {each.name for each in specification.constants} | specification.definitions.keys()
        new = [value for value in self.model.model_values if value not in known]
        declared = [*new, *((_START, _END) if self._loops else ())]
        constants = f"{self.root}_TEConstants"
        more = ["TLC", self.root, *([constants] if declared else [])]
        explored = ", ".join(["Sequences", "TLCExt", "Toolbox", "Naturals", *more])
        parts = [
            f"---- MODULE {self.name} ----",
            f"EXTENDS {explored}",
            "",
            *self._instance("expression", "TEExpression"),
            *self._instance("trace", "TETrace"),
            *self._property(),
            "----",
            "",
            *self._behaviour(),
            _RULE,
            "",
            f"---- MODULE {self.root}_TEExpression ----",
            f"EXTENDS {explored}",
            "",
            *self._expression(),
            "",
            _RULE,
            "",
            f"---- MODULE {self.root}_TETrace ----",
            f"EXTENDS {', '.join(more)}",
            "",
            "trace == ",
            "    <<",
            ",\n".join(f"    ({self._record(step.state)})" for step in self.behaviour.steps),
            "    >>",
            "----",
            "",
            _RULE,
        ]
        if declared:
            parts += ["", f"---- MODULE {constants} ----", f"EXTENDS {self.root}", ""]
            parts += [f"CONSTANTS {', '.join(declared)}", "", _RULE]
        return "\n".join([*parts, "", *self._configuration(), ""])

    def _instance(self, name: str, module: str) -> list[str]:
        module = f"{self.root}_{module}"
        return [f"_{name} ==", f"    LET {module} == INSTANCE {module}", f"    IN {module}!{name}", "----", ""]

    def _property(self) -> list[str]:
        """What the behaviour violates: that it ends in its last state, or that it repeats as it does."""
        steps, loop = self.behaviour.steps, self.behaviour.loop
        if loop is None:
            lines = ["_inv ==", "    ~(", '        TLCGet("level") = Len(_TETrace)', "        /\\"]
            return [*lines, *self._equal(steps[-1].state, 8), "    )"]
        if not self._loops:
            return ["_prop ==", "    ~<>[](", *self._equal(steps[-1].state, 8), "    )"]
        last, first = (self._equal(step.state, 12) for step in (steps[-1], steps[loop]))
        return ["_prop ==", "    ~(([]<>(", *last, "    ))/\\([]<>(", *first, "    )))"]

    def _equal(self, state: Mapping[str, Value], indent: int) -> list[str]:
        pad = " " * indent
        return f"\n{pad}/\\\n".join(f"{pad}{name} = ({self.notation.line(state[name])})" for name in state).split("\n")

    def _behaviour(self) -> list[str]:
        names = self.behaviour.variables
        lines = ["_init ==", *(f"    /\\ {name} = _TETrace[1].{name}" for name in names), "----", "", "_next =="]
        lines += ["    /\\ \\E i,j \\in DOMAIN _TETrace:", "        /\\ \\/ /\\ j = i + 1"]
        lines += ['              /\\ i = TLCGet("level")']
        if self._loops:
            lines += [f"           \\/ /\\ i = {_END}", f"              /\\ j = {_START}"]
        for name in names:
            lines += [f"        /\\ {name}  = _TETrace[i].{name}", f"        /\\ {name}' = _TETrace[j].{name}"]
        lines.append("")
        if self._loops:
            level = f'IF TLCGet("level") = {_END} + 1 THEN {_START} ELSE TLCGet("level")'
            lines += ["_view ==", f"    <<{', '.join(names)}, {level}>>"]
        return lines

    def _expression(self) -> list[str]:
        first, *others = self.behaviour.variables
        return [
            "expression == ",
            "    [",
            "        \\* Leave out what is not to be shown, and add expressions of states and steps.",
            f"        {first} |-> {first}",
            *(f"        ,{name} |-> {name}" for name in others),
            "        \\* ,_stateNumber |-> _TEPosition",
            f"        \\* ,_{first}Unchanged |-> {first} = {first}'",
            "    ]",
        ]

    def _record(self, state: Mapping[str, Value]) -> str:
        return f"[{','.join(f'{name} |-> {self.notation.line(value)}' for name, value in state.items())}]"

    def _configuration(self) -> list[str]:
        values = [*_constants(self.config), *(f"{name} = {name}" for name in self.model.model_values)]
        lines = ["CONSTANTS", *(f"    {line}" for line in values)] if values else []
        if self._loops:
            assert self.behaviour.loop is not None
            lines += [f"{_START} = {self.behaviour.loop + 1}", f"{_END} = {len(self.behaviour.steps)}"]
        kind, formula = ("INVARIANT", "_inv") if self.behaviour.loop is None else ("PROPERTY", "_prop")
        sections = [(kind, formula), ("CHECK_DEADLOCK", "FALSE"), ("INIT", "_init"), ("NEXT", "_next")]
        sections += [("VIEW", "_view")] if self._loops else []
        sections += [("CONSTANT", "_TETrace <- _trace"), ("ALIAS", "_expression")]
        lines = [f"---- CONFIG {self.name} ----", *lines]
        for keyword, what in sections:
            lines += ["", keyword, f"    {what}"]
        return [*lines, _RULE]


def _constants(config: Config) -> Sequence[str]:
    """What the configuration says of constants and operators, a line each."""
    lines = []
    for given in config.assignments:
        arguments = f"({', '.join(argument.at.text for argument in given.arguments)})" if given.arguments else ""
        module = f"[{given.module.text}]" if given.module is not None else ""
        lines.append(f"{given.name.text}{arguments} = {module}{given.value.at.text}")
    for replaced in config.replacements:
        module = f"[{replaced.module.text}]" if replaced.module is not None else ""
        lines.append(f"{replaced.name.text} <- {module}{replaced.by.text}")
    return lines
