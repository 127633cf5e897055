"""Expressions that are asked about a model: what they may speak of, and where in them something is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.explore.evaluation import Evaluation
from rmqproof.model.explore.language import Language, Unfinished, is_definition
from rmqproof.model.tla import core
from rmqproof.model.tla.model_files import find_models
from rmqproof.model.tla.source import TlaError

LOCK = Path(__file__).parents[2] / "docs" / "tutorial" / "Lock.cfg"

# what TLC's REPL prints
PRINTED = {
    "1 + 1": "2",
    "SUBSET {1, 2}": "{{}, {1}, {2}, {1, 2}}",
    "[{1} -> {2, 3}]": "{<<2>>, <<3>>}",
    r"{x \in 1..5 : x > 3}": "{4, 5}",
    r"[x \in 1..2 |-> x * x]": "<<1, 4>>",
    r"[x \in {3, 5} |-> x]": "(3 :> 3 @@ 5 :> 5)",
    '[a |-> 1, b |-> "x"]': '[a |-> 1, b |-> "x"]',
    r"{1} \X {2, 3}": "{<<1, 2>>, <<1, 3>>}",
    '<<1, "a", TRUE>>': '<<1, "a", TRUE>>',
    "Nat": "Nat",
    "Seq({1})": "Seq({1})",
    r"CHOOSE x \in {3, 2} : TRUE": "2",
    r'"a\"b\\c"': r'"a\"b\\c"',
    "[n \\in {} |-> n]": "<<>>",
    "[n \\in SUBSET {1} |-> Cardinality(n)]": "({} :> 0 @@ {1} :> 1)",
    "BOOLEAN": "{FALSE, TRUE}",
    "-5 % 3": "1",
    "{<<1, 2>>, <<0>>}": "{<<0>>, <<1, 2>>}",
    "Cardinality(SUBSET (1..10))": "1024",
}


@pytest.fixture(scope="module")
def lock() -> Language:
    return Language(find_models([LOCK])[0])


@pytest.mark.parametrize("text", PRINTED)
def test_values_are_printed_as_tlc_prints_them(text: str) -> None:
    assert Evaluation.of(Language(), text).found().text == PRINTED[text]


def test_levels(lock: Language) -> None:
    levels = {"Worker": core.CONSTANT, "holder": core.STATE, "holder' = holder": core.ACTION, "[]TypeOK": core.TEMPORAL}
    assert {text: lock.read(text).level for text in levels} == levels


def test_what_the_specification_does_not_extend_is_there_all_the_same(lock: Language) -> None:
    assert Evaluation.of(lock, "Cardinality(Worker) + 1").found().text == "3"


def test_model_values_go_by_their_names(lock: Language) -> None:
    assert Evaluation.of(lock, "{w2, nobody, w1}").found().text == "{w1, w2, nobody}"
    with pytest.raises(TlaError, match="w3 is not known"):
        lock.read("{w2, w3}")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("1 + wrong", "expression:1:5: wrong is not known here"),
        ("LET x == 1\nIN  x + wrong", "expression:2:9: wrong is not known here"),
        ("1 2", "expression:1:3: the number 2 follows"),
        ("Nat)", "expression:1:4: this ) closes nothing"),
        ('"abc', "expression:1:1: this string is never closed"),
    ],
)
def test_the_place_is_in_what_was_typed(lock: Language, text: str, place: str) -> None:
    for language in (Language(), lock):
        with pytest.raises(TlaError) as raised:
            language.read(text)
        assert str(raised.value).startswith(place)
        assert text.splitlines()[0].split()[0] in str(raised.value) or "\n" in text


@pytest.mark.parametrize("text", ["1 +", "{1, 2", "LET y == 2 IN", "foo(", "/\\ TRUE\n/\\ "])
def test_what_goes_on_is_told_from_what_is_wrong(text: str) -> None:
    with pytest.raises(Unfinished):
        Language().read(text)


def test_an_error_of_the_evaluation_has_its_place_too(lock: Language) -> None:
    found = Evaluation.of(lock, "1 + 1 \\div 0").found()
    assert found.error is not None
    assert str(found.error).startswith("expression:1:5: 1 is divided by zero")


def test_definitions_are_added_and_replaced(lock: Language) -> None:
    wider = lock.defining("Double(x) == 2 * x").defining("Four == Double(2)")
    assert Evaluation.of(wider, "Four").found().text == "4"
    again = wider.defining("Double(x) == 3 * x")
    assert Evaluation.of(again, "Four").found().text == "6"
    with pytest.raises(TlaError, match="definitions:3:8: unknown is not known"):
        again.defining("Bad == unknown")


@pytest.mark.parametrize(
    ("text", "defines"),
    [("A == 1", True), ("F(x, y) == x", True), ("f[x \\in S] == 1", True), ("x = 1", False), ("a(b) = c", False)],
)
def test_what_is_a_definition(text: str, defines: bool) -> None:
    assert is_definition(text) == defines
