"""A file that the specification writes is read each time anew, as in TLC; one that it only reads, once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.tla.model import load_model
from tests.evaluate.asked import verdict

ASSUMED = """---- MODULE K ----
EXTENDS Json
Written(value) == JsonSerialize("FILE", value) /\\ JsonDeserialize("FILE") = value
First == ndJsonSerialize("FILE", <<1, 2>>) /\\ LET read == ndJsonDeserialize("FILE") IN read = <<1, 2>>
Second == ndJsonSerialize("FILE", <<3>>) /\\ LET read == ndJsonDeserialize("FILE") IN read = <<3>>
ASSUME First
ASSUME Second
ASSUME Written(<<4>>) /\\ Written(<<5>>)
====
"""
STEPS = """---- MODULE K ----
EXTENDS Json, Naturals
VARIABLE x
Init == x = 0 /\\ JsonSerialize("FILE", <<0>>)
Next == x < 4 /\\ x' = x + 1 /\\ JsonSerialize("FILE", <<x'>>)
Last == JsonDeserialize("FILE")[1]
Read == JsonDeserialize("FILE")[1] = x
Below == JsonDeserialize("FILE")[1] < 3
====
"""


def said(folder: Path, text: str, config: str = "") -> str:
    """By both engines."""
    text = text.replace("FILE", str(folder / "file.json"))
    (found,) = {verdict(engine, text, config, folder) for engine in ("python", "native")}
    return found


def test_assumptions(tmp_path: Path) -> None:
    """TLC: no error. The second read had the value of the first, which is the same expression."""
    assert said(tmp_path, ASSUMED) == "success"
    assert said(tmp_path, ASSUMED.replace("IN read = <<3>>", "IN read = <<1, 2>>")) == "assumption failure"


@pytest.mark.parametrize(("invariant", "expected"), [("Read", "success"), ("Below", "safety failure")])
def test_states(invariant: str, expected: str, tmp_path: Path) -> None:
    config = f"INIT Init\nNEXT Next\nINVARIANT {invariant}\nCHECK_DEADLOCK FALSE\n"
    assert said(tmp_path, STEPS, config) == expected


@pytest.mark.parametrize("written", [True, False])
def test_what_is_only_read_is_computed_once(written: bool, tmp_path: Path) -> None:
    text = STEPS if written else re.sub(r" /\\ JsonSerialize.*", "", STEPS)
    path = tmp_path / "K.tla"
    path.write_text(text)
    path.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\n")
    system = system_of(load_model(path, path.with_suffix(".cfg")))
    last = system.model.specification.definitions["Last"]
    assert system.analysis.of_definition(last).constant is not written
