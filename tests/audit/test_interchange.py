"""Sets whose elements the text does not tell apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.audit.interchange import interchangeable
from rmqproof.model.tla.model import load_model


@pytest.mark.parametrize(
    ("step", "names"),
    [
        ("\\E e \\in S : x' = x \\cup {e} /\\ Cardinality(x) < 2", ["S", "T"]),
        ("x' = {CHOOSE e \\in S : e \\notin x}", []),
        ("x' = {One}", ["T"]),
        ("x' = S /\\ ToString(x) # ToString(x')", []),
    ],
)
def test_what_the_text_tells_apart(step: str, names: list[str], tmp_path: Path) -> None:
    spec, config = tmp_path / "Alike.tla", tmp_path / "Alike.cfg"
    head = "EXTENDS FiniteSets, Naturals, TLC\nCONSTANTS S, T, One\nVARIABLE x\nInit == x = {}\n"
    spec.write_text(f"---- MODULE Alike ----\n{head}Next == {step}\nSmall == x \\subseteq S \\cup T\n====\n")
    config.write_text("CONSTANTS S = {a, b} T = {c, d} One = a\nINIT Init\nNEXT Next\nINVARIANT Small\n")
    found = [constant.name for constant in interchangeable(load_model(spec, config))]
    assert found == names
