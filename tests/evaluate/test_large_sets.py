"""Sets with more elements than can be kept: an error that says so, and soon, from the engines and from the judge."""

from __future__ import annotations

import pytest

from rmqproof import check, load

TEXT = """---- MODULE Large ----
EXTENDS Integers
VARIABLE x
Init == x = {{}}
Next == {step}
===="""


@pytest.mark.parametrize(
    "step",
    [
        "x' = SUBSET SUBSET (1..36)",
        "x' = SUBSET (1..40)",
        "\\E y \\in {1, 2} : x' = SUBSET (1..40)",
        "\\E f \\in [{1} -> SUBSET (1..23)] : x' = f[1]",
        "\\E f \\in [a: SUBSET (1..23)] : x' = f.a",
        "\\E s \\in SUBSET SUBSET (1..36) : x' = s",
        "[SUBSET (1..40) -> {1}] = {} /\\ x' = x",
        "(SUBSET (1..40)) \\X {1} = {} /\\ x' = x",
    ],
)
def test_a_set_that_is_too_large_is_an_error(step: str) -> None:
    found = check(load(TEXT.replace("{{}}", "{}").replace("{step}", step), "INIT Init\nNEXT Next\n"), engine="python")
    assert found.verdict == "error"
    assert "Large.tla:5:" in found.message
    assert "too many to build" in found.message
    assert len(found.message) < 1_000
    assert "SUBSET" in found.judged.left_out
