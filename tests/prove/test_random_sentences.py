"""Random sentences: whatever the prover proves is true by the reference evaluator, for all values of its names.

The generator is that of `tools.fuzz`: the whole language, with partial operations that are not guarded. A sentence that
has no value for some values of its names is never proved, not even that something is equal to itself.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.model.prove import translate
from rmqproof.model.prove.decide import PROVED, prove_parts
from rmqproof.model.prove.lemma_parts import as_formula
from rmqproof.model.prove.modules import open_module
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import Lemma, lemmas_of
from rmqproof.model.reference import EvaluationError, NotInReference, OutOfWork, Reference
from rmqproof.model.tla.source import TlaError
from tools.fuzz.expressions import Expressions, Scope, Universe
from tools.fuzz.forms import FORMS
from tools.fuzz.tree import Node, text
from tools.fuzz.types import BOOLEAN, INTEGER, MIXED, MODEL, STRING, Case, Name, Record, SetOf, Sizes, Tagged, Type

SECONDS = 0.1
"""Of work a question, which is counted: what takes longer is not proved, and not the subject here."""
WORK = 200_000
"""Expressions that may be evaluated for one sentence."""
STRINGS = tuple(Name("string", i) for i in range(3))
MODELS = tuple(Name("model value", i) for i in range(2))
UNIVERSE = Universe(
    domains={
        STRING: ("{", STRINGS[0], ", ", STRINGS[1], ", ", STRINGS[2], "}"),
        INTEGER: ("(-1..2)",),
        MODEL: ("Node",),
        BOOLEAN: ("BOOLEAN",),
        MIXED: ("{", MODELS[0], ", 0, 2}"),
    },
    literals={
        STRING: tuple((name,) for name in STRINGS),
        INTEGER: (("(-1)",), ("0",), ("1",), ("2",)),
        MODEL: tuple((name,) for name in MODELS),
        BOOLEAN: (("TRUE",), ("FALSE",)),
        MIXED: ((MODELS[0],), ("0",), ("2",)),
    },
    sizes=Sizes(((INTEGER, 4), (BOOLEAN, 2), (STRING, 3), (MODEL, 2), (MIXED, 3))),
    strings=STRINGS,
    records=(
        Record(((STRINGS[0], INTEGER), (STRINGS[1], BOOLEAN))),
        Record(((STRINGS[0], INTEGER), (STRINGS[2], INTEGER))),
    ),
)
MESSAGES = (
    Tagged(STRINGS[0], (Case(STRINGS[1], STRINGS[1], INTEGER), Case(STRINGS[2], STRINGS[2], BOOLEAN))),
    Tagged(STRINGS[0], (Case(STRINGS[1], STRINGS[1], MIXED), Case(STRINGS[2], STRINGS[2], STRING))),
    Tagged(STRINGS[2], (Case(STRINGS[0], STRINGS[1], SetOf(MODEL)), Case(STRINGS[1], STRINGS[0], None))),
    Tagged(STRINGS[0], (Case(STRINGS[1], STRINGS[2], MIXED), Case(STRINGS[2], STRINGS[2], INTEGER))),
)
"""Records with different fields, or the same. What TLC does not compare has two names: else it would
depend on the order in which TLC met the names whether it looks at the tag first."""
HEAD = "EXTENDS Integers, Sequences, FiniteSets, Bags, TLC\nCONSTANTS Node, m0, m1\n"
CONFIG = "CONSTANTS Node = {m0, m1} m0 = m0 m1 = m1\n"


class Words(dict[Name, str]):
    """A word for each name: its kind's letter and its number."""

    def __missing__(self, name: Name) -> str:
        return f"{name.kind[0]}{name.index}"


def drawn(draw: Any) -> Type:
    """A type, but no bag: they have no translation."""
    found: Type = draw()
    while "Bag(" in repr(found):
        found = draw()
    return found


def claim(x: Expressions, scope: Scope) -> str:
    """One sentence about a drawn term: itself, another, an excluded middle."""

    def written(node: Node) -> str:
        return " ".join(text(node, Words()).split())

    if x.chance(0.4):
        formula = written(x.make(BOOLEAN, 3, scope))
        return x.random.choice((formula, f"~ ({formula})", f"({formula}) \\/ ~ ({formula})"))
    type = drawn(lambda: x.near(scope, 2))
    term, other = written(x.make(type, 3, scope)), written(x.make(type, x.random.choice((0, 2)), scope))
    forms = (f"{term} = {other}", f"{term} # {other}", f"{term} = {term}", f"{term} \\in {{{other}}}")
    return x.random.choice((*forms, f"{term} = {other} \\/ {term} # {other}"))


def sentences(random: Random, count: int) -> list[str]:
    found = []
    for _ in range(count):
        universe = replace(UNIVERSE, tagged=random.choice(((), *((each,) for each in MESSAGES))))
        x = Expressions(random, universe, FORMS, risk=random.choice((0.0, 0.2, 0.6)), left=40)
        scope, new = Scope(), ""
        for number in range(random.choice((0, 1, 1, 2))):
            type = drawn(partial(x.small_type, 9))
            name = Name("local", number)
            domain = " ".join(text(x.domain(type, 50), Words()).split())
            new += f"{', ' if new else ''}NEW l{number} \\in {domain}"
            scope = scope.bound((name, type))
        found.append(f"ASSUME {new} PROVE {claim(x, scope)}" if new else claim(x, scope))
    return found


def opened(folder: Path, texts: list[str]) -> tuple[Subject, list[Lemma]]:
    path = folder / "R.tla"
    theorems = "\n".join(f"THEOREM T{number} ==\n  {each}" for number, each in enumerate(texts))
    path.write_text(f"---- MODULE R ----\n{HEAD}{theorems}\n====\n")
    path.with_suffix(".cfg").write_text(CONFIG)
    subject = open_module(path)
    return subject, lemmas_of(subject.model.specification)


def is_proved(subject: Subject, lemma: Lemma) -> bool | None:
    """None: refused."""
    try:
        return all(part.verdict == PROVED for part in prove_parts(subject, lemma, SECONDS))
    except Untranslatable:
        return None


def is_true(subject: Subject, lemma: Lemma) -> bool | None:
    """Whether the goal has a value, and is true, for all values of the new names. None: the reference does not say."""
    try:
        return Reference(subject.model, WORK).holds(as_formula(lemma))
    except EvaluationError:
        return False
    except (NotInReference, OutOfWork, RecursionError):
        return None


def examined(folder: Path, random: Random, count: int, tally: Counter[str]) -> list[str]:
    """The sentences that are proved and are not true."""
    texts = sentences(random, count)
    try:
        subject, lemmas = opened(folder, texts)
    except TlaError:  # now and then the generator nests two names that are one
        tally["no module"] += 1
        return []
    wrong = []
    for sentence, lemma in zip(texts, lemmas, strict=True):
        proved, true = is_proved(subject, lemma), is_true(subject, lemma)
        tally[f"{'refused' if proved is None else 'proved' if proved else 'open'}, {true}"] += 1
        if proved and true is False:
            wrong.append(sentence)
    return wrong


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**40))
def test_what_is_proved_is_true(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    tally: Counter[str] = Counter()
    assert examined(tmp_path_factory.mktemp("sentences"), Random(seed), 10, tally) == []


def test_many_are_proved_and_many_have_no_value(tmp_path: Path) -> None:
    """So that the test above says something: of the true ones at least half are proved."""
    tally: Counter[str] = Counter()
    for seed in range(10):
        assert examined(tmp_path, Random(seed), 20, tally) == []
    assert tally["proved, True"] >= 50
    assert tally["proved, True"] > 2 * tally["open, True"]
    assert tally["open, False"] >= 40


WRONG: dict[str, tuple[Any, str, Any]] = {
    "EXCEPT changes nothing": (translate, "updated", lambda real: lambda target, *_: target),
}
"""That a demand is forgotten test_undefined notices."""


@pytest.mark.parametrize("name", list(WRONG))
def test_a_wrong_rule_is_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where, what, wrong = WRONG[name]
    if isinstance(where, dict):
        monkeypatch.setitem(where, what, wrong(where[what]))
    else:
        monkeypatch.setattr(where, what, wrong(getattr(where, what)))
    assert any(examined(tmp_path, Random(seed), 20, Counter()) for seed in range(60))
