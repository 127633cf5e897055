"""What a lemma takes by CHOOSE of any two names is, of the names of a step, what the step takes of these."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rmqproof.model.prove.decide import PROVED, prove_parts
from rmqproof.model.prove.lemma_obligations import obligations_of
from rmqproof.model.prove.modules import Sizes, chosen, open_module, used_by
from rmqproof.model.prove.obligation import Obligation
from rmqproof.model.prove.subject import Subject

MODULE = """---- MODULE Marks ----
EXTENDS Integers, Sequences
CONSTANT Node
VARIABLES file, chief, old, low
vars == <<file, chief, old, low>>
Common(a, b) == {i \\in DOMAIN file[a] \\cap DOMAIN file[b] : file[a][i] = file[b][i]}
Point(a, b) == CHOOSE i \\in Common(a, b) : TRUE
Inside == /\\ \\A n \\in Node : chief[n] \\in Node
          /\\ old \\subseteq Node
Low == low <= 7
Inv == Inside /\\ Low
Init == file \\in [Node -> Seq(Int)] /\\ chief \\in [Node -> Node] /\\ old \\in SUBSET Node /\\ low \\in Int
Meet(n) == LET m == chief[n] IN Common(n, m) # {} /\\ CONDITION low' = Point(n, m) /\\ UNCHANGED <<file, chief, old>>
Next == \\E n \\in Node : Meet(n)
Spec == Init /\\ [][Next]_vars
PointsAreLow == \\A a, b \\in Node : Common(a, b) # {} /\\ a \\in old => Point(a, b) <= 7
THEOREM LowPoints == ASSUME Before:: Inv PROVE PointsAreLow
\\* USES LowPoints
THEOREM Kept == ASSUME Before:: Inv, Next PROVE Inv'
====
"""


@pytest.fixture
def marks(tmp_path: Path) -> Callable[[str], Subject]:
    def made(condition: str) -> Subject:
        path = tmp_path / "Marks.tla"
        path.write_text(MODULE.replace("CONDITION", condition))
        path.with_suffix(".cfg").write_text("SPECIFICATION Spec\nCONSTANT Node = {n1, n2, n3}\n")
        return open_module(path, path.with_suffix(".cfg"), Sizes(any=("Node",)))

    return made


def of_meet(subject: Subject) -> Obligation:
    (lemma,) = chosen(subject, ("Kept",))
    (found,) = [o for o in obligations_of(subject, lemma, None, used_by(subject, lemma)) if o.step is not None]
    return found


def unproved(subject: Subject) -> set[str]:
    (lemma,) = chosen(subject, ("Kept",))
    return {p.goal for p in prove_parts(subject, lemma, 0.5, used_by(subject, lemma)) if p.verdict != PROVED}


def test_a_lemma_is_said_of_the_names_of_the_step(marks: Callable[[str], Subject]) -> None:
    """The lemma itself, which asks for a point of any two, makes room for what it says of these two."""
    obligation = of_meet(marks("n \\in old /\\"))
    assert obligation.step is not None
    asked = frozenset[int]().union(*(obligation.texts.of(c).choices for c in obligation.step.conditions))
    asked |= frozenset[int]().union(*(obligation.texts.of(g.truth).choices for g in obligation.goals))
    said = [h for h in obligation.hypotheses if h.derived and h.truth is not True]
    assert said and all(obligation.texts.of(h.truth).choices <= asked for h in said)


def test_what_follows_from_it_is_proved(marks: Callable[[str], Subject]) -> None:
    assert unproved(marks("n \\in old /\\")) == set()


@pytest.mark.parametrize("condition", ["", "m \\in old /\\", "n \\notin old /\\"])
def test_of_other_names_it_says_nothing(marks: Callable[[str], Subject], condition: str) -> None:
    assert unproved(marks(condition)) == {"Low"}


def test_a_lemma_that_asks_what_the_step_does_not_stays(marks: Callable[[str], Subject]) -> None:
    subject = marks("FALSE /\\ n \\in old /\\")
    (lemma,) = chosen(subject, ("Kept",))
    for obligation in obligations_of(subject, lemma, None, used_by(subject, lemma)):
        if obligation.step is not None:
            assert len([h for h in obligation.hypotheses if h.derived]) == 1
