"""The refinement of one log: what is proved at once, what holds where everything is explored, and what is refuted.

All of it takes minutes: `rmqproof prove spec/lemmas/RefinementLemmas.tla`.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from click.testing import CliRunner

from rmqproof.model.cli.commands.check import command as check
from rmqproof.model.prove.decide import PROVED, REFUTED, decide, prove_parts, refuted
from rmqproof.model.prove.modules import ANY, Sizes, chosen, open_module, used_by
from rmqproof.model.prove.obligation import Selection
from rmqproof.model.prove.ways import Way
from rmqproof.model.tla.library import bundled
from tests.at_length import first
from tests.prove.asking import is_proved
from tests.prove.broken_rule import asked_with
from tests.prove.weaken import needless

MODULE = bundled("RefinementLemmas.tla")
DISTINCT = {"RefinesLog": 8630, "RefinesLogFlushLoss": 3666}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("ReadInvHoldsInitially", marks=pytest.mark.large),
        "DecidedIsInCommon",
        pytest.param("DecidedIsOnEvery", marks=pytest.mark.large),
        pytest.param("KnownIsDecided", marks=pytest.mark.large),
        pytest.param("DecidedWereOffered", marks=pytest.mark.large),
    ],
)
def test_what_is_said_of_one_state(name: str) -> None:
    subject = open_module(MODULE)
    verdict = decide(subject, chosen(subject, (name,))[0], 20)
    assert (verdict.verdict, verdict.satisfiable) == (PROVED, True)


FOR_VALUES = {
    "WhoReignsIsCopied": "",
    "LowestIsSomeones": "Numbers Sets",
    "SomeoneIsLowest": "Numbers Sets",
    "WhatWasHeldBackIsKept": "Numbers Sets Flushed Connections",
    "CandidatesHaveAcknowledged": "Flushed",
    "WhatIsLowestIsKept": "Numbers Sets Flushed",
    "DecidedIsInCommon": "Numbers Sets",
    "ReadsAreBeginnings": "Numbers Sets Flushed Confirm",
}
"""The hypotheses of a lemma without which it has no countermodel of three brokers: there types say that sets are of
brokers, and the others say that something has a value."""
NEEDLESS = {"ReadsAreBeginnings": "Confirm"}
"""Those without which it is proved for any number, too."""
QUICK = ("WhoReignsIsCopied",)


def about(names: Iterable[str]) -> list[ParameterSet]:
    return [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.large]) for name in names]


@pytest.mark.parametrize("name", about(FOR_VALUES))
def test_for_any_number_of_brokers(name: str) -> None:
    assert is_proved(open_module(MODULE, None, Sizes(ANY)), name)


@pytest.mark.parametrize("name", about(FOR_VALUES))
def test_every_hypothesis_is_needed(name: str) -> None:
    """Without it there is a countermodel, or no proof for any number; but for those that were found not to be."""
    subject, of_any = open_module(MODULE), open_module(MODULE, None, Sizes(ANY))
    (lemma,) = chosen(subject, (name,))
    without = list(needless(subject, lemma, 20))
    assert without == FOR_VALUES[name].split()
    (lemma,) = chosen(of_any, (name,))
    for hypothesis in without:
        parts = prove_parts(of_any, lemma.without(hypothesis), 0.3)
        needed = any(part.verdict != PROVED for part in parts)
        assert needed is (hypothesis not in NEEDLESS.get(name, "").split()), hypothesis


@pytest.mark.large
@pytest.mark.parametrize("name", first(1, ["PromisesAreSomewhere", "InvSaysNothingOfReads"]))
def test_what_is_not_so_has_a_countermodel(name: str) -> None:
    """The disks of all are lost; and without the part about readers nothing is known of what they have read."""
    subject = open_module(MODULE)
    (lemma,) = chosen(subject, (name,))
    assert lemma.expected == REFUTED
    assert decide(subject, lemma, 20).verdict == REFUTED


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("ReadInvIsInductive", "HeartbeatArrives(b1)"),
        pytest.param("ReadInvIsInductive", "ConsumerReads(b1)", marks=pytest.mark.large),
        pytest.param("DecidedStays", "AppendPut(b1)", marks=pytest.mark.large),
        pytest.param("ChangesAreSteps", "MetadataIsCleaned", marks=pytest.mark.large),
    ],
)
def test_some_steps(name: str, title: str) -> None:
    subject = open_module(MODULE)
    (lemma,) = chosen(subject, (name,))
    parts = prove_parts(subject, lemma, 20, used_by(subject, lemma), share=[Way(title)])
    assert {part.verdict for part in parts} == {PROVED}


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("ChangesAreSteps", "MetadataIsCleaned"),
        pytest.param("ElectableCouldLead", "ControllerAcceptsAlter(?)", marks=pytest.mark.large),
        pytest.param("DecidedStays", "SlaveAppendsBatch(?)", marks=pytest.mark.large),
        pytest.param("DecidedByPromises", "ControllerElectsMaster(?)", marks=pytest.mark.large),
    ],
)
def test_some_steps_for_any_number_of_brokers(name: str, title: str) -> None:
    subject = open_module(MODULE, None, Sizes(ANY))
    (lemma,) = chosen(subject, (name,))
    parts = prove_parts(subject, lemma, 15, used_by(subject, lemma), share=[Way(title)])
    assert any(part.goal for part in parts)
    assert {part.verdict for part in parts} == {PROVED}


@pytest.mark.parametrize("title", first(1, ["AcknowledgePut(b1, ?)", "ConsumerReads(b1)"]))
def test_a_promise_decides(title: str) -> None:
    """Only where nothing is acknowledged or read is nothing decided: else there are values, which are confirmed."""
    subject = open_module(MODULE)
    (lemma,) = chosen(subject, ("DecidedByPromises",))
    others = tuple(hypothesis for hypothesis in lemma.hypotheses if hypothesis.name != "NoPromise")
    found = refuted(subject, replace(lemma, hypotheses=others), 20, Selection(frozenset({title})))
    assert found is not None
    assert found.confirmed


@pytest.mark.parametrize("config", ["RefinesLogFlushLoss", pytest.param("RefinesLog", marks=pytest.mark.large)])
def test_holds_in_every_reachable_state(tmp_path: Path, config: str) -> None:
    text = bundled(f"{config}.cfg").read_text(encoding="utf-8")
    text = re.sub(r"INVARIANTS TypeOK\nPROPERTIES \w+", "INVARIANTS Inv ReadInv AcksAreKept DecidedOnEvery", text)
    target = tmp_path / "Reads.cfg"
    target.write_text(text.replace("SPEC ../core/RefinesLog.tla\n", "reads\n"), encoding="utf-8")
    out = tmp_path / "result.json"
    result = CliRunner().invoke(check, [str(MODULE), "--config", str(target), "--workers", "1", "--json", str(out)])
    assert result.exit_code == 0, result.output
    found = json.loads(out.read_text())
    assert (found["result"], found["distinctStates"]) == ("success", DISTINCT[config])


BROKEN = """ReadLimitWithoutProposals(b) ==
  IF broker[b].role = "Master" /\\ broker[b].sss = {b} THEN DurableEnd(b) ELSE disk[b].confirm"""


@pytest.mark.large
def test_reading_beyond_a_proposal_breaks_the_step(tmp_path: Path) -> None:
    """As spec/bugs/ReadBeyondProposal: those who are proposed may not have what consumers read."""
    rule = ("ReadLimit", "ReadLimitWithoutProposals", BROKEN)
    result = asked_with(tmp_path, "RefinementLemmas", *rule, "ReadInvIsInductive", "ConsumerReads")
    assert result.exit_code == 1
    assert "0 proved, 1 refuted" in result.output


GROWS = """---- MODULE Grows ----
EXTENDS ReplicatedLog
NoneTwice(s) == \\A i, j \\in DOMAIN s : s[i] = s[j] => i = j
Start ==
  /\\ epoch = 0 /\\ leader = Nobody /\\ serving = FALSE /\\ offered = 3 /\\ acknowledged = {} /\\ read = {}
  /\\ log \\in { s \\in Orders(3) : NoneTwice(s) }
AnyLog ==
  /\\ NoneTwice(log) /\\ log' \\in Orders(3)
  /\\ UNCHANGED <<epoch, leader, serving, offered, acknowledged, read>>
Continues ==
  /\\ NoneTwice(log')
  /\\ \\A i \\in DOMAIN log : i \\in DOMAIN log' /\\ log'[i] = log[i]
SameAsGrows == [][Continues <=> LogGrows]_log
====
"""


def test_a_log_grows_where_it_continues_without_doubles(tmp_path: Path) -> None:
    """The lemmas say of positions what LogGrows says with a tail and a number of elements: no solver was asked."""
    shutil.copy(bundled("ReplicatedLog.tla"), tmp_path)
    (tmp_path / "Grows.tla").write_text(GROWS, encoding="utf-8")
    (tmp_path / "Grows.cfg").write_text(
        "INIT Start\nNEXT AnyLog\nCONSTANTS\n  Leaders = {b1}\n  Nobody = none\n"
        "PROPERTIES SameAsGrows\nCHECK_DEADLOCK FALSE\n",
        encoding="utf-8",
    )
    result = CliRunner().invoke(check, [str(tmp_path / "Grows.cfg"), "--workers", "1"])
    assert result.exit_code == 0, result.output
