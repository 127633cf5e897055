"""A set of one set that cannot be listed: TLC binds its element as it is described, and asks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.evaluate import sets
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.reference import EvaluationError, Reference
from rmqproof.model.tla.core import Model
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.source import TlaError
from tests.calls import calls_of

TRUE = {
    "quantified": r"\E S \in {F} : [i \in 1..3 |-> x] \in S",
    "for all": r"\A S \in {SUBSET Nat} : {x} \in S",
    "chosen": r"x \in CHOOSE S \in {Nat} : TRUE",
    "sequences": r"\E S \in {Seq(Nat)} : <<x>> \in S",
    "pairs": r"\E S \in {Nat \X Nat} : <<x, x>> \in S",
    "records": r"\E S \in {[a : Nat]} : [a |-> x] \in S",
    "numbers": r"\E S \in {Nat} : x \in S",
    "several names": r"\A S, T \in {Nat} : x \in S /\ x \in T",
    "behind a name": r"x \in (LET S == {Nat} IN CHOOSE T \in S : TRUE)",
    "filtered": r"\E S \in {T \in {Nat} : x \in T} : x \in S",
    "all filtered out": r"{T \in {Nat} : x \notin T} = {}",
    "with a condition": r"\E S \in {{y \in Nat : y > x}} : x + 1 \in S /\ x \notin S",
    "passed on": r"InSome(x, Nat) /\ InSome({x}, SUBSET Nat) /\ InSome({x}, SUBSET {x})",
    "united": r"x \in UNION {Nat} /\ {S \cap {x} : S \in {Nat}} = {{x}}",
}
"""What TLC finds TRUE of x = 0 and x = 1."""
NO_VALUE = {
    "two are compared": r"\E S \in {F, F} : [i \in 1..3 |-> x] \in S",
    "a set is listed": r"{Nat} \cup {{x}} = {}",
    "a number is compared with a set": r"x \in {Nat}",
}
"""Where TLC ends with an error."""


def model_of(formula: str, folder: Path) -> Model:
    (folder / "Single.tla").write_text(
        f"""---- MODULE Single ----
EXTENDS Naturals, Sequences
VARIABLE x
F == [1..3 -> Nat]
InSome(v, items) == \\E S \\in {{items}} : v \\in S
Init == x = 0
Next == x' = 1 - x
Inv == {formula}
====
"""
    )
    (folder / "Single.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Inv\n")
    return load_model(folder / "Single.tla", folder / "Single.cfg")


@pytest.mark.parametrize("formula", TRUE.values(), ids=TRUE.keys())
def test_the_element_is_asked(formula: str, tmp_path: Path) -> None:
    model = model_of(formula, tmp_path)
    system, reference = system_of(model), Reference(model)
    for value in (0, 1):
        assert system.invariants[0].holds(system.state([value]))
        assert reference.holds(model.invariants[0].body, (value,))


@pytest.mark.parametrize("formula", NO_VALUE.values(), ids=NO_VALUE.keys())
def test_the_element_is_compared(formula: str, tmp_path: Path) -> None:
    model = model_of(formula, tmp_path)
    system, reference = system_of(model), Reference(model)
    with pytest.raises(TlaError):
        system.invariants[0].holds(system.state([0]))
    with pytest.raises(EvaluationError):
        reference.holds(model.invariants[0].body, (0,))


def test_code_is_written_once_for_each_set_in_a_set(tmp_path: Path) -> None:
    depth = 12
    system = system_of(model_of("{" * depth + "x" + "}" * depth + " # {}", tmp_path))
    with calls_of(sets.enumeration) as written:
        assert system.invariants[0].holds(system.state([0]))
    assert depth <= len(written) <= 4 * depth  # the value and the condition, perhaps twice
