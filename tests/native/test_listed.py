"""Sets of records over larger universes, which are vectors of places: small models with every set kept so."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native import representation
from rmqproof.model.native.engine import NativeModel, permutations_of
from rmqproof.model.native.representation import listed_size
from rmqproof.model.tla.model import load_model
from rmqproof.model.types.domain import Set, all_parts
from tests.native import test_kernel
from tests.native.differential import interpreted, native, outcome

NATIVE = Path(__file__).parent / "specs"
EVALUATE = Path(__file__).parents[1] / "evaluate" / "specs"


@pytest.mark.parametrize(
    ("spec", "config"),
    [
        (EVALUATE / "Lock.tla", EVALUATE / "LockSymmetric.cfg"),
        *((NATIVE / f"{name}.tla", NATIVE / f"{name}.cfg") for name in ("Deliveries", "Structures", "TaggedMessages")),
        (NATIVE / "ReadingOrder.tla", NATIVE / "ReadingOrder.cfg"),
    ],
    ids=lambda path: path.stem,
)
def test_vectors_of_places(monkeypatch: pytest.MonkeyPatch, spec: Path, config: Path) -> None:
    monkeypatch.setattr(representation, "LARGEST_UNIVERSE", 2)
    model = load_model(spec, config)
    system = system_of(model)
    expected, found = interpreted(model, system=system), native(model, system=system)
    assert outcome(found.result) == outcome(expected.result)
    assert found.states == expected.states

    compiled = NativeModel(model, False, group=permutations_of(system))
    compiled.generate()
    inside = [part for type_ in compiled.program.layout.types for part in all_parts(type_)]
    assert any(isinstance(part, Set) and listed_size(part.element) is not None for part in inside)


def test_states_as_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(representation, "LARGEST_UNIVERSE", 2)
    for name in ("LockConstrained", "LockView"):
        test_kernel.test_a_search_over_columns_finds_what_the_python_engine_finds(
            EVALUATE / "Lock.tla", EVALUATE / f"{name}.cfg"
        )
