"""A lemma about a part of what another one assumes is used there, with few other hypotheses, of one state."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.prove import ask
from rmqproof.model.prove.ask import Attempt, Extent, Naming
from rmqproof.model.prove.decide import PROVED, prove_parts
from rmqproof.model.prove.lemma_obligations import obligations_of
from rmqproof.model.prove.modules import Sizes, chosen, open_module, used_by
from rmqproof.model.prove.obligation import Selection
from rmqproof.model.prove.proof_cache import ProofCache
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import Lemma
from rmqproof.model.prove.ways import likeness, ways_of
from rmqproof.model.tla.source import TlaError

MODULE = r"""---- MODULE Chain ----
EXTENDS Integers
CONSTANT Node
VARIABLES x, y, z, w
Bounded == \A n \in Node : x[n] <= y[n]
Ordered == \A n \in Node : y[n] <= z
Low == w <= z
Far == z > 9
Inv == Bounded /\ Ordered /\ Low
Init == x \in [Node -> Int] /\ y \in [Node -> Int] /\ z \in Int /\ w \in Int
Copy(n) == w' = x[n] /\ UNCHANGED <<x, y, z>>
Guess == w' \in Int /\ UNCHANGED <<x, y, z>>
Raise(n) == x' = [x EXCEPT ![n] = y[n]] /\ UNCHANGED <<w, y, z>>
Next == (\E n \in Node : Copy(n) \/ Raise(n)) \/ Guess
\* x is below z.
THEOREM Below == ASSUME First:: Bounded, Second:: Ordered PROVE \A n \in Node : x[n] <= z
\* Nobody asks for what is far.
THEOREM Strange == ASSUME Known:: Far PROVE z > 8
\* Each step keeps it.
\* USES Below IN Copy
THEOREM Kept == ASSUME Before:: Inv, Next PROVE Inv'
\* With a lemma of which not everything is known.
\* USES Strange
THEOREM Stranger == ASSUME Before:: Inv, Next PROVE Inv'
\* With a lemma about the state before, of the state after.
\* USES Below
THEOREM Moved == ASSUME Before:: Low, Next, After:: Bounded' /\ Ordered' PROVE \A n \in Node : x[n] <= z
====
"""


def opened(folder: Path, any_number: bool) -> Subject:
    path = folder / "Chain.tla"
    path.write_text(MODULE)
    path.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\nCONSTANT Node = {n1, n2, n3}\n")
    return open_module(path, None, Sizes(any=("Node",)) if any_number else Sizes())


def lemma_of(subject: Subject, name: str) -> Lemma:
    return chosen(subject, (name,))[0]


@pytest.mark.parametrize("any_number", [False, True])
def test_it_stands_in_the_place_of_what_it_was_proved_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, any_number: bool
) -> None:
    """With nothing but the lemma, the same part and the step Z3 has a proof, and without the lemma it has none."""
    monkeypatch.setattr(ask, "_TOGETHER", ())
    hopeless = Attempt(1e-9, Extent.ALL)
    monkeypatch.setattr(ask, "_ATTEMPTS", (Attempt(1, Extent.USED), hopeless))
    monkeypatch.setattr(ask, "_OPEN_ATTEMPTS", (Attempt(1, Extent.USED, named=Naming.SHARED), hopeless))
    subject = opened(tmp_path, any_number)
    kept = lemma_of(subject, "Kept")
    title = next(o.title for o in obligations_of(subject, kept, None) if o.name == "Copy")
    for used, proved in ((used_by(subject, kept), True), ((), False)):
        (copied,) = obligations_of(subject, kept, None, used, Selection(frozenset({title})))
        (low,) = (goal for goal in copied.goals if goal.name == "Low")
        assert ask.Asker(copied, 5).follows(low) == proved


@pytest.mark.parametrize("any_number", [False, True])
def test_where_it_is_not_enough_the_others_are_taken(tmp_path: Path, any_number: bool) -> None:
    subject = opened(tmp_path, any_number)
    kept = lemma_of(subject, "Kept")
    parts = prove_parts(subject, kept, 1, used_by(subject, kept), share=ways_of(subject, kept, likeness(subject, kept)))
    assert {(part.step, part.goal) for part in parts if part.verdict != PROVED} == {("Guess", "Low")}


def test_a_hypothesis_that_is_not_there_is_named(tmp_path: Path) -> None:
    """Of the state after a step nothing is known that is assumed of the state before it, nor the other way round."""
    subject = opened(tmp_path, True)
    for name, other in (("Stranger", "Strange"), ("Moved", "Below")):
        with pytest.raises(TlaError, match=f"{name} uses {other}, of which not every hypothesis"):
            used_by(subject, lemma_of(subject, name))


STATES = r"""---- MODULE Lowest ----
EXTENDS Integers
CONSTANT Node
VARIABLES x, y
Least == LET all == { x[n] : n \in Node } IN CHOOSE v \in all : \A w \in all : v <= w
Here == y \in Node /\ x[y] > 0
LeastIsOnes == (\E n \in Node : x[n] = Least) /\ \A n \in Node : Least <= x[n]
Init == x \in [Node -> Int] /\ y \in Node
Next == UNCHANGED <<x, y>>
\* The least value is somebody's.
THEOREM Ones == ASSUME Some:: Here PROVE LeastIsOnes
\* Somebody has the least value.
\* USES Ones
THEOREM One == ASSUME Some:: Here PROVE \E n \in Node : \A other \in Node : x[n] <= x[other]
====
"""


def lowest(folder: Path) -> Subject:
    path = folder / "Lowest.tla"
    path.write_text(STATES)
    path.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\nCONSTANT Node = {n1, n2, n3}\n")
    return open_module(path, None, Sizes(any=("Node",)))


@pytest.mark.large
def test_of_a_state_a_lemma_is_used_that_chooses_what_the_goal_does_not(tmp_path: Path) -> None:
    """That finitely many numbers have a least one is known of CHOOSE only; what follows from it need not say CHOOSE."""
    subject = lowest(tmp_path)
    one = lemma_of(subject, "One")
    assert {part.verdict for part in prove_parts(subject, one, 2, used_by(subject, one))} == {PROVED}
    assert {part.verdict for part in prove_parts(subject, one, 2)} != {PROVED}


def test_what_had_no_proof_without_a_lemma_is_asked_again_with_it(tmp_path: Path) -> None:
    subject = lowest(tmp_path)
    one, asked = lemma_of(subject, "One"), ask.Asked(ProofCache(tmp_path / "cache"))
    assert {part.verdict for part in prove_parts(subject, one, 1, (), asked)} != {PROVED}
    assert {part.verdict for part in prove_parts(subject, one, 1, used_by(subject, one), asked)} == {PROVED}


def test_questions_as_long_as_others_are_asked_too(tmp_path: Path) -> None:
    """Those with a lemma have what no other has, however many hypotheses these have."""
    subject = lowest(tmp_path)
    one = lemma_of(subject, "One")
    (obligation,) = obligations_of(subject, one, None, used_by(subject, one))
    asker = ask.Asker(obligation, 1)
    for goal in obligation.goals:
        for piece in asker.open_pieces(goal):
            assert Extent.USED in asker._questions(piece, goal)
