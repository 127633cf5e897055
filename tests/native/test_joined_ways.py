"""What follows a choice between few ways, written once for all of them: as it is with a copy for each."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.native.engine import NativeModel
from rmqproof.model.native.representation import Capacity
from rmqproof.model.tla.model import load_model
from tests.at_length import all_but, every
from tests.native.differential import interpreted, native, outcome
from tests.native.test_specs import SMALL

ALWAYS = Capacity(letters=0)


@pytest.mark.parametrize(
    ("spec", "config"), every(2, all_but(SMALL, "SteadyParts", "Orbits", "Paxos")), ids=lambda path: path.stem
)
def test_joined_ways_are_the_same_ways(spec: Path, config: Path) -> None:
    model = load_model(spec, config)
    expected, found = interpreted(model), native(model, capacity=ALWAYS)
    assert outcome(found.result) == outcome(expected.result)
    assert found.states == expected.states


CHOICES = """
---- MODULE Choices ----
EXTENDS Naturals
VARIABLES w, x, y, z
Bound(n, v, limit) ==
    IF v < limit
    THEN n' = v + 1
    ELSE \\/ v > 1 /\\ n' = 0
         \\/ v < 2 /\\ n' = v
Step(n, v) == \\/ v = 0 /\\ n' = 2
              \\/ v > 0 /\\ n' = v - 1
Next == /\\ Step(w, w)
        /\\ Step(x, x)
        /\\ Step(y, y)
        /\\ IF w > x THEN Bound(z, z, 2) ELSE UNCHANGED z
        /\\ w + x + y + z < 7
Init == w = 0 /\\ x = 1 /\\ y = 2 /\\ z = 0
====
"""


def test_the_text_grows_with_the_choices_and_does_not_double(tmp_path: Path) -> None:
    (tmp_path / "Choices.tla").write_text(CHOICES, encoding="utf-8")
    (tmp_path / "Choices.cfg").write_text("INIT Init NEXT Next CHECK_DEADLOCK FALSE\n", encoding="utf-8")
    model = load_model(tmp_path / "Choices.tla", tmp_path / "Choices.cfg")
    copied, joined = NativeModel(model, False), NativeModel(model, False, capacity=ALWAYS)
    copied.generate()
    joined.generate()
    assert copied.program.source.count("slot_(c);") > 2 * joined.program.source.count("slot_(c);")
    expected = interpreted(model)
    for capacity in (None, ALWAYS):
        found = native(model, capacity=capacity)
        assert outcome(found.result) == outcome(expected.result)
        assert found.states == expected.states
