"""Sets of records over larger universes, which are vectors of places: small models with every set kept so."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.engine import NativeModel, permutations_of
from rmqproof.model.native.representation import Capacity, Structures
from rmqproof.model.tla.model import load_model
from rmqproof.model.types.domain import Set, all_parts
from tests.native.differential import interpreted, native, outcome
from tests.native.test_kernel import assert_the_columns_agree

NATIVE = Path(__file__).parent / "specs"
EVALUATE = Path(__file__).parents[1] / "evaluate" / "specs"
SMALL = Capacity(universe=2)
"""A set over more than two values is no bit set."""


@pytest.mark.parametrize(
    ("spec", "config"),
    [
        (EVALUATE / "Lock.tla", EVALUATE / "LockSymmetric.cfg"),
        *((NATIVE / f"{name}.tla", NATIVE / f"{name}.cfg") for name in ("Deliveries", "Structures", "TaggedMessages")),
        (NATIVE / "ReadingOrder.tla", NATIVE / "ReadingOrder.cfg"),
    ],
    ids=lambda path: path.stem,
)
def test_vectors_of_places(spec: Path, config: Path) -> None:
    model = load_model(spec, config)
    system = system_of(model)
    expected, found = interpreted(model, system=system), native(model, system=system, capacity=SMALL)
    assert outcome(found.result) == outcome(expected.result)
    assert found.states == expected.states

    compiled = NativeModel(model, False, group=permutations_of(system), capacity=SMALL)
    compiled.generate()
    inside = [part for type_ in compiled.program.layout.types for part in all_parts(type_)]
    listed_size = Structures(SMALL.universe).listed_size
    assert any(isinstance(part, Set) and listed_size(part.element) is not None for part in inside)


def test_states_as_columns() -> None:
    for name in ("LockConstrained", "LockView"):
        assert_the_columns_agree(EVALUATE / "Lock.tla", EVALUATE / f"{name}.cfg", SMALL)
