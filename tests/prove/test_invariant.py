"""The inductive invariant: it holds where everything is explored, and quick questions about it are answered.

The proof of all its steps takes minutes of two processors: `rmqproof prove spec/lemmas/InductiveInvariant.tla`.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.model.api.proofs import time_of
from rmqproof.model.cli.commands.check import command as check
from rmqproof.model.prove.ask import Z3_ALONE, Asker
from rmqproof.model.prove.countermodel import confirm
from rmqproof.model.prove.decide import PROVED, decide, prove_parts, refuted
from rmqproof.model.prove.formulas import conjuncts
from rmqproof.model.prove.lemma_obligations import obligations_of
from rmqproof.model.prove.modules import ANY, Sizes, chosen, open_module, used_by
from rmqproof.model.prove.obligation import Selection
from rmqproof.model.prove.ways import Way, likeness
from rmqproof.model.reference.specification import Reference
from rmqproof.model.tla.library import bundled
from tests.prove.asking import is_proved
from tests.prove.broken_rule import copy_modules

DISTINCT = {"ThreeBrokersCrash": 23423, "TwoBrokersFineSteps": 20356}
MODULE = bundled("InductiveInvariant.tla")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("InvHoldsInitially", marks=pytest.mark.large),
        pytest.param("InvMakesPointsSound", marks=pytest.mark.large),
        pytest.param("InvImpliesOneMasterPerEpoch", marks=pytest.mark.large),
        pytest.param("InvImpliesLogMatching", marks=pytest.mark.large),
        "InvImpliesAckedDurability",
    ],
)
def test_base_and_consequences(name: str) -> None:
    subject = open_module(MODULE)
    verdict = decide(subject, chosen(subject, (name,))[0], 20)
    assert (verdict.verdict, verdict.satisfiable) == (PROVED, True)


def test_sets_of_brokers_are_such_by_their_types() -> None:
    """With three brokers this part says nothing, so that the questions are those without it."""
    subject = open_module(MODULE)
    (lemma,) = chosen(subject, ("InvImpliesLogMatching",))
    (obligation,) = obligations_of(subject, lemma, None)
    found = [given.truth for given in obligation.hypotheses if given.name == "SetsAreOfBrokers"]
    assert found and all(truth is True for truth in found)


@pytest.mark.large
def test_wherever_the_first_master_and_its_set_are(tmp_path: Path) -> None:
    """The configuration starts with b1 and {b1, b2}; the invariant holds for every other start that is assumed."""
    text = MODULE.with_suffix(".cfg").read_text(encoding="utf-8")
    config = tmp_path / "InductiveInvariant.cfg"
    config.write_text("\\* UNBOUNDED FirstMaster FirstSyncStateSet\n" + text)
    subject = open_module(MODULE, config)
    assert {"FirstMaster", "FirstSyncStateSet"} <= {constant.name for constant in subject.free}
    (lemma,) = chosen(subject, ("InvHoldsInitially",))
    assert {part.verdict for part in prove_parts(subject, lemma, 20)} == {PROVED}


@pytest.mark.parametrize(
    "title",
    [
        "HeartbeatArrives(b1)",
        pytest.param("MasterReceivesAck(b1)", marks=pytest.mark.large),
        pytest.param("ControllerElectsMaster(b1)", marks=pytest.mark.large),
        pytest.param("SlaveConnectsAndTruncates(b1)", marks=pytest.mark.large),
    ],
)
def test_some_steps(title: str) -> None:
    """A heartbeat, about which nothing is asked; at greater length an ack, an election and a truncation."""
    subject = open_module(MODULE)
    (lemma,) = chosen(subject, ("InvIsInductive",))
    like = likeness(subject, lemma)
    assert like.names == ("b1", "b2", "b3")
    parts = prove_parts(subject, lemma, 20, used_by(subject, lemma), share=[Way(title)])
    assert {part.verdict for part in parts} == {PROVED}


def test_what_is_acknowledged_can_be_read_with_any_number_of_brokers() -> None:
    """By the lemma alone; with all parts of the invariant there was no proof in 40 s a question."""
    subject = open_module(MODULE, None, Sizes(ANY))
    (lemma,) = chosen(subject, ("InvIsInductive",))
    selection = Selection(frozenset({"AcknowledgePut(?, ?)"}))
    (obligation,) = obligations_of(subject, lemma, None, used_by(subject, lemma), selection)
    (readable,) = (goal for goal in obligation.goals if goal.name == "AckedAreReadable")
    assert Asker(obligation, 15).follows(readable)


@pytest.mark.parametrize(
    "name", ["WhoReignsIsAlone", "WhatAllHaveIsRead", pytest.param("WhatAllHaveCanBeRead", marks=pytest.mark.large)]
)
def test_why_it_can_be_read(name: str) -> None:
    assert is_proved(open_module(MODULE, None, Sizes(ANY)), name)


@pytest.mark.parametrize("config", ["ThreeBrokersCrash", pytest.param("TwoBrokersFineSteps", marks=pytest.mark.large)])
def test_holds_in_every_reachable_state(tmp_path: Path, config: str) -> None:
    text = bundled(f"{config}.cfg").read_text(encoding="utf-8")
    text = re.sub(r"INVARIANTS\n(?:  [\w ]+\n)+", "INVARIANTS Inv\n", text)
    target = tmp_path / "Inv.cfg"
    target.write_text(text)
    out = tmp_path / "result.json"
    result = CliRunner().invoke(check, [str(MODULE), "--config", str(target), "--workers", "1", "--json", str(out)])
    assert result.exit_code == 0, result.output
    found = json.loads(out.read_text())
    assert found["result"] == "success"
    assert found["distinctStates"] == DISTINCT[config]


def test_a_step_of_many_parts_has_long_also_if_one_action_is_asked_about() -> None:
    subject = open_module(MODULE)
    (steps,) = chosen(subject, ("InvIsInductive",))
    (implication,) = chosen(subject, ("InvImpliesLogMatching",))
    assert time_of(steps, 3.0, Z3_ALONE) > 5 * time_of(implication, 3.0, Z3_ALONE)


NEEDED = [
    ("RolesAndEpochs", "ControllerElectsMaster(b1)", "ControllerAndBrokersAgree"),
    ("BelievedIsAlone", "NewMasterRecordsEpoch(b1)", "BelievedIsUnused"),
    ("FilesStart", "SlaveConnectsAndTruncates(b1)", "SlaveFilesFollow"),
]
"""Parts of which `--vacuity` with 5 s a question has no values that show what they are needed for."""


@pytest.mark.large
@pytest.mark.parametrize(("part", "title", "lost"), NEEDED)
def test_values_show_what_a_part_is_needed_for(part: str, title: str, lost: str) -> None:
    subject = open_module(MODULE).for_seconds(30)
    lemma = chosen(subject, ("InvIsInductive",))[0].without(part)
    found = refuted(subject, lemma, 30, Selection(frozenset({title})))
    assert found is not None and found.confirmed
    (goal,) = (goal for name, goal in conjuncts(lemma.goal) if name == lost)
    assert confirm(subject.model, replace(lemma, goal=goal), found).confirmed


IMPLIED = """---- MODULE Implied ----
EXTENDS WholeInvariant
THEOREM SlavesDoFollow ==
  ASSUME Links:: LinksAreToMasters, Files:: SlaveFilesFollow, Labels:: FilesLabel, Match:: LogsMatch,
         Have:: MastersHaveTheirEpoch, Recorded:: MastersRecordedTheirEpoch, Covered:: FilesAreCovered
  PROVE  SlavesFollow
====
"""


@pytest.mark.parametrize("sizes", [Sizes(), pytest.param(Sizes(ANY), marks=pytest.mark.large)])
def test_that_slaves_follow_is_implied_by_other_parts(tmp_path: Path, sizes: Sizes) -> None:
    """So the invariant without this part is the same one, and no step needs it."""
    path = written(tmp_path, "Implied", IMPLIED, MODULE.with_suffix(".cfg").read_text(encoding="utf-8"))
    assert is_proved(open_module(path, None, sizes), "SlavesDoFollow")


def written(folder: Path, name: str, module: str, config: str) -> Path:
    """A module beside those that it extends."""
    copy_modules(folder)
    path = folder / f"{name}.tla"
    path.write_text(module)
    path.with_suffix(".cfg").write_text(config)
    return path


FILES = """---- MODULE Files ----
EXTENDS WholeInvariant
CONSTANTS b1, b2
Empty == [log |-> <<>>, flushed |-> 0, epochFile |-> <<>>, confirm |-> 0, residue |-> <<>>]
Start ==
  /\\ controller = [masterEpoch |-> 2, master |-> b1, sss |-> {b1}, sssEpoch |-> 2, alive |-> Broker]
  /\\ events = <<>>
  /\\ disk = [b \\in Broker |-> CASE b = b1 -> FIRST [] b = b2 -> SECOND [] OTHER -> Empty]
  /\\ broker = [b \\in Broker |->
       IF b = b1 THEN [Blank("Master") EXCEPT !.masterEpoch = 2, !.master = b1, !.sss = {b1}, !.sssEpoch = 2]
       ELSE Blank("Fenced")]
  /\\ link = [b \\in Broker |-> NoBroker]
  /\\ connection = [m \\in Broker |-> [s \\in Broker |-> ClosedConnection]]
  /\\ requests = {} /\\ notices = {}
  /\\ history = [acked |-> {}, thin |-> {}, consumed |-> {}, owners |-> <<{}, {b1}>>,
                staleAlter |-> FALSE, foreignAlter |-> FALSE, electedOutside |-> FALSE]
  /\\ used = [puts |-> 1, alters |-> 0, crashes |-> 0, losses |-> 0, lostDisks |-> 0, expiries |-> 0, breaks |-> 0,
             designations |-> 0, failOvers |-> 0, cleans |-> 0, reads |-> 0]
THEOREM Sound == ASSUME Before:: Inv PROVE PointsAreSound
====
"""
"""b1 is master of epoch 2 and alone in the set; the others have restarted."""


class Start:
    """The only initial state with these disks of b1 and b2, in the reference evaluator."""

    def __init__(self, folder: Path, first: str, second: str) -> None:
        module = FILES.replace("FIRST", f"[Empty EXCEPT {first}]").replace("SECOND", f"[Empty EXCEPT {second}]")
        config = MODULE.with_suffix(".cfg").read_text(encoding="utf-8")
        config = config.replace("SPECIFICATION Spec", "INIT Start\nNEXT Next")
        config = config.replace("CONSTANTS\n", "CONSTANTS\n  b1 = b1\n  b2 = b2\n")
        subject = open_module(written(folder, "Files", module, config))
        (self.lemma,) = chosen(subject, ("Sound",))
        self.reference = Reference(subject.model)
        assert all(self.reference.holds(assumed.body) for assumed in subject.model.specification.assumptions)
        (self.state,) = self.reference.initial_states()

    def false(self, state: Any) -> set[str]:
        """The parts of the invariant that are false."""
        (hypothesis,) = self.lemma.hypotheses
        return {name for name, part in conjuncts(hypothesis.formula) if not self.reference.holds(part, state)}


def test_a_put_breaks_beginnings_where_files_do_not_agree(tmp_path: Path) -> None:
    """What `FilesAgree` is needed for: epoch 2 begins at 0 on its master, which has no message, and at 1 on another
    broker, which has one of epoch 1."""
    start = Start(
        tmp_path,
        "!.epochFile = <<Entry(2, 0)>>",
        "!.epochFile = <<Entry(1, 0), Entry(2, 1)>>, !.log = <<[id |-> 1, epoch |-> 1]>>",
    )
    assert start.false(start.state) == {"FilesAgree"}
    (put,) = (each for each in start.reference.successors(start.state) if "AppendPut" in each.names)
    assert start.false(put.state) == {"FilesAgree", "BeginningsMatch"}


def test_a_point_is_negative_where_files_start_there(tmp_path: Path) -> None:
    """What `InvMakesPointsSound` needs `FilesStart` for."""
    start = Start(tmp_path, "!.epochFile = <<Entry(1, -3), Entry(2, -2)>>", "!.epochFile = <<Entry(1, -3)>>")
    assert start.false(start.state) == {"FilesStart"}
    assert not start.reference.holds(start.lemma.goal, start.state)
