"""What TLC evaluates of the sets of a quantifier, or of a CHOOSE, before the first element: it lists them all.

So an element without a value is an error there even where nobody would come to it, since an earlier one decides or
another set is empty (`Tool.contexts`, `EnumerableValue.elements`). What is expected is what TLC said of each.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.at_length import every
from tests.evaluate import asked

SPEC = """---- MODULE K ----
EXTENDS Integers, FiniteSets, Sequences
VARIABLES x
S == [tag : {"k"}, content : {"h"}] \\cup [tag : {"k"}, content : 0..40]
Mixed == [tag : {"k"}, content : {"h"}] \\cup [tag : {"k"}, content : {x}]
Bad == <<1, 2>>[x + 5] = 1
First == {z \\in SUBSET {1, x} : IF z = {} THEN TRUE ELSE Bad}
Init == x = 0
Next == x' = x
Inv == x = 0 /\\ (FORMULA)
====
"""
WITHOUT_VALUE = (
    r"ENABLED (\E h \in First : x' = x)",
    r"\E h \in First : TRUE",
    r"~ \A h \in First : FALSE",
    r"\E h \in {z \in [f : {1, x}] : IF z.f = 0 THEN TRUE ELSE Bad} : TRUE",
    r"\E h \in {z \in [{x} -> {1, x}] : IF z[x] = 0 THEN TRUE ELSE Bad} : TRUE",
    r"\E h \in {z \in {1, x} \X {x} : IF z[1] = 0 THEN TRUE ELSE Bad} : TRUE",
    r"\E h \in {1, x} \X First : TRUE",
    r"\E h \in [f : First] : TRUE",
    r"\E h \in SUBSET First : TRUE",
    r"\E h \in {{}, {x}} \ {z \in SUBSET {1, x} : IF z = {} THEN FALSE ELSE Bad} : TRUE",
    r"(CHOOSE h \in First : TRUE) = {}",
    r"(CHOOSE h \in {z \in [f : {1, x}] : IF z.f = 0 THEN TRUE ELSE Bad} : TRUE).f = 0",
    r"First # {}",
    r"LET s == First IN \E h \in s : TRUE",
    r"\E h \in {z \in SUBSET {1, 2} : IF z = {} THEN TRUE ELSE z = 1} : TRUE",
    r"~ \E y \in {}, h \in First : TRUE",
    r"~ \E y \in {}, h \in {z \in SUBSET {1, x} : Bad} : TRUE",
    r"~ \E y \in {}, h \in S : TRUE",
    r"~ \E y \in {}, h \in {z \in S : TRUE} : TRUE",
    r"~ \E y \in {}, h \in SUBSET S : TRUE",
    r"~ \E y \in {}, h \in Mixed : TRUE",
    r"~ \E y \in {}, h \in {z \in Mixed : TRUE} : TRUE",
    r"LET s == Mixed IN ~ \E y \in {}, h \in s : TRUE",
    r"~ \E y \in {}, z \in {1}, h \in Mixed : TRUE",
    r"\A y \in {}, h \in Nat : FALSE",
    r"\A y \in {}, h \in [f : Nat] : FALSE",
    r"\A y \in {}, h \in x : FALSE",
    r"\A y \in {}, h \in {z \in SUBSET x : TRUE} : FALSE",
    r"\A y \in {}, h \in x..(CHOOSE z \in {x} : FALSE) : FALSE",
    r"\E h \in [{} -> Nat] : TRUE",
    r'{} \in UNION {SUBSET {x}, SUBSET {"a"}}',
    r"Seq({1}) # {}",
    r"{} # Nat",
    r"{} # SUBSET Nat",
    r"Nat \in SUBSET Nat",
    r"~ ENABLED (\E y \in {}, h \in Mixed : x' = x)",
)
TRUE = (
    r"{} \in First",
    r"ENABLED (x' \in First)",
    r"{{}} \subseteq First",
    r"{z \in SUBSET {x} : z = {5}} \subseteq 5",
    r"~ (First \subseteq {{5}})",
    r"\E h \in First \cap {{}} : TRUE",
    r"~ \E y \in {}, h \in {Nat} : TRUE",
    r"~ \E y \in {}, h \in Nat \cap {1, x} : TRUE",
    r"~ \E y \in {}, h \in SUBSET (1..60) : TRUE",
    r"~ \E y \in {}, h \in 1..10000000 : TRUE",
    r"\A f \in [{} -> S] : f = <<>>",
    r"\E f \in [{} -> SUBSET S] : TRUE",
)


def verdict(engine: str, formula: str, folder: Path) -> str:
    return asked.verdict(engine, SPEC.replace("FORMULA", formula), "INIT Init\nNEXT Next\nINVARIANT Inv\n", folder)


@pytest.mark.parametrize("formula", WITHOUT_VALUE)
def test_it_is_an_error(formula: str, tmp_path: Path) -> None:
    assert verdict("python", formula, tmp_path) == verdict("reference", formula, tmp_path) == "error"


@pytest.mark.parametrize("formula", TRUE)
def test_nobody_lists_it(formula: str, tmp_path: Path) -> None:
    assert verdict("python", formula, tmp_path) == "success"


@pytest.mark.parametrize("formula", every(5, (*WITHOUT_VALUE, *TRUE)))
def test_machine_code_says_the_same(formula: str, tmp_path: Path) -> None:
    assert verdict("native", formula, tmp_path) == ("success" if formula in TRUE else "error")
