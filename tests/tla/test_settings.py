"""A definition with a type annotation is a constant with a default: a configuration names it only to change it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.tla.findings import static_findings
from rmqproof.model.tla.model import load_model
from tests.tla.core_text import text

MODULES = {
    "Base": """
EXTENDS Naturals
CONSTANT Node
\\* Crashes.
\\* @type: Int;
MaxCrashes == 0
\\* @type: Bool;
Late == FALSE
\\* @type: Set(NODE);
Learners == {}
\\* @type: Set(Str);
Words == {"a", "b"}
\\* Not annotated: a definition like another.
Plain == 7
\\* @type: Int;
Sum == MaxCrashes + 1
""",
    "M": """EXTENDS Naturals, Base
VARIABLE x
Many == 5
Init == x = MaxCrashes
Next == x < Sum /\\ ~Late /\\ Learners = {} /\\ x' = x + Plain
""",
}
BEHAVIOUR = "INIT Init\nNEXT Next\nCONSTANTS\n  Node = {n1, n2}\n"


def loaded(folder: Path, config: str):
    for name, body in MODULES.items():
        (folder / f"{name}.tla").write_text(f"---- MODULE {name} ----\n{body.replace(chr(92) * 2, chr(92))}\n====\n")
    (folder / "M.cfg").write_text(BEHAVIOUR + config)
    return load_model(folder / "M.tla")


def values(model) -> dict[str, str]:
    return {c.name: text(c.value) for c in model.specification.constants if c.value is not None}


def test_a_setting_has_its_default(tmp_path: Path) -> None:
    found = values(loaded(tmp_path, ""))
    assert list(found) == ["Node", "MaxCrashes", "Late", "Learners", "Words"]
    assert (found["MaxCrashes"], found["Late"], found["Learners"]) == ("0", "False", "[SetEnumeration <>]")


def test_a_configuration_changes_it(tmp_path: Path) -> None:
    model = loaded(tmp_path, "  MaxCrashes = 3\n  Learners = {n2}\n  Plain = 8\n")
    found = values(model)
    assert (found["MaxCrashes"], found["Learners"], found["Late"]) == ("3", "[SetEnumeration <`n2`>]", "False")
    assert "Plain" not in found, "what has no annotation stays a definition, which may have another value too"
    (start,) = model.initial.definition.body.arguments[1:]
    assert text(start) == "$MaxCrashes"


@pytest.mark.parametrize(
    "line", ["  MaxCrashes <- Many\n", "  MaxCrashes = [Base] 5\n", "  MaxCrashes <- [Base] Many\n"]
)
def test_what_replaces_it_wins(tmp_path: Path, line: str) -> None:
    model = loaded(tmp_path, line)
    assert "MaxCrashes" not in values(model)
    (start,) = model.initial.definition.body.arguments[1:]
    assert text(start) in ("Many", "5")


def test_only_a_value_that_somebody_gave_is_found_unused(tmp_path: Path) -> None:
    found = [finding.message for finding in static_findings(loaded(tmp_path, '  Words = {"c"}\n'))]
    assert [line for line in found if "Words does not matter" in line]
    assert not [line for line in static_findings(loaded(tmp_path, "")) if "Words" in line.message]
