"""Who is told to differ, where TLC has come to a limit, and where values of two kinds are in a set."""

from __future__ import annotations

import pytest

from tools.fuzz.outcome import LIMITS, Outcome
from tools.fuzz.verdict import ERROR, SUCCESS, Report

HOLDS = Report(SUCCESS, 3, 5, 2)
VIOLATED = Report("safety failure", 1, 1, 1, "Inv")
FAILED = Report(ERROR, detail="Attempted to apply a function to an argument that is not in its domain")
KINDS = Report(ERROR, detail="m is a model value and 1 is a number; TLA+ does not say whether they are equal")
TLC_KINDS = Report(ERROR, detail="Attempted to check equality of integer 1 with non-integer: {}")
OVERFLOW = Report(ERROR, detail="Overflow when computing 65536*65536")


def different(**reports: Report) -> list[str]:
    return Outcome(0, dict(reports)).different


@pytest.mark.parametrize("limit", LIMITS)
def test_beyond_a_limit_of_tlc_the_engines_agree(limit: str) -> None:
    beyond = Report(ERROR, detail=f"TLC: {limit} something")
    assert not different(tlc=beyond, python=HOLDS, reference=HOLDS, native=HOLDS)
    assert different(tlc=beyond, python=HOLDS, reference=VIOLATED, native=HOLDS) == ["reference"]
    assert different(tlc=beyond, python=VIOLATED, reference=VIOLATED, native=HOLDS) == ["native"]
    assert different(tlc=beyond, python=FAILED, native=HOLDS) == ["native"]
    assert different(tlc=beyond, python=Report("crash"), native=HOLDS) == ["python", "native"]


def test_an_error_about_kinds_is_no_limit() -> None:
    assert different(tlc=TLC_KINDS, python=HOLDS, reference=HOLDS, native=HOLDS) == ["python", "reference", "native"]
    assert different(tlc=TLC_KINDS, python=KINDS, native=VIOLATED, spilled=HOLDS) == ["native", "spilled"]


def test_the_reference_evaluator_needs_no_order() -> None:
    assert not different(tlc=TLC_KINDS, python=KINDS, reference=HOLDS)
    assert different(tlc=TLC_KINDS, python=FAILED, reference=HOLDS) == ["reference"]
    assert different(tlc=VIOLATED, python=KINDS, reference=HOLDS) == ["reference"]
    compared = Report(ERROR, detail="the typed model value T_a cannot be compared with 0")
    assert not different(tlc=HOLDS, python=KINDS, reference=compared)
    assert different(tlc=HOLDS, python=HOLDS, reference=compared) == ["reference"]


def test_an_engine_may_put_in_order_what_tlc_need_not() -> None:
    outcome = Outcome(0, {"tlc": HOLDS, "python": KINDS, "reference": HOLDS, "native": HOLDS})
    assert not outcome.different
    assert outcome.excused
    assert different(tlc=HOLDS, python=FAILED) == ["python"]


def test_an_overflow_is_counted_as_a_limit() -> None:
    assert Outcome(0, {"tlc": OVERFLOW, "python": HOLDS}).limited
    assert not Outcome(0, {"tlc": TLC_KINDS, "python": HOLDS}).limited
    assert not Outcome(0, {"python": OVERFLOW}).limited


def test_an_engine_may_want_a_set_where_tlc_looks_for_no_element() -> None:
    no_set = Report(ERROR, detail="\\cup needs sets, and is given a number: 5")
    assert not different(tlc=HOLDS, python=no_set, reference=Report(ERROR, detail="5 is no set"), renamed=no_set)
    assert not different(tlc=HOLDS, python=no_set, native=no_set)
    assert different(tlc=HOLDS, python=no_set) == ["python"]
    assert different(tlc=HOLDS, python=no_set, reference=HOLDS) == ["python"]
    assert different(tlc=HOLDS, python=HOLDS, reference=Report(ERROR, detail="5 is no set")) == ["reference"]
    assert different(tlc=HOLDS, python=no_set, reference=VIOLATED, native=no_set) == ["reference"]
    assert different(tlc=HOLDS, python=no_set, reference=FAILED) == ["reference"]
    assert Outcome(0, {"tlc": HOLDS, "python": no_set}).asks_for_a_second
    assert not Outcome(0, {"tlc": FAILED, "python": no_set}).asks_for_a_second
