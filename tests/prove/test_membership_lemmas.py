"""A message that waits is never stuck: the obligations, what each defect breaks of them, and two that hang."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.check import command as check
from rmqproof.model.prove.decide import PROVED, REFUTED, decide
from rmqproof.model.prove.modules import open_module
from rmqproof.model.prove.theorems import lemmas_of
from rmqproof.model.tla.library import PROTOCOL, bundled
from tests.prove.broken_rule import opened_with, rules_of

MODULE = bundled("MembershipLemmas.tla")
SECONDS = 20
RENEWED = "  AlterCode <- AlterCodeWithRenewal\n"
WAITING = "  SyncStateSetIsRenewed <- RenewedWhenNobodyIsBehind\n"


def test_proved_and_about_something() -> None:
    opened = open_module(MODULE)
    for lemma in lemmas_of(opened.model.specification):
        verdict = decide(opened, lemma, SECONDS)
        assert (verdict.verdict, verdict.satisfiable) == (PROVED, True), lemma.name


@pytest.mark.parametrize(
    ("model", "obligation"),
    [
        ("Issue7219", "WhoKeepsItWaitingCanBeRemoved"),
        ("Issue4422", "WhoKeepsItWaitingCanBeRemoved"),
        ("CaughtUpOnceSent", "WhoKeepsItWaitingCanBeRemoved"),
        ("InsufficientRenewal", "RenewalCanBeStored"),
        ("IdleSlaveExpelled", "WhoHasAllIsNotBehind"),
    ],
)
def test_what_a_defect_breaks(tmp_path: Path, model: str, obligation: str) -> None:
    module, rules = rules_of(model)
    opened = opened_with(tmp_path, "MembershipLemmas", module, [r for r in rules if "MaxSets" not in r], RENEWED)
    (lemma,) = [lemma for lemma in lemmas_of(opened.model.specification) if lemma.name == obligation]
    assert decide(opened, lemma, SECONDS).verdict == REFUTED


THREE = """SPECIFICATION SlavesMayHang
CONSTANTS
  Broker = {b1, b2, b3}
  NoBroker = none
  FirstMaster = b1
  FirstSyncStateSet = {b1, b2}
  MaxEpoch = 3
  MaxSets = 8
  SssEpoch <- SetNumber
"""


@pytest.mark.parametrize(
    ("rule", "result", "violated"),
    [("", "safety failure", "SetNumbersSuffice"), (WAITING, "success", None)],
)
def test_two_that_hang(tmp_path: Path, rule: str, result: str, violated: str | None) -> None:
    """A member and a slave that is proposed: the set is stored again and again, unless a renewal waits for removals."""
    for source in (*PROTOCOL.glob("core/*.tla"), *PROTOCOL.glob("lemmas/*.tla")):
        shutil.copy(source, tmp_path)
    (tmp_path / "Three.tla").write_text("---- MODULE Three ----\nEXTENDS MembershipLemmas\n====\n", encoding="utf-8")
    wanted = "INVARIANTS SetNumbersSuffice EpochsSuffice\nPROPERTIES EventuallyAcknowledged EventuallyShrunk\n"
    text = THREE + RENEWED + rule + wanted + "CHECK_DEADLOCK FALSE\n"
    (tmp_path / "Three.cfg").write_text(text, encoding="utf-8")
    out = tmp_path / "result.json"
    CliRunner().invoke(check, [str(tmp_path / "Three.cfg"), "--workers", "1", "--json", str(out)])
    found = json.loads(out.read_text(encoding="utf-8"))
    assert (found["result"], found["violated"]) == (result, violated)
