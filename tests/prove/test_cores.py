"""Of a set of any size a proof is looked for with the hypotheses that one for few elements needs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rmqproof.model.prove.ask import Asker
from rmqproof.model.prove.cores import Cores
from rmqproof.model.prove.decide import PROVED, prove_parts
from rmqproof.model.prove.lemma_obligations import obligations_of
from rmqproof.model.prove.modules import ANY, Sizes, chosen, open_module
from rmqproof.model.prove.obligation import Selection
from rmqproof.model.prove.subject import Subject
from rmqproof.model.tla.library import bundled

MODULE = """---- MODULE Lease ----
EXTENDS Integers, FiniteSets
CONSTANT Node
VARIABLES owner, counter, seen
vars == <<owner, counter, seen>>
Types == owner \\in SUBSET Node /\\ counter \\in Int /\\ seen \\in SUBSET Node
Inside == owner \\subseteq Node
One == \\A a, b \\in Node : a \\in owner /\\ b \\in owner => a = b
Counted == counter >= 0
Seen == owner \\subseteq seen
Stale == \\A a \\in Node : a \\notin seen => counter < 100
Inv == Inside /\\ One /\\ Counted /\\ Seen
Init == owner = {} /\\ counter = 0 /\\ seen = {}
Take(n) == owner = {} /\\ owner' = {n} /\\ seen' = seen \\cup {n} /\\ counter' = counter + 1
Hand(n) == n \\in seen /\\ (\\E m \\in owner : m # n) /\\ owner' = {n} /\\ UNCHANGED <<counter, seen>>
Forget == seen' = owner /\\ UNCHANGED <<owner, counter>>
Next == Forget \\/ \\E n \\in Node : Take(n) \\/ Hand(n)
Spec == Init /\\ [][Next]_vars
THEOREM Kept == ASSUME Before:: Inv, Next PROVE Inv'
THEOREM Lost == ASSUME Before:: Inv, Next PROVE Stale'
====
"""


@pytest.fixture
def lease(tmp_path: Path) -> Subject:
    path = tmp_path / "Lease.tla"
    path.write_text(MODULE)
    path.with_suffix(".cfg").write_text("SPECIFICATION Spec\nCONSTANT Node = {n1, n2, n3}\n")
    return open_module(path, path.with_suffix(".cfg"), Sizes(any=("Node",)))


def cores_of(subject: Subject, name: str) -> Cores:
    (lemma,) = chosen(subject, (name,))
    return Cores(subject, lemma, (), 5.0)


def test_hypotheses_of_a_proof_for_few(lease: Subject) -> None:
    cores = cores_of(lease, "Kept")
    assert cores.needed("Take", "Counted") == {"Counted", "Inside"}
    assert cores.needed("Take", "One") == {"Inside"}
    assert cores.needed("Hand", "Seen") == {"Inside"}  # what it says is a condition of the step, and not asked about
    assert cores.needed("Forget", "Seen") == {"Inside"}


def test_what_does_not_follow_has_none(lease: Subject) -> None:
    assert cores_of(lease, "Lost").needed("Take", "Stale") is None
    assert {part.verdict for part in prove_parts(lease, chosen(lease, ("Lost",))[0], 0.5)} != {PROVED}


def test_every_part_is_proved_for_any_number(lease: Subject) -> None:
    (lemma,) = chosen(lease, ("Kept",))
    assert {part.verdict for part in prove_parts(lease, lemma, 1.0)} == {PROVED}


def test_a_wrong_core_costs_time_only(lease: Subject) -> None:
    """What it names is no hypothesis of its own making: with all hypotheses, or none, the same is proved."""
    (lemma,) = chosen(lease, ("Kept",))
    for obligation in obligations_of(lease, lemma, None):
        for named in (frozenset[str](), frozenset({"Nothing"}), None):
            asker = Asker(obligation, 1.0, needed=lambda action, goal, more, named=named: named)
            assert all(asker.follows(goal) for goal in obligation.goals if not goal.places)


ONE_MORE = """---- MODULE Copies ----
EXTENDS Integers
CONSTANT Node
VARIABLES held, seen, rank
vars == <<held, seen, rank>>
Missing(s, n) == \\A a \\in s : rank[a] # n
NoFour(s) == Missing(s, 1) \\/ Missing(s, 2) \\/ Missing(s, 3) \\/ Missing(s, 4)
Inside == held \\subseteq Node /\\ seen \\subseteq Node
Held == NoFour(held)
Seen == NoFour(seen)
Inv == Inside /\\ Held /\\ Seen
Copy(n) == held' = {m \\in seen : m # n \\/ rank[n] > 0} /\\ UNCHANGED <<seen, rank>>
Next == \\E n \\in Node : Copy(n)
Spec == held \\in SUBSET Node /\\ seen \\in SUBSET Node /\\ rank = [n \\in Node |-> 0] /\\ [][Next]_vars
THEOREM Kept == ASSUME Before:: Inv, Next PROVE Inv'
====
"""


@pytest.mark.parametrize(("option", "line"), [("any", ""), ("replicas", "\\* REPLICAS Node\n")])
def test_what_a_proof_for_one_more_needs(tmp_path: Path, option: str, line: str) -> None:
    path = tmp_path / "Copies.tla"
    path.write_text(ONE_MORE)
    path.with_suffix(".cfg").write_text(f"{line}SPECIFICATION Spec\nCONSTANT Node = {{n1, n2, n3}}\n")
    sizes = Sizes(any=("Node",)) if option == "any" else Sizes(ANY)
    cores = cores_of(open_module(path, path.with_suffix(".cfg"), sizes), "Kept")
    assert "Seen" not in (cores.needed("Copy", "Held") or ())
    assert "Seen" in (cores.needed("Copy", "Held", True) or ())


def test_two_open_sets_have_no_larger(tmp_path: Path) -> None:
    path = tmp_path / "Copies.tla"
    path.write_text(ONE_MORE.replace("CONSTANT Node", "CONSTANTS Node, Other"))
    path.with_suffix(".cfg").write_text("SPECIFICATION Spec\nCONSTANTS Node = {n1, n2}  Other = {o1, o2}\n")
    cores = cores_of(open_module(path, path.with_suffix(".cfg"), Sizes(any=("Node", "Other"))), "Kept")
    assert cores.needed("Copy", "Held", True) is None


BEFORE_OPEN = [
    # a member by CHOOSE, a witness of a witness, and places in a log that are named by their broker
    pytest.param("LearnSyncStateSet", "ConfirmFollowsAcks", marks=pytest.mark.large),
    pytest.param("ControllerFindsNoMaster", "DeposedAreHeldBack", marks=pytest.mark.large),
    pytest.param("AppendPut", "DeposedAreHeldBack", marks=pytest.mark.large),
    pytest.param("BrokerRestarts", "SlaveFilesFollow", marks=pytest.mark.large),
    # the member that holds a deposed master back
    pytest.param("MasterReceivesAck", "DeposedAreHeldBack", marks=pytest.mark.large),
    pytest.param("BrokerRequestsElection", "DeposedAreHeldBack", marks=pytest.mark.large),
]


@pytest.mark.parametrize(("action", "part"), BEFORE_OPEN)
def test_parts_of_the_invariant_for_any_number_of_brokers(action: str, part: str) -> None:
    subject = open_module(bundled("InductiveInvariant.tla"), sizes=Sizes(ANY))
    (lemma,) = chosen(subject, ("InvIsInductive",))
    cores = Cores(subject, lemma, (), 15.0)
    found = 0
    titles = frozenset({f"{action}(?)", f"{action}(?, ?)", action})
    for obligation in obligations_of(subject, lemma, None, (), Selection(titles)):
        asker = Asker(obligation, 15.0, needed=cores.needed)
        for goal in obligation.goals:
            if goal.name == part:
                found += 1
                assert asker.follows(goal)
    assert found


@pytest.mark.large
def test_what_holds_of_three_brokers_only() -> None:
    """Without the numbers of requests a deposed master may have nobody who holds it back, if there are four brokers."""
    subject = open_module(bundled("InductiveInvariant.tla"), sizes=Sizes(ANY))
    (lemma,) = chosen(subject, ("InvIsInductive",))
    (obligation,) = obligations_of(subject, lemma, None, (), Selection(frozenset({"ControllerAcceptsAlter(?)"})))
    (goal,) = (goal for goal in obligation.goals if goal.name == "DeposedAreHeldBack")
    names = ("ControllerAndBrokersAgree", "MasterIsMember", "ReigningIsLast", "RequestsAreFromMasters")
    needed = frozenset({*names, "RolesAndEpochs", "SetNumbers", "SetsAreOfBrokers"})
    assert Asker(obligation, 15.0, needed=lambda action, part, more: needed).follows(goal, True)
    less = replace(obligation, hypotheses=[h for h in obligation.hypotheses if h.name != "SetNumbers"])
    assert not Asker(less, 15.0, needed=lambda action, part, more: needed).follows(goal, True)
