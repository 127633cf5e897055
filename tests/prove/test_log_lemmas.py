"""Logs under all settings: what is proved at once, what holds where everything is explored, and what is refuted.

All of it takes minutes: `rmqproof prove spec/lemmas/LogLemmas.tla`, and UncleanLemmas.tla.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.check import command as check
from rmqproof.model.prove.decide import refuted
from rmqproof.model.prove.modules import chosen
from rmqproof.model.prove.obligation import Selection
from tests.at_length import first
from tests.prove.asking import is_proved, is_proved_of_step, opened
from tests.prove.broken_rule import asked_with, copy_modules

CLEAN, UNCLEAN = "LogLemmas", "UncleanLemmas"
STATES = """SPECIFICATION SpecOfLogs
CONSTANTS
  Broker = {b1, b2}
  NoBroker = none
  FirstMaster = b1
  FirstSyncStateSet = {b1, b2}
  LateNotices = TRUE
  FineSteps = TRUE
  AllAck = FALSE
  MaxPuts = 1
  MaxEpoch = 3
CHECK_DEADLOCK FALSE
"""
"""Acks by number, and notifications that come late."""


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (CLEAN, "LogInvImpliesOneMasterPerEpoch"),
        pytest.param(UNCLEAN, "UncleanInvImpliesLogMatching", marks=pytest.mark.large),
        pytest.param(CLEAN, "LogInvImpliesLogMatching", marks=pytest.mark.large),
        pytest.param(UNCLEAN, "UncleanInvImpliesOneMasterPerEpoch", marks=pytest.mark.large),
        pytest.param(CLEAN, "LogInvHoldsInitially", marks=pytest.mark.large),
        pytest.param(UNCLEAN, "UncleanInvHoldsInitially", marks=pytest.mark.large),
    ],
)
def test_what_is_said_of_one_state(module: str, name: str) -> None:
    assert is_proved(opened(module), name)


@pytest.mark.parametrize(
    ("module", "name", "title"),
    [
        (CLEAN, "CleanElectionsLeadNoOlderEpoch", "ProcessCrashes(b1)"),
        pytest.param(UNCLEAN, "UncleanInvIsInductive", "AppendPut(b1)", marks=pytest.mark.large),
        (UNCLEAN, "PromptElectionsLeadNoOlderEpoch", "ReceiveNotice(b1, ?)"),
        pytest.param(UNCLEAN, "PromptElectionsLeadNoOlderEpoch", "BecomeMaster(b1)", marks=pytest.mark.large),
        pytest.param(
            UNCLEAN, "PromptElectionsLeadNoOlderEpoch", "RestartedBrokerIsElected(b1)", marks=pytest.mark.large
        ),
        pytest.param(CLEAN, "LogInvIsInductive", "ReceiveNotice(b1, ?)", marks=pytest.mark.large),
        pytest.param(UNCLEAN, "UncleanInvIsInductive", "ReceiveNotice(b1, ?)", marks=pytest.mark.large),
        pytest.param(UNCLEAN, "UncleanInvIsInductive", "ControllerElectsMaster(b1)", marks=pytest.mark.large),
    ],
)
def test_some_steps(module: str, name: str, title: str) -> None:
    assert is_proved_of_step(opened(module), name, title)


def test_a_notification_on_its_way_may_name_a_master_of_an_older_epoch() -> None:
    """As spec/bugs/RefusedRoleTakenUnclean: what is not proved without the hypothesis has values."""
    subject = opened(UNCLEAN)
    (lemma,) = chosen(subject, ("PromptElectionsLeadNoOlderEpoch",))
    countermodel = refuted(subject, lemma.without("NoneOnItsWay"), 20, Selection(frozenset({"ReceiveNotice(b1, ?)"})))
    assert countermodel is not None and countermodel.confirmed


def explored(folder: Path, module: str, step: str, *lines: str) -> dict[str, Any]:
    """What a check with `step` as the next-state action says, as JSON."""
    text = f"---- MODULE Logs ----\nEXTENDS {module}\nSpecOfLogs == Init /\\ [][{step}]_vars\n====\n"
    (folder / "Logs.tla").write_text(text, encoding="utf-8")
    copy_modules(folder)
    (folder / "Logs.cfg").write_text(STATES + "\n".join(lines), encoding="utf-8")
    out = folder / "result.json"
    CliRunner().invoke(check, [str(folder / "Logs.tla"), "--workers", "1", "--json", str(out)])
    found: dict[str, Any] = json.loads(out.read_text())
    return found


REFUSED = "Next /\\ LeadsNoOlderEpoch"


@pytest.mark.parametrize("step", first(1, ("Next", REFUSED)))
def test_holds_in_every_reachable_state_with_clean_elections(tmp_path: Path, step: str) -> None:
    """And no step leads an older epoch."""
    found = explored(tmp_path, CLEAN, step, "CONSTANTS MaxExpiries = 1 MaxCrashes = 1", "INVARIANT LogInv")
    assert (found["result"], found["distinctStates"], found["totalStates"]) == ("success", 4430, 12654)


UNCLEAN_ELECTIONS = ("CONSTANTS UncleanElection = TRUE MaxExpiries = 2", "INVARIANT UncleanInv")


def test_holds_in_every_reachable_state_where_older_epochs_are_refused(tmp_path: Path) -> None:
    found = explored(tmp_path, UNCLEAN, REFUSED, *UNCLEAN_ELECTIONS)
    assert (found["result"], found["distinctStates"]) == ("success", 1920)


@pytest.mark.large
def test_does_not_where_they_are_taken(tmp_path: Path) -> None:
    """Hazard F-24 without a cleaning, as in `RefusedRoleTakenUnclean`: so the lemma needs its hypothesis."""
    found = explored(tmp_path, UNCLEAN, "Next", *UNCLEAN_ELECTIONS)
    assert (found["result"], found["violated"]) == ("safety failure", "UncleanInv")


BROKEN = """MayAppendOfPutAfterDemotion(b) ==
  broker[b].role = "Master" \\/ (broker[b].role = "Slave" /\\ \\E e \\in 1..MaxEpoch : b \\in history.owners[e])"""


@pytest.mark.large
def test_a_put_after_a_demotion_breaks_the_step(tmp_path: Path) -> None:
    """As spec/bugs/PutAfterDemotion: who was master appends as a slave."""
    rule = ("MayAppend", "MayAppendOfPutAfterDemotion", BROKEN)
    result = asked_with(tmp_path, CLEAN, *rule, "LogInvIsInductive", "AppendPut")
    assert result.exit_code == 1
    assert "0 proved, 1 refuted" in result.output
