"""Messages of several kinds and refinements are drawn, and a union that nobody puts in order shows in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.evaluate import combined_sets
from tools.fuzz.engines import ENGINES
from tools.fuzz.generate import generate
from tools.fuzz.specification import Role
from tools.fuzz.types import Tagged

MANY = range(3_000, 3_200)
FOUND = 248_040_445
"""The first that shows it from 248,040,000 on. Another generator needs another."""


def test_they_are_drawn() -> None:
    specs = [generate(seed) for seed in MANY]
    kinds = {
        node.type
        for spec in specs
        for definition in spec.definitions()
        for node in definition.body.nodes()
        if isinstance(node.type, Tagged)
    }
    assert {kind.tag is None for kind in kinds} == {kind.one_form for kind in kinds} == {True, False}
    assert any(case.content is None for kind in kinds for case in kind.cases)
    refined = [each for spec in specs for each in spec.with_role(Role.PROPERTY) if each.safe]
    assert len(refined) >= len(MANY) / 20


@pytest.mark.parametrize("all_compare", [False, True])
def test_a_union_that_is_not_put_in_order_is_found(
    all_compare: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = generate(FOUND).write(tmp_path)
    if all_compare:
        monkeypatch.setattr(combined_sets, "comparable_sets", lambda a, b: True)
    assert ENGINES["python"](spec).differs(ENGINES["reference"](spec)) is all_compare
