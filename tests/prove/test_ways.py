"""Ways to take a step: alike but for names, cut into cases, asked once, remembered; and countermodels to induction."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.prove import command
from rmqproof.model.prove.ask import Asked, Asker
from rmqproof.model.prove.decide import PROVED, REFUTED, decide, prove_parts
from rmqproof.model.prove.lemma_obligations import obligations_of
from rmqproof.model.prove.modules import chosen, open_module
from rmqproof.model.prove.obligation import Selection
from rmqproof.model.prove.proof_cache import ProofCache
from rmqproof.model.prove.reach import reach
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import Lemma, Use
from rmqproof.model.prove.ways import cases_of, likeness, ways_of

COPIES = r"""---- MODULE Copies ----
EXTENDS Integers, Sequences
CONSTANTS Broker, First
VARIABLES log, from
Init == log = [b \in Broker |-> <<>>] /\ from = [b \in Broker |-> First]
Write(b) == log' = [log EXCEPT ![b] = Append(@, [id |-> Len(@), epoch |-> 0])] /\ UNCHANGED from
Copy(b) == log' = [log EXCEPT ![b] = log[from[b]]] /\ UNCHANGED from
Follow(b, c) == from' = [from EXCEPT ![b] = c] /\ UNCHANGED log
Next == (\E b \in Broker : Write(b)) \/ (\E b \in Broker : Copy(b)) \/ (\E b, c \in Broker : Follow(b, c))
Counted == \A b \in Broker : \A i \in DOMAIN log[b] : log[b][i].id = i - 1 /\ log[b][i].epoch = 0
Same == \A a, b \in Broker : \A i \in DOMAIN log[a] \cap DOMAIN log[b] : log[a][i] = log[b][i]
ASSUME First \in Broker
\* Items count.
THEOREM Kept == ASSUME Before:: Counted, Next PROVE Counted'
\* Logs agree.
THEOREM Follows == ASSUME Before:: Counted PROVE Same
\* And go on to agree.
\* USES Follows IN Copy
THEOREM Used == ASSUME Before:: Counted, Next PROVE (Counted /\ Same)'
\* Items count from zero.
THEOREM Counts == ASSUME Before:: Counted PROVE \A b \in Broker : \A i \in DOMAIN log[b] : log[b][i].id < i
\* And go on to count and to agree.
\* USES Follows IN Copy
\* USES Counts IN Write
THEOREM Twice == ASSUME Before:: Counted, Next PROVE (Counted /\ Same)'
\* Somebody is named.
THEOREM Named == ASSUME Before:: Counted, Next PROVE (Counted /\ from[First] \in Broker)'
====
"""


def copies(folder: Path, *names: str) -> tuple[Subject, list[Lemma]]:
    spec, config = folder / "Copies.tla", folder / "Copies.cfg"
    spec.write_text(COPIES)
    config.write_text("CONSTANTS Broker = {b1, b2, b3} First = b1\nINIT Init NEXT Next CHECK_DEADLOCK FALSE")
    subject = open_module(spec, config)
    return subject, chosen(subject, names)


def test_one_way_for_all_that_are_alike(tmp_path: Path) -> None:
    subject, (kept, named) = copies(tmp_path, "Kept", "Named")
    like = likeness(subject, kept)
    assert like.names == ("b1", "b2", "b3")
    assert len(like.partial) == 1, "the assumption names one of them"
    ways = ways_of(subject, kept, like)
    assert [(way.title, len(way.alike)) for way in ways] == [
        ("Write(b1)", 2), ("Copy(b1)", 2), ("Follow(b1, b1)", 2), ("Follow(b1, b2)", 5),
    ]  # fmt: skip
    assert likeness(subject, named).names == (), "the goal is about the first of them"
    assert len(ways_of(subject, named, likeness(subject, named))) == 15


def test_cases(tmp_path: Path) -> None:
    subject, (kept,) = copies(tmp_path, "Kept")
    selection = Selection(frozenset({"Copy(b1)"}))
    cases = cases_of(list(obligations_of(subject, kept, None, (), selection)), selection, ("b1", "b2", "b3"))
    known = [{name: atom.name for name, atom in case.known.items()} for case in cases]
    assert known == [{"from[b1]": "b1"}, {"from[b1]": "b2"}], "from b3 it is as from b2"
    written = Selection(frozenset({"Write(b1)"}))
    assert cases_of(list(obligations_of(subject, kept, None, (), written)), written) == [written]


def test_each_way_is_proved(tmp_path: Path) -> None:
    subject, (kept, follows, used) = copies(tmp_path, "Kept", "Follows", "Used")
    for lemma, uses in ((kept, ()), (used, (follows,))):
        parts = prove_parts(subject, lemma, 10, uses, share=ways_of(subject, lemma, likeness(subject, lemma)))
        assert {part.verdict for part in parts} == {PROVED}


def test_each_use_has_its_own_actions(tmp_path: Path) -> None:
    subject, (follows, counts, twice) = copies(tmp_path, "Follows", "Counts", "Twice")
    assert twice.uses == (Use("Follows", ("Copy",)), Use("Counts", ("Write",)))
    for way, used in (("Write(b1)", {"Counts"}), ("Copy(b1)", {"Follows"})):
        (obligation,) = obligations_of(subject, twice, None, (follows, counts), Selection(frozenset({way})))
        assert {hypothesis.name for hypothesis in obligation.hypotheses if hypothesis.derived} == used


def test_answers_are_remembered(tmp_path: Path) -> None:
    subject, (kept,) = copies(tmp_path, "Kept")
    cache = ProofCache(tmp_path / "cache")
    (obligation,) = obligations_of(subject, kept, None, (), Selection(frozenset({"Write(b1)"})))
    goal = next(goal for goal in obligation.goals if goal.truth is not True)
    assert Asker(obligation, 10, Asked(cache)).follows(goal)
    assert Asker(obligation, 0, Asked(cache)).follows(goal), "no time is needed for what is known"
    assert not Asker(obligation, 0).follows(goal)
    assert not Asker(obligation, 0, Asked(ProofCache(tmp_path / "other"))).follows(goal)


def test_what_was_tried_in_vain_is_tried_again_in_other_ways(tmp_path: Path) -> None:
    cache = ProofCache(tmp_path)
    cache.keep("0123", False, 2.5)
    assert cache.tried("0123") == 2.5 and cache.tried("0124") == 0
    (entry,) = (path for path in tmp_path.rglob("*") if path.is_file())
    entry.write_text("2.5")  # as it was written before questions were asked by names
    assert cache.tried("0123") == 0


STEPS = r"""---- MODULE Steps ----
EXTENDS Integers
VARIABLES x, seen
Init == x = 0 /\ seen = [last |-> {}]
Next == x < 20 /\ x' = x + 2 /\ seen' = [seen EXCEPT !.last = {}]
NotSeven == x # 7
Low == x < 6
\* It stays away from seven.
THEOREM NeverSeven == ASSUME Before:: NotSeven, Next PROVE NotSeven'
\* It stays low.
THEOREM StaysLow == ASSUME Before:: Low, Next PROVE Low'
====
"""


@pytest.mark.parametrize(("name", "first", "steps"), [("NeverSeven", 5, None), ("StaysLow", 4, 2)])
def test_countermodel_to_induction(tmp_path: Path, name: str, first: int, steps: int | None) -> None:
    """One state that no behaviour has, and one that is reached in two steps."""
    spec = tmp_path / "Steps.tla"
    spec.write_text(STEPS)
    spec.with_suffix(".cfg").write_text("INIT Init NEXT Next")
    subject = open_module(spec)
    verdict = decide(subject, chosen(subject, (name,))[0], 10)
    assert verdict.verdict == REFUTED
    assert verdict.countermodel is not None and verdict.countermodel.now is not None
    assert verdict.countermodel.now[0] == first
    found = reach(subject.model, verdict.countermodel, 20)
    assert found.steps == steps
    assert found.whole is (steps is None)
    result = CliRunner().invoke(command, [str(spec), "--lemma", name, "--reach", "20"])
    assert ("not reachable" if steps is None else f"after {steps} steps") in " ".join(result.output.split())


MANY = r"""---- MODULE Many ----
EXTENDS Integers
VARIABLES x, y
Init == x = 0 /\ y = 0
Up == x' = x + 1 /\ UNCHANGED y
Down == y' = y - 1 /\ UNCHANGED x
Next == Up \/ Down
A == x # 11  B == x # 12  C == x # 13  D == x # 14  E == x # 15  F == x # 16  G == x # 17  H == x # 18  I == x # 19
Parts == A /\ B /\ C /\ D /\ E /\ F /\ G /\ H /\ I
\* False for Down, and the goal is no definition with a name.
THEOREM Grows == ASSUME Before:: Parts, Next PROVE y' >= y
\* False for Down, and so are its parts.
THEOREM GrowsLabelled == ASSUME Before:: Parts, Next PROVE /\ OfX:: x' >= x /\ OfY:: y' >= y
\* True.
THEOREM Moves == ASSUME Before:: Parts, Next PROVE x' # x \/ y' # y
====
"""


@pytest.mark.parametrize(("name", "verdict"), [("Grows", "refuted"), ("GrowsLabelled", "refuted"), ("Moves", "proved")])
def test_a_goal_without_a_name_is_asked_about_way_by_way(tmp_path: Path, name: str, verdict: str) -> None:
    """It has many hypotheses, so each way is a share of its own; answers without a name used to be dropped there."""
    (tmp_path / "Many.tla").write_text(MANY, encoding="utf-8")
    (tmp_path / "Many.cfg").write_text("INIT Init\nNEXT Next\n", encoding="utf-8")
    result = CliRunner().invoke(command, [str(tmp_path / "Many.tla"), "--lemma", name])
    assert result.exit_code == (verdict != "proved"), result.output
    assert f"{name}: {verdict}" in result.output
