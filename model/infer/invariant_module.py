"""The invariant as a module whose lemmas `rmqproof prove` proves by itself, and the configuration beside it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rmqproof.model.infer.finding import Conjunct
from rmqproof.model.infer.writing import Unwritten, text_of
from rmqproof.model.tla import core
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError

_DIRECTIVE = re.compile(r"^[ \t]*\\\*[ \t]*(EXPECT|GROUP|SPEC|LIBRARY)\b.*\n?", re.MULTILINE)
_CHECKED = re.compile(
    r"^[ \t]*(INVARIANTS?|PROPERTY|PROPERTIES|CONSTRAINTS?|ACTION_CONSTRAINTS?|SYMMETRY|VIEW|ALIAS|POSTCONDITIONS?"
    r"|CHECK_DEADLOCK)\b(?:(?!^[ \t]*[A-Z_]+S?\b)[^\n]*\n?)+",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Written:
    """Where the module and its configuration are."""

    module: Path
    config: Path
    invariant: str


def invariant_module(
    files: ModelFiles, model: core.Model, properties: Sequence[str], conjuncts: Sequence[Conjunct], name: str
) -> str:
    """The text. Raise `TlaError` where the steps of the specification have no name."""
    taken = {*model.specification.definitions, *(c.name for c in model.specification.constants)}
    taken |= {variable.name for variable in model.specification.variables}
    stem = next(word for word in ("Lemma", "Conjunct", "InferredConjunct") if f"{word}1" not in taken)
    inv = _invariant_name(taken)
    initial, following = (_named(model, part) for part in (model.initial, model.next))
    lines = [
        f"---- MODULE {name} ----",
        f"(* An inductive invariant of {files.spec.stem}, found by: rmqproof infer.",
        "   To be proved: rmqproof prove. *)",
        f"EXTENDS {files.spec.stem}",
        "",
    ]
    parts = []
    for conjunct in conjuncts:
        if conjunct.name:
            parts.append(conjunct.name)
            continue
        parts.append(f"{stem}{len([p for p in parts if p.startswith(stem)]) + 1}")
        lines.append(f"{parts[-1]} == {conjunct.text}")
    lines += ["", f"{inv} ==", *(f"  /\\ {part}" for part in parts), ""]
    lines += list(_theorems(inv, initial, following, properties))
    return "\n".join([*lines, "====", ""])


def _theorems(inv: str, initial: str, following: str, properties: Sequence[str]) -> Iterator[str]:
    yield "\\* The invariant holds at the start."
    yield f"THEOREM {inv}HoldsInitially == ASSUME {initial} PROVE {inv}"
    yield ""
    yield "\\* Every step keeps the invariant."
    yield f"THEOREM {inv}IsInductive == ASSUME Before:: {inv}, {following} PROVE {inv}'"
    for name in properties:
        yield ""
        yield f"\\* The invariant implies {name}."
        yield f"THEOREM {inv}Implies{name} == ASSUME Holds:: {inv} PROVE {name}"


def _invariant_name(taken: set[str]) -> str:
    return next(word for word in ("Inv", "IndInv", "Inductive", "InferredInvariant") if word not in taken)


def _named(model: core.Model, formula: core.Expression | None) -> str:
    """The name of Init or Next."""
    while isinstance(formula, core.BoxAction):
        formula = formula.action
    try:
        if isinstance(formula, core.Call):
            return text_of(formula, {}, model.specification.definitions)
    except Unwritten:
        pass
    raise TlaError(
        "the initial states and the steps have no names that another module could use",
        formula.at if formula is not None else None,
        "Give them names: Init == …, Next == …, and Spec == Init /\\ [][Next]_vars.",
        "config",
    )


def write_module(files: ModelFiles, text: str, name: str, folder: Path) -> Written:
    """Write the module and a configuration with the constants of the model. Raise `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    module, config = folder / f"{name}.tla", folder / f"{name}.cfg"
    module.write_text(text, encoding="utf-8")
    config.write_text(_config(files, folder), encoding="utf-8")
    found = re.search(r"^THEOREM (\w+)HoldsInitially", text, re.MULTILINE)
    assert found is not None
    return Written(module, config, found[1])


def _config(files: ModelFiles, folder: Path) -> str:
    text = _CHECKED.sub("", _DIRECTIVE.sub("", files.config_text)).strip()
    here = files.spec.resolve().parent
    lines = [f"\\* The constants of {files.name}; to be proved: rmqproof prove."]
    if here != folder.resolve():
        lines.append(f"\\* LIBRARY {os.path.relpath(here, folder.resolve())}")
    return "\n".join([*lines, text, "CHECK_DEADLOCK FALSE", ""])
