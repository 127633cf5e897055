"""UNION of several sets of which some are described: TLC sorts them, and asks them in that order. Its answers."""

from __future__ import annotations

import pytest

from rmqproof import check, load

TEXT = """---- MODULE Sorted ----
EXTENDS Integers, FiniteSets
CONSTANT m
VARIABLE x
Init == x = 0
Next == x' = IF {asked} THEN 1 ELSE 2
===="""
CONFIG = "INIT Init\nNEXT Next\nCONSTANT m = m\n"
FAILS = [
    "UNION {{m, 1}, [{} -> {1}]} = {}",
    "Cardinality(UNION {{m, 1}, [{} -> {1}]}) = 3",
    "\\E z \\in UNION {{m, 1}, [{} -> {1}]} : z = m",
    "1 \\in UNION {{m, 1}, [{} -> {1}]}",
    "UNION {{1}, [{} -> {1}]} = {}",
    "m \\in UNION {{1}, [{} -> {1}]}",
]
HOLDS = [
    "<<>> \\in UNION {{m, 1}, [{} -> {1}]}",
    "m \\in UNION {{m, 1}, [{} -> {1}]}",
    "UNION {{<<1>>}, [{} -> {1}]} = {<<>>, <<1>>}",
    "UNION {{m, <<1>>}, [{} -> {1}]} = {m, <<>>, <<1>>}",
]


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("asked", FAILS)
def test_what_tlc_compares_in_vain_is_an_error(asked: str, engine: str) -> None:
    found = check(load(TEXT.replace("{asked}", asked), CONFIG), engine=engine)
    assert found.verdict == "error"
    assert not found.judged.refuted


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("asked", HOLDS)
def test_what_the_first_set_has_is_in_the_union(asked: str, engine: str) -> None:
    found = check(
        load(TEXT.replace("{asked}", asked).replace("====", "One == x < 2\n===="), CONFIG + "INVARIANT One\n"),
        engine=engine,
    )
    assert found.verdict == "success"
