"""Constants without compiled form, whose values the program has: what TLC goes several ways through is no value."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.tla.model_files import ModelFiles

BAG = "b == SetToBag({1})\n"
UNITED = "b \\sqsubseteq BagUnion({b})"
BY_TLC = {
    f"Init == x = 0\nNext == LET h == {UNITED} \\/ b = b IN (h /\\ x' = 1) \\/ (~h /\\ x' = 2)": (5, 2),
    f"h == {UNITED} \\/ b = b\nInit == x = 0\nNext == (h /\\ x' = 1) \\/ (~h /\\ x' = 2)": (3, 2),
    f"Init == x = 0\nNext == ({UNITED} \\/ b = b) /\\ x' = 1": (5, 2),
    f"Init == x = 0 /\\ ({UNITED} \\/ b = b)\n"
    f"Next == (\\E c \\in {{b, b (+) b}} : b \\sqsubseteq BagUnion({{b}})) /\\ x' = 1": (
        5,
        2,
    ),
}
"""Generated, distinct. A definition without parameters has a value before the search, one by LET has none."""


@pytest.mark.parametrize("body", BY_TLC)
def test_ways_are_counted_as_by_tlc(body: str, tmp_path: Path) -> None:
    spec, config = tmp_path / "Ways.tla", tmp_path / "Ways.cfg"
    spec.write_text(f"---- MODULE Ways ----\nEXTENDS Integers, Bags\nVARIABLE x\n{BAG}{body}\n====\n")
    config.write_text("INIT Init\nNEXT Next\n")
    for engine in ("python", "native"):
        result = check(ModelFiles(spec, config), Options(engine=engine, workers=1)).result
        assert (result.engine, result.total, result.distinct) == (engine, *BY_TLC[body])
