"""What is refused, and where; what is never proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.prove.decide import PROVED, REFUTED, UNKNOWN, VACUOUS, Verdict, decide
from rmqproof.model.prove.modules import chosen, open_module, used_by
from rmqproof.model.prove.theorems import lemmas_of
from rmqproof.model.tla.source import TlaError
from tests.prove.weaken import needless


def module(folder: Path, text: str, config: str = "") -> Path:
    path = folder / "L.tla"
    path.write_text(f"---- MODULE L ----\nEXTENDS Integers, Sequences, FiniteSets, TLC\n{text}\n====\n")
    if config:
        (folder / "L.cfg").write_text(config)
    return path


def verdict(folder: Path, text: str, config: str = "", timeout: float = 5) -> Verdict:
    subject = open_module(module(folder, text, config))
    lemma = lemmas_of(subject.model.specification)[-1]
    return decide(subject, lemma, timeout, used_by(subject, lemma))


@pytest.mark.parametrize(
    ("goal", "construct", "column"),
    [
        ("x ^ x = x", "a power", 55),
        ("x \\div x = 1", "a division", 55),
        ("\\A y : y = x", "a quantifier without a domain", 55),
        ('x = "a"', "a comparison of a number with a string", 55),
        ("Cardinality({y \\in Nat : y < x}) = x", "the cardinality", 55),
        ("[f \\in Nat |-> f][x] = x", "a function whose domain cannot be listed", 55),
    ],
)
def test_refused_with_its_place(tmp_path: Path, goal: str, construct: str, column: int) -> None:
    with pytest.raises(TlaError) as caught:
        verdict(tmp_path, f"\\* A sentence.\nTHEOREM Refused == ASSUME NEW x \\in Nat PROVE            {goal}")
    assert construct in caught.value.message
    assert caught.value.at is not None
    assert caught.value.at.line == 4
    assert caught.value.at.column >= column - 10


def test_a_false_lemma_is_not_proved_and_shows_why(tmp_path: Path) -> None:
    found = verdict(tmp_path, "THEOREM Wrong == ASSUME NEW x \\in Int, NEW y \\in Int, x <= y PROVE x < y")
    assert found.verdict == REFUTED
    assert found.countermodel is not None
    assert found.countermodel.bindings["x"] == found.countermodel.bindings["y"]
    assert not found.as_expected


def test_unknown_is_not_proved(tmp_path: Path) -> None:
    """True, and out of Z3's reach: there is no countermodel either."""
    new = "NEW x \\in Nat, NEW y \\in Nat, NEW z \\in Nat"
    text = f"THEOREM Hard == ASSUME {new}, x > 0, y > 0 PROVE x*x*x + y*y*y # z*z*z"
    found = verdict(tmp_path, text, timeout=0.1)  # of work, which is counted: however long that takes
    assert found.verdict == UNKNOWN
    assert found.reason
    assert not found.as_expected


def test_hypotheses_that_exclude_each_other_say_nothing(tmp_path: Path) -> None:
    found = verdict(tmp_path, "THEOREM Empty == ASSUME NEW x \\in Int, x < 0, x > 0 PROVE x = 7")
    assert found.verdict == VACUOUS
    assert found.satisfiable is None
    assert "contradict" in found.reason
    assert not found.as_expected


def test_a_needless_hypothesis_is_found(tmp_path: Path) -> None:
    text = "THEOREM T == ASSUME NEW x \\in Int, Needed:: x > 3, Needless:: x < 100 PROVE x > 2"
    subject = open_module(module(tmp_path, text))
    (lemma,) = lemmas_of(subject.model.specification)
    assert list(needless(subject, lemma, 5)) == ["Needless"]


def test_largest_of_a_set_of_numbers_exists(tmp_path: Path) -> None:
    """Needs induction, so the translation says it."""
    text = """Largest(S) == CHOOSE x \\in S : \\A y \\in S : y <= x
Big(s) == { i \\in DOMAIN s : s[i] > 5 }
\\* The last big item is at least as far as any.
THEOREM T == ASSUME NEW s \\in Seq(Int), NEW i \\in DOMAIN s, s[i] > 5 PROVE Largest(Big(s)) >= i"""
    assert verdict(tmp_path, text).verdict == PROVED


def test_same_question_same_choice(tmp_path: Path) -> None:
    text = "Some(S) == CHOOSE x \\in S : TRUE\nTHEOREM T == ASSUME NEW n \\in Nat PROVE Some(0..n) = Some(0..n)"
    assert verdict(tmp_path, text).verdict == PROVED


def test_a_choice_is_not_known(tmp_path: Path) -> None:
    """TLA+ does not say which element CHOOSE takes: nothing may be proved from one order."""
    text = "THEOREM T == ASSUME NEW n \\in Nat, n > 0 PROVE (CHOOSE x \\in 0..n : TRUE) = 0"
    assert verdict(tmp_path, text).verdict != PROVED


def test_countermodels_choose_as_the_python_engine_does(tmp_path: Path) -> None:
    """Not provable, and yet the Python engine only chooses the smallest: no countermodel that it rejects."""
    text = """Place(s, x) == CHOOSE i \\in { j \\in DOMAIN s : s[j] = x } : TRUE
\\* The first place of several.
THEOREM T == ASSUME NEW s \\in Seq(Int), 1 \\in DOMAIN s, s[1] = 5 PROVE Place(s, 5) = 1"""
    found = verdict(tmp_path, text)
    assert found.verdict == UNKNOWN
    assert "python" not in found.reason


def test_open_constants(tmp_path: Path) -> None:
    text = "CONSTANT Limit\n\\* Any limit will do.\nTHEOREM T == ASSUME NEW x \\in 1..Limit PROVE x <= Limit + 1"
    assert verdict(tmp_path, text, "\\* UNBOUNDED Limit\nCONSTANT Limit = 3").verdict == PROVED
    wrong = "CONSTANT Limit\n\\* Only three.\nTHEOREM T == ASSUME NEW x \\in 1..Limit PROVE x <= 3"
    assert verdict(tmp_path, wrong, "\\* UNBOUNDED Limit\nCONSTANT Limit = 3").verdict == REFUTED
    assert verdict(tmp_path, wrong, "CONSTANT Limit = 3").verdict == PROVED


def test_nothing_is_proved_from_itself(tmp_path: Path) -> None:
    text = "\\* USES T\nTHEOREM T == ASSUME NEW x \\in Int PROVE x > 0"
    subject = open_module(module(tmp_path, text))
    with pytest.raises(TlaError, match="no lemma above it"):
        used_by(subject, chosen(subject, ("T",))[0])


def test_steps_keep_what_they_leave_alone(tmp_path: Path) -> None:
    text = """VARIABLES x, y
Init == x = 0 /\\ y = 0
A == x' = x + 1 /\\ UNCHANGED y
B == y' = y - 1 /\\ UNCHANGED x
Next == A \\/ B
Inv == x >= 0 /\\ y <= 0
\\* Kept.
THEOREM T == ASSUME Before:: Inv, Next PROVE Inv'"""
    found = verdict(tmp_path, text, "INIT Init NEXT Next INVARIANT Inv")
    assert found.verdict == PROVED
    assert {(part.step, part.goal) for part in found.parts} == {("A", "Inv"), ("B", "Inv")}


def test_a_step_that_breaks_it_is_a_picture_of_two_states(tmp_path: Path) -> None:
    text = """VARIABLES x
Init == x = 0
Next == x' = x + 2
Inv == x # 7
\\* Not inductive: from 5.
THEOREM T == ASSUME Before:: Inv, Next PROVE Inv'"""
    found = verdict(tmp_path, text, "INIT Init NEXT Next INVARIANT Inv")
    assert found.verdict == REFUTED
    assert found.countermodel is not None
    assert (found.countermodel.now, found.countermodel.then) == ((5,), (7,))


@pytest.mark.parametrize("argument", ["{y + 1}", "{One(y)}", "IF y > 0 THEN {y + 1} ELSE {1}"])
def test_a_prime_reaches_what_an_argument_reads(tmp_path: Path, argument: str) -> None:
    """The opposite of what every step does is no lemma, and what every step does is one."""
    text = (
        "VARIABLE y\nInit == y = 0\nNext == y' = y + 2\nOne(x) == x + 1\nTyped == y \\in Nat\n"
        f"Later(S) == S' = {{y' + 1}}\nTHEOREM Lemma == ASSUME Typed, Next PROVE ~Later({argument})"
    )
    config = "INIT Init\nNEXT Next\n"
    assert verdict(tmp_path, text, config).verdict == REFUTED
    assert verdict(tmp_path, text.replace("~Later", "Later"), config).verdict == PROVED


TURNS = """VARIABLES x, y
Init == x = 0 /\\ y = 0
Up(n) == x < n /\\ x' \\in {n, 7} /\\ UNCHANGED y
Same == x' = 3 /\\ y' = y
Next == Up(5) \\/ Same
"""


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("(ENABLED Up(n)) <=> x < n", PROVED),
        ("ENABLED Up(n)", REFUTED),
        ("(ENABLED <<Same>>_<<x, y>>) <=> x # 3", PROVED),
        ("ENABLED Same", PROVED),
        ("~ENABLED (Up(n) /\\ x' = 8 /\\ n # 8)", PROVED),
        ("(ENABLED <<Up(n) \\/ Same>>_x) <=> x < n \\/ x # 3", PROVED),
        ("ENABLED (Up(n) \\/ (x >= n /\\ Same))", PROVED),
    ],
)
def test_whether_an_action_is_enabled(tmp_path: Path, goal: str, expected: str) -> None:
    config = "INIT Init\nNEXT Next\n"
    assert verdict(tmp_path, f"{TURNS}THEOREM L == ASSUME NEW n \\in 0..9 PROVE {goal}", config).verdict == expected


def test_what_is_demanded_of_an_enabled_action(tmp_path: Path) -> None:
    """The new value, too, must be one."""
    lemma = "THEOREM L == ASSUME NEW s \\in Seq(Nat) PROVE ENABLED (x' = Head(s) /\\ y' = y)"
    assert verdict(tmp_path, TURNS + lemma, "INIT Init\nNEXT Next\n").verdict != PROVED


def test_a_choice_without_end_in_an_enabled_action_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TlaError) as caught:
        lemma = "THEOREM L == ASSUME NEW n \\in Nat PROVE ENABLED (x' \\in Nat /\\ y' = y)"
        verdict(tmp_path, TURNS + lemma, "INIT Init\nNEXT Next\n")
    assert "ENABLED of an action that chooses" in caught.value.message


def test_keys_that_only_values_tell_apart(tmp_path: Path) -> None:
    """Found at random: what the second function has was dropped where it was not known whether its keys are others."""
    new = "ASSUME NEW x \\in {1, 2}, NEW y \\in {1, 2} PROVE"
    both = '(x :> "a" @@ y :> "b")'
    assert verdict(tmp_path, f'THEOREM T == {new} {both} # (1 :> "a" @@ 2 :> "b")').verdict == REFUTED
    assert verdict(tmp_path, f'THEOREM T == {new} {both}[x] = "a" /\\ DOMAIN {both} = {{x, y}}').verdict == PROVED
    assert verdict(tmp_path, f'THEOREM T == {new} x # y => {both}[y] = "b"').verdict == PROVED
    assert verdict(tmp_path, f'THEOREM T == {new} {both}[y] = "b"').verdict == REFUTED


@pytest.mark.parametrize(
    "sentence",
    [
        "ASSUME NEW S \\in SUBSET Node, NEW f \\in [S -> Nat] PROVE S = Node",
        "ASSUME NEW S \\in SUBSET Node PROVE \\A f \\in [S -> Nat] : S = Node",
        "~ \\E f \\in [{TRUE} -> Nat] : TRUE",
        "(CHOOSE g \\in {[x \\in {TRUE} |-> 1]} : TRUE)[TRUE] = 2",
        "\\A f \\in [{0, 2} -> {1}] : FALSE",
    ],
)
def test_functions_on_a_part_of_a_set(sentence: str, tmp_path: Path) -> None:
    """Found at random: what had some values of a type as arguments was taken to have all of them."""
    try:
        found = verdict(tmp_path, f"CONSTANT Node\nTHEOREM T == {sentence}", "CONSTANT Node = {n1, n2}").verdict
    except TlaError as refused:
        assert "cannot translate" in refused.message
    else:
        assert found in (REFUTED, UNKNOWN)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ('<<1, "echo">> \\in got[1] => got[1] # {}', PROVED),
        ('got[1] # {} => <<1, "echo">> \\in got[1]', REFUTED),
    ],
)
def test_a_set_that_cannot_be_listed_under_a_number(said: str, answer: str, tmp_path: Path) -> None:
    """What is in `got[1]` is asked of a predicate with the number 1 in it."""
    spec = tmp_path / "Sent.tla"
    spec.write_text(
        "---- MODULE Sent ----\nEXTENDS Integers\nVARIABLE got\nInit == got = [i \\in 1..2 |-> {}]\n"
        'Next == \\E i \\in 1..2 : got\' = [got EXCEPT ![i] = {<<i, "echo">>}]\nSpec == Init /\\ [][Next]_got\n'
        'Typed == got \\in [1..2 -> SUBSET ((1..2) \\X {"echo"})]\n'
        f"THEOREM First == ASSUME Typed PROVE {said}\n====\n"
    )
    spec.with_suffix(".cfg").write_text("SPECIFICATION Spec\n")
    subject = open_module(spec)
    (lemma,) = lemmas_of(subject.model.specification)
    assert decide(subject, lemma, 5, used_by(subject, lemma)).verdict == answer
