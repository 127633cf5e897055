"""Every reading of the Java in `spec/` names the class and the method that it was read from."""

from __future__ import annotations

import re

import pytest

from rmqproof.model.tla.library import PROTOCOL, SEARCHED, bundled

PLACE = re.compile(r"\b(?:HAS|HAC|HAK|RIM|RM|[A-Z][a-z]+[A-Z]\w+)\.[a-z]\w+")
"""A class, or its abbreviation in the head of AsShipped, and a method."""


def readings() -> list[tuple[str, str]]:
    """Module and name of each operator of the shipped reading."""
    found = []
    for path in sorted(path for folder in SEARCHED for path in (PROTOCOL / folder).glob("*.tla")):
        names = re.findall(r"^(\w+AsShipped)\b.*==", path.read_text(encoding="utf-8"), re.MULTILINE)
        found += [(path.stem, name) for name in names]
    return found


def about(module: str, name: str) -> str:
    """The paragraph that defines it, up to its own line: comments, and definitions that share them."""
    text = bundled(f"{module}.tla").read_text(encoding="utf-8")
    (before,) = re.findall(rf"\A(.*?^{name}\b)", text, re.MULTILINE | re.DOTALL)
    return before.split("\n\n")[-1]


def test_there_are_readings() -> None:
    assert len(readings()) > 35


@pytest.mark.parametrize(("module", "name"), readings())
def test_a_reading_of_the_java_names_its_place(module: str, name: str) -> None:
    assert PLACE.search(about(module, name)), about(module, name)
