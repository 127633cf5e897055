"""Nothing is proved of a value that TLA+ leaves open; what has a value is proved as before.

Sentences are made from terms that have no value for some arguments, each with the condition under which it has one,
and claims that hold of every number. A claim about a term that may have no value is no theorem, not even that it is a
number.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.prove import lemma_obligations, translate
from rmqproof.model.prove.decide import PROVED, prove_parts
from rmqproof.model.prove.modules import open_module
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.theorems import lemmas_of
from tests.at_length import every, first

SECONDS, SHORT = 1.0, 0.3
"""Of work a question, which is counted. What is no theorem needs less: a rule that is forgotten is noticed at once."""
NEW = (
    "NEW s \\in Seq(Int), NEW t \\in Seq(Int), NEW i \\in Int, NEW n \\in Nat, NEW f \\in [1..3 -> Int], "
    'NEW b \\in {"p", "q"}'
)
TERMS = {
    "s[i]": "i \\in DOMAIN s",
    "<<7, 8>>[i]": "i \\in 1..2",
    "f[i]": "i \\in 1..3",
    "[x \\in {1} |-> 2][i]": "i = 1",
    "[x \\in {1, 3} |-> x][i]": "i \\in {1, 3}",
    "[x \\in 1..n |-> x + 1][i]": "i \\in 1..n",
    '[x \\in {"p"} |-> 4][b]': 'b = "p"',
    "[s EXCEPT ![1] = 5][i]": "1 <= i /\\ i <= Len(s)",
    "[s EXCEPT ![i] = 5][i]": "i \\in DOMAIN s",
    "[s EXCEPT ![1] = @ + 1][1]": "s # <<>>",
    "[f EXCEPT ![i] = 9][i]": "i \\in DOMAIN f",
    "[[x \\in {1, 4} |-> 2] EXCEPT ![i] = 9][i]": "i \\in {1, 4}",
    "Head(s)": "s # <<>>",
    "Head(Tail(s))": "Len(s) > 1",
    "Tail(s)[i]": "s # <<>> /\\ i \\in 1..(Len(s) - 1)",
    "SubSeq(s, 2, 3)[i]": "Len(s) >= 3 /\\ i \\in 1..2",
    "Append(s, 5)[i]": "i \\in 1..(Len(s) + 1)",
    "(s \\o t)[i]": "i \\in 1..(Len(s) + Len(t))",
    "SelectSeq(s, LAMBDA x : x > 0)[i]": "i \\in DOMAIN SelectSeq(s, LAMBDA x : x > 0)",
    "(CHOOSE x \\in 1..n : x > 5)": "n > 5",
    "(CHOOSE x \\in 0..n : s[x] = 1)": "FALSE",
    "(CASE i > 5 -> 1 [] i < 0 -> 2)": "i > 5 \\/ i < 0",
    "[a |-> s[i], c |-> 2].a": "i \\in DOMAIN s",
    "(IF i > 0 THEN s[i] ELSE 0)": "i <= Len(s)",
    "(LET y == s[i] IN y)": "i \\in DOMAIN s",
    "Twice(s[i])": "i \\in DOMAIN s",
    "Apply(Item, i)": "i \\in 1..2",
    "[x \\in {1} |-> s[i]][1]": "i \\in DOMAIN s",
}
CLAIMS = ("{} \\in Int", "{} + 1 > {}", "{} - {} = 0", "{} < 3 \\/ {} >= 3", "{} = {} + 0")
UNIVERSAL = "Twice(q) == q + q\nItem(q) == <<3, 4>>[q]\nApply(Op(_), q) == Op(q)\n"
SPECIAL = (
    "ASSUME NEW r \\in Seq(Int), r = <<>> PROVE [r EXCEPT ![1] = 5] = [r EXCEPT ![1] = 6] "
    "/\\ [r EXCEPT ![1] = 5][1] # [r EXCEPT ![1] = 6][1]",
    "ASSUME NEW r \\in Seq(Int), NEW k \\in Nat, k > 0, r # <<>> PROVE Tail(r)[k] = r[k + 1]",
    "ASSUME NEW r \\in Seq(Int), NEW w \\in Seq(Int), NEW k \\in Nat, k > 0 PROVE (r \\o w)[Len(r) + k] = w[k]",
    "ASSUME NEW k \\in Int PROVE (CASE k < 0 -> 1 [] k > 5 -> 1) = 1",
    "ASSUME NEW k \\in Int PROVE \\A y \\in {0, k} : <<1>>[y] = 1",
    "ASSUME NEW k \\in Int PROVE \\E y \\in {0, 9} : <<1>>[y] = 1",
    "ASSUME NEW k \\in Int PROVE [y \\in {0, 9} |-> <<1>>[y]][0] = 1",
    "ASSUME NEW k \\in Int PROVE {<<1>>[y] : y \\in {0, k}} = {1}",
    "ASSUME NEW k \\in Int PROVE {y \\in {0, 1} : <<1>>[y] = 1} = {0, 1}",
    "ASSUME NEW k \\in Int PROVE <<<<1>>, <<2>>>>[1][k] = 1",
    "ASSUME NEW k \\in Int PROVE [a |-> <<1>>].a[k] = 1",
    "ASSUME NEW k \\in Int PROVE [a |-> 1].c = 1",
    "ASSUME NEW k \\in Int PROVE [a |-> 1] \\in {k}",
    "ASSUME NEW k \\in Int PROVE DOMAIN k = {}",
    "ASSUME NEW k \\in Int PROVE k \\div 0 = k \\div 0 /\\ k \\div 0 \\in Int",
    "ASSUME NEW k \\in Int PROVE k % 0 \\in Int",
    "ASSUME NEW k \\in Int PROVE k \\notin [{1} -> {2}]",
    "ASSUME NEW k \\in Int PROVE k \\notin [a : {2}]",
    "ASSUME NEW k \\in Int PROVE (CHOOSE y \\in {k, 3} : TRUE) = k",
    "ASSUME NEW k \\in Int PROVE (CHOOSE y \\in {} : TRUE) = 1",
    "ASSUME NEW k \\in Int, <<7>>[k] = 8 PROVE FALSE",
    "ASSUME NEW k \\in Int, <<7>>[k] = 8, k = 1 PROVE k = 2",
    "ASSUME NEW r \\in Seq(Int), r[1] = 5 PROVE r # <<>>",
    "ASSUME NEW r \\in Seq(Int), NEW k \\in {Head(r)} PROVE k \\in Int",
    "ASSUME NEW k \\in Int PROVE <<1>>[k] = 1 \\/ <<1>>[k] # 1",
    "ASSUME NEW k \\in Int PROVE ~ (<<7>>[k] = 7 /\\ <<7>>[k] = 8)",
    "ASSUME NEW r \\in Seq(Int), NEW m \\in Nat PROVE \\A y \\in 1..m : r[y] = r[y] + 0",
    "ASSUME NEW r \\in Seq(Int), NEW m \\in Nat PROVE ~ \\E y \\in 1..m : r[y] # r[y]",
    "ASSUME NEW r \\in Seq(Int), NEW m \\in Nat PROVE {y \\in 1..m : r[y] # r[y]} = {}",
    "ASSUME NEW r \\in Seq(Int), NEW m \\in Nat PROVE {r[y] - r[y] : y \\in 1..m} \\subseteq {0}",
    "ASSUME NEW r \\in Seq(Int), NEW m \\in Nat PROVE Len([y \\in 1..m |-> r[y]]) = m",
    "0 ^ 0 = 1",
)


def names(folder: Path, sentences: list[str], expected: bool, config: str = "", head: str = "") -> list[str]:
    """The sentences that are proved though they should not be, or the other way round."""
    path = folder / "U.tla"
    theorems = "\n".join(f"THEOREM T{number} == {text}" for number, text in enumerate(sentences))
    path.write_text(f"---- MODULE U ----\nEXTENDS Integers, Sequences, FiniteSets\n{head}{UNIVERSAL}{theorems}\n====\n")
    if config:
        path.with_suffix(".cfg").write_text(config)
    subject = open_module(path)
    found = []
    for text, lemma in zip(sentences, lemmas_of(subject.model.specification), strict=True):
        try:
            proved = all(part.verdict == PROVED for part in prove_parts(subject, lemma, SECONDS if expected else SHORT))
        except Untranslatable:
            proved = False
        if proved != expected:
            found.append(text)
    return found


def claims() -> list[str]:
    return [claim.replace("{}", term) for term in TERMS for claim in CLAIMS]


@pytest.mark.parametrize("quarter", first(1, range(4)))
def test_no_claim_about_what_may_have_no_value_is_proved(tmp_path: Path, quarter: int) -> None:
    false = [f"ASSUME {NEW} PROVE {claim}" for claim in claims()]
    false += [f"ASSUME {NEW} PROVE {a} = {b} \\/ ({a} # {b} /\\ {a} \\in Int)" for a, b in combinations(TERMS, 2)][::4]
    false += [f"ASSUME {NEW}, {term} # {term} + 0 PROVE FALSE" for term in TERMS]
    false += SPECIAL
    assert len(false) >= 200
    assert names(tmp_path, false[quarter::4], False) == []


def test_where_there_is_a_value_the_same_is_proved(tmp_path: Path) -> None:
    true = [f"ASSUME {NEW}, {condition} PROVE {claim.replace('{}', term)}"
            for term, condition in TERMS.items() for claim in CLAIMS]  # fmt: skip
    true += [
        f"ASSUME {NEW} PROVE ({condition}) => {CLAIMS[0].replace('{}', term)}" for term, condition in TERMS.items()
    ]
    assert len(true) >= 50
    assert names(tmp_path, true, True) == []


CONSTRUCTORS = (
    "<<{}, 2>>", "[x \\in {1, 2} |-> {}]", "[x \\in 1..n |-> {} + x]", "[a |-> {}, c |-> 1]", "Append(s, {})",
    "[s EXCEPT ![1] = {}]", "<<{}>> \\o s", "s \\o <<{}>>", "SubSeq(s, {}, Len(s))",
    "{{}, 4}", "{x \\in 1..n : x > {}}", "{x + {} : x \\in 1..3}", "{}..n", "Tail(<<0, {}>>)", "Twice({})",
    '[[x \\in {"p", "q"} |-> 1] EXCEPT !["p"] = {}]', "(IF i > 0 THEN {} ELSE 0)", "(CASE i > 0 -> {} [] OTHER -> 1)",
    "(CHOOSE x \\in {{}} : TRUE)", "[f EXCEPT ![i] = {}]",
)  # fmt: skip


def test_equals_for_equals(tmp_path: Path) -> None:
    """Each constructor of equal parts gives equal values, and equal functions are equal wherever they have values."""
    new = f"{NEW}, NEW y \\in 1..Len(s), NEW z \\in 1..Len(s), y = z"
    true = [f"ASSUME {new} PROVE {made.replace('{}', 'y')} = {made.replace('{}', 'z')}" for made in CONSTRUCTORS]
    functions = [made for made in CONSTRUCTORS if made[0] in "<[As" and "a |->" not in made and '"p"' not in made]
    for made in functions:
        one, other = made.replace("{}", "y"), made.replace("{}", "z")
        true.append(f"ASSUME {NEW}, NEW y \\in 1..Len(s), NEW z \\in 1..Len(s), {one} = {other} "
                    f"PROVE \\A k \\in DOMAIN ({one}) : ({one})[k] = ({other})[k]")  # fmt: skip
    assert names(tmp_path, true, True) == []
    false = [f"ASSUME {NEW}, NEW y \\in 1..Len(s), NEW z \\in 1..Len(s) PROVE ({made.replace('{}', 'y')})[i] "
             f"# ({made.replace('{}', 'z')})[i]" for made in functions]  # fmt: skip
    assert names(tmp_path, false, False) == []


STEPS = (
    ("x' = <<7>>[x] /\\ y' = y", "x' = 7", False),
    ("x' = <<7>>[x] /\\ y' = y", "x' \\in Int", False),
    ("<<7>>[x] = 8 /\\ x' = x /\\ y' = y", "FALSE", False),
    ("<<7>>[x] = 7 /\\ x' = x /\\ y' = 1", "y' = 1", False),
    ("x' = <<7>>[x] /\\ y' = x'", "y' = 7", False),
    ("(\\E k \\in {<<7>>[x]} : x' = k) /\\ y' = y", "x' = 7", False),
    ("(IF <<7>>[x] = 7 THEN x' = 1 ELSE x' = 2) /\\ y' = y", "x' = 1", False),
    ("x \\in {1} /\\ x' = <<7>>[x] /\\ y' = y", "x' = 7", True),
    ("x = 1 /\\ <<7>>[x] = 7 /\\ x' = 2 /\\ y' = y", "x' = 2", True),
    ("x' = <<7>>[x] /\\ y' = 3", "y' = 3", True),
    ("x' = <<7>>[x] /\\ UNCHANGED y", "y' = y", True),
)


@pytest.mark.parametrize(("action", "goal", "expected"), STEPS)
def test_steps(tmp_path: Path, action: str, goal: str, expected: bool) -> None:
    """What a new value demands is asked where the goal reads it; what a condition demands, always."""
    head = f"VARIABLES x, y\nInit == x = 0 /\\ y = 0\nNext == {action}\n"
    text = f"ASSUME Next PROVE {goal}"
    assert names(tmp_path, [text], expected, "INIT Init NEXT Next", head) == []


def test_an_invariant_that_reads_beyond_is_not_inductive(tmp_path: Path) -> None:
    """The conjunct that keeps the index inside must stand before the one that uses it."""
    head = "VARIABLES x\nInit == x = 1\nNext == x' = x\nGood == x = 1 /\\ <<7>>[x] = 7\nBad == <<7>>[x] = 7 /\\ x = 1\n"
    config = "INIT Init NEXT Next"
    assert names(tmp_path, ["ASSUME Good, Next PROVE Good'"], True, config, head) == []
    assert names(tmp_path, ["ASSUME Bad, Next PROVE Bad'"], False, config, head) == []


def quiet(real: Any) -> Any:
    def looked(self: Any, *arguments: Any) -> Any:
        return self.demands.quietly(real)(self, *arguments)

    return looked


BROKEN: dict[str, tuple[Any, str, Any]] = {
    "an application": (translate, "has_value_at", lambda real: lambda *_: True),
    "Head, Tail, SubSeq and powers": (translate, "operands_have_value", lambda real: lambda *_: True),
    "CASE": (translate.Translator, "case", quiet),
    "CHOOSE": (translate.Translator, "choose", quiet),
    "IF": (translate.Demands, "either", lambda real: lambda *_: None),
    "an argument": (translate.Translator, "looked_at", lambda real: lambda self, a, c: getattr(a, "value", a)),
    "a part of a disjunction": (translate.Translator, "_lazily", quiet),
    "a quantifier, a function, a set": (
        translate.Demands, "every", lambda real: lambda self, *given: self.quietly(real)(self, *given)),
    "a goal": (lemma_obligations, "has_value", lambda real: lambda *_: iter(())),
    "a hypothesis": (lemma_obligations, "_grounds", lambda real: lambda *_: iter(())),
}  # fmt: skip


@pytest.mark.parametrize("name", every(4, BROKEN))
def test_a_demand_that_is_forgotten_is_noticed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some false sentence is proved then."""
    where, what, broken = BROKEN[name]
    monkeypatch.setattr(where, what, broken(getattr(where, what)))
    false = [f"ASSUME {NEW} PROVE {CLAIMS[0].replace('{}', term)}" for term in TERMS]
    false += [f"ASSUME {NEW} PROVE {CLAIMS[2].replace('{}', term)}" for term in TERMS if term.startswith("(")]
    assert names(tmp_path, [*SPECIAL, *false], False) != []
