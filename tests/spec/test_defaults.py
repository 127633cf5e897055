"""A configuration names only what is special about it: no value that its module's definition has anyway."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SPEC = Path(__file__).parents[2] / "spec"
MODULES = {path.stem: path.read_text(encoding="utf-8") for path in SPEC.rglob("*.tla")}
CONFIGURATIONS = sorted(SPEC.rglob("*.cfg"))


def defaults_of(module: str) -> dict[str, str]:
    """What the definitions on one line say, in the module and in those that it extends."""
    text = MODULES.get(module, "")
    found: dict[str, str] = {}
    for extended in re.findall(r"^EXTENDS ((?:[^\n]*,\s*)*[^\n]*)", text, re.MULTILINE):
        for name in re.findall(r"\w+", extended):
            found |= defaults_of(name)
    return found | dict(re.findall(r"^(\w+) == (\S+)$", text, re.MULTILINE))


def repeated(config: str, defaults: dict[str, str]) -> list[str]:
    return [
        name
        for name, value in re.findall(r"^ +(\w+) (?:=|<-) (.+)$", config, re.MULTILINE)
        if defaults.get(name) == value
    ]


def test_no_configuration_repeats_a_default() -> None:
    assert len(CONFIGURATIONS) > 400
    wrong = []
    for path in CONFIGURATIONS:
        text = path.read_text(encoding="utf-8")
        named = re.search(r"^\\\* SPEC (\S+)\.tla", text, re.MULTILINE)
        module = Path(named[1]).name.removeprefix("rmqproof:") if named else path.stem
        assert module in MODULES, path
        wrong += [f"{path.relative_to(SPEC)}: {name}" for name in repeated(text, defaults_of(module))]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("line", "found"), [("MaxEpoch = 2", ["MaxEpoch"]), ("MaxEpoch = 3", []), ("AllAck = TRUE", ["AllAck"])]
)
def test_a_repeated_default_is_seen(line: str, found: list[str]) -> None:
    assert repeated(f"CONSTANTS\n  {line}\n", defaults_of("ControllerMode")) == found
