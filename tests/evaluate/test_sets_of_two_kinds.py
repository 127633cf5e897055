"""Sets some of whose elements TLC cannot put in order: an error where it sorts them, and none where it does not.

`S` is described and `P` a union of products, so TLC asks each part whether it has a value, and sorts all that it goes
through. What is expected is what TLC said of each.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from rmqproof.model.evaluate.comparison import comparable_set
from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.values import model_value
from rmqproof.model.reference.problems import EvaluationError
from rmqproof.model.reference.values import Atom, Order
from tests.at_length import every
from tests.evaluate import asked
from tools.fuzz.engines import ENGINES

SPEC = """---- MODULE K ----
EXTENDS Integers, FiniteSets
VARIABLES x
A == [tag : {"k"}, content : {"h"}]
B == [tag : {"k"}, content : 0..40]
C == [tag : {"j"}, content : 1..1]
S == A \\cup B
P == ({1} \\X {2, 3}) \\cup ({1} \\X {"a"})
Of(k, c) == [tag |-> k, content |-> c]
Init == x = 0
Next == x' = x
Inv == x = 0 /\\ (FORMULA)
====
"""
WITHOUT_VALUE = (
    r"Cardinality(S) = 42",
    r'\A h \in S : h.tag = "k"',
    r'\E h \in S : h.tag = "k"',
    r"{x : h \in S} = {0}",
    r'(CHOOSE h \in S : TRUE).tag = "k"',
    r'Of("k", 3) \in S',
    r'Of("k", "x") \in {Of("k", y) : y \in 1..30}',
    r'Of("k", "x") \notin {Of(k, y) : k \in {"i", "j", "k"}, y \in 1..30}',
    r"S # {}",
    r"S = S",
    r"S \subseteq S",
    r"\E h \in UNION {A, B} : TRUE",
    r"Cardinality(UNION {A, B}) = 42",
    r'{Of("k", 1)} \cup {Of("k", "x")} # {}',
    r'{Of("k", y) : y \in 1..30} \cup {Of("k", "x")} # {}',
    r'{Of("k", y) : y \in 1..30} \ {Of("k", "x")} # {}',
    r'{Of("k", y) : y \in 1..30} \cap {Of("k", "x")} = {}',
    r"{y \in S : TRUE} # {}",
    r'{y \in S : y.content = "h"} # {}',
    r"\A y \in P : y[1] = 1",
    r"P # {}",
    r'\A y \in {<<"x", 1>>, <<2, 2>>} : TRUE',
    r"\E y \in SUBSET S : y = {}",
    r"DOMAIN [y \in S |-> 1] # {}",
    r"\E y \in S \X {1} : TRUE",
    r"[{1} -> S] # {}",
    r"\E f \in [{1} -> S] : TRUE",
    r'UNION {{<<1, y>>} : y \in 1..30} \cup {<<1, "a">>} # {}',
)
TRUE = (
    r'Of("i", "x") \notin {Of(k, y) : k \in {"j", "k"}, y \in 1..30}',
    r'Of("k", "h") \in S',
    r'Of("k", "h") \in UNION {A, B}',
    r'{Of("k", y) : y \in 1..30} \cup {Of("j", "x")} # {}',
    r'\A y \in A \cup C : y.tag \in {"j", "k"}',
    r"Cardinality(A \cup C) = 2",
    r"<<1, 2>> \in P",
    r'[y \in S |-> 1][Of("k", "h")] = 1',
    r"UNION {{<<1, y>>} : y \in {1, 2}} # {}",
)


def verdict(engine: str, formula: str, folder: Path) -> str:
    return asked.verdict(engine, SPEC.replace("FORMULA", formula), "INIT Init\nNEXT Next\nINVARIANT Inv\n", folder)


python, reference, native = (partial(verdict, engine) for engine in ("python", "reference", "native"))


@pytest.mark.parametrize("formula", WITHOUT_VALUE)
def test_it_has_no_value(formula: str, tmp_path: Path) -> None:
    assert python(formula, tmp_path) == reference(formula, tmp_path) == "error"


@pytest.mark.parametrize("formula", TRUE)
def test_it_has_a_value(formula: str, tmp_path: Path) -> None:
    assert python(formula, tmp_path) == reference(formula, tmp_path) == "success"


@pytest.mark.parametrize("formula", every(6, (*WITHOUT_VALUE[3:], *TRUE)))
def test_machine_code_says_the_same(formula: str, tmp_path: Path) -> None:
    assert native(formula, tmp_path) == ("success" if formula in TRUE else "error")


@pytest.mark.parametrize("engine", ["python", "reference", "native"])
def test_a_state_with_such_a_set_is_an_error(engine: str, tmp_path: Path) -> None:
    """TLC sorts the set when it looks the state up; nothing else compares its elements."""
    spec = tmp_path / "K.tla"
    state = 'IF x = 0 THEN {[tag |-> "k", content |-> IF y = 1 THEN 1 ELSE "x"] : y \\in 1..2} ELSE 0'
    spec.write_text(SPEC.replace("x' = x\n", f"x' = {state}\n").replace("x = 0 /\\ (FORMULA)", "TRUE"))
    spec.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Inv\n")
    assert ENGINES[engine](spec).verdict == "error"


@pytest.mark.parametrize("names", [f"T_{name} {other}" for name in "abcd" for other in ("p", "q", "T_2")])
def test_a_typed_model_value_is_compared_with_all_that_are_in_a_set(names: str) -> None:
    """It depended on where they lay in memory: an untyped one may come between it and what is of another type."""
    typed, untyped = names.split()
    items = frozenset([model_value(typed), model_value(untyped), 5])
    with pytest.raises(Fault, match="the typed model value"):
        comparable_set(items)
    with pytest.raises(EvaluationError):
        Order(()).sorted(frozenset([Atom(typed), Atom(untyped), 5]))
