"""The operators of the shipped modules mean what TLC's do: every ASSUME in `specs/` is true.

The values in these specifications were verified with TLC and the TLA+ community's modules (`LaterOperators` with the
definitions alone, since TLC's release does not have them).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import check_assumptions
from rmqproof.model.tla.model import load_model

SPECS = sorted((Path(__file__).parent / "specs").glob("*.tla"))


@pytest.mark.parametrize("spec", SPECS, ids=[spec.stem for spec in SPECS])
def test_assumptions_hold(spec: Path) -> None:
    model = load_model(spec, None)
    assert model.specification.assumptions
    assert check_assumptions(model) == []
