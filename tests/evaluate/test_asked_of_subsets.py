"""Whether what is no set is in SUBSET S has no value, of a model value neither, as in TLC (`SubsetValue.member`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluate.asked import verdict

TEXT = r"""---- MODULE K ----
EXTENDS Integers, Sequences, FiniteSetsExt
CONSTANT m, o
VARIABLE x
Init == x \in {GIVEN}
Next == x' = x
Inv == HOLDS
====
"""
CONFIG = "INIT Init\nNEXT Next\nINVARIANT Inv\nCONSTANT m = %s o = o\n"
CASES = {
    r"x \notin SUBSET {1}": "error",
    r"x \notin SUBSET {}": "error",
    r"x \notin SUBSET Nat": "error",
    r"x \notin SUBSET {o, x}": "error",
    r"x \notin {y \in SUBSET {1} : TRUE}": "error",
    r"x \notin SUBSET {1} \cap SUBSET {2}": "error",
    r"x \notin (SUBSET {1}) \ {{1}}": "error",
    r"x \notin UNION {SUBSET {1}, SUBSET {2}}": "error",
    r"x \notin UNION {SUBSET {y} : y \in {1, 2}}": "error",
    r"x \notin kSubset(1, {1, 2})": "error",
    r"x \notin (SUBSET {1}) \cup {2}": "error",
    r"x \in (SUBSET {1}) \cup {m}": "success",
    r"x \in {m} \cup SUBSET {1}": "success",
    r"x = m \/ x \in SUBSET {1}": "success",
    r"<<x>> \notin Seq(SUBSET {1})": "error",
    r"<<x, 1>> \notin (SUBSET {1}) \X {1}": "error",
    r"[a |-> x] \notin [a : SUBSET {1}]": "error",
    r"[i \in {1, 2} |-> x] \notin [{1, 2} -> SUBSET {1}]": "error",
    r"x \notin [{1, 2} -> SUBSET {1}]": "success",
    r"x \notin {SUBSET {1}}": "success",
    r"x \notin {{}, {1}}": "success",
    r"x \notin [a : {1}] /\ x \notin {1} \X {2} /\ x \notin Seq({1}) /\ x \notin STRING": "success",
}
"""The verdicts are TLC's."""
OF_EITHER = {
    r"x = m \/ x \in SUBSET {1}": "success",
    r"x \in SUBSET {1} \/ x = m": "error",
    r"x \in (SUBSET {1}) \cup {m}": "success",
    r"x # m => x \in SUBSET {1}": "success",
    r"x # m => x \notin SUBSET {1}": "safety failure",
    r"x \notin {y \in SUBSET {2} : y # {}}": "error",
    r"x = m \/ x \notin kSubset(2, {1, 2})": "success",
}
OF_TYPED = {
    r"x \notin STRING": "error",
    r"x \notin [a : {1}]": "error",
    r"x \notin SUBSET {1}": "error",
    r"x \in {m} \cup SUBSET {1}": "success",
}


def asked(engine: str, given: str, holds: str, value: str, folder: Path) -> str:
    return verdict(engine, TEXT.replace("GIVEN", given).replace("HOLDS", holds), CONFIG % value, folder)


@pytest.mark.parametrize("engine", ["python", "native", "reference"])
@pytest.mark.parametrize("holds", CASES)
def test_a_model_value(engine: str, holds: str, tmp_path: Path) -> None:
    assert asked(engine, "m", holds, "m", tmp_path) == CASES[holds]


@pytest.mark.parametrize("engine", ["python", "native", "reference"])
@pytest.mark.parametrize("holds", OF_EITHER)
def test_a_model_value_or_a_set(engine: str, holds: str, tmp_path: Path) -> None:
    assert asked(engine, "m, {1}", holds, "m", tmp_path) == OF_EITHER[holds]


@pytest.mark.parametrize("engine", ["python", "native", "reference"])
@pytest.mark.parametrize("holds", OF_TYPED)
def test_a_typed_model_value(engine: str, holds: str, tmp_path: Path) -> None:
    assert asked(engine, "m", holds, "T_m", tmp_path) == OF_TYPED[holds]
