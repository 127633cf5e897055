"""What every replica has acknowledged: proved in part, true where everything is explored, and not with a copy less.

All of it takes minutes: `rmqproof prove spec/lemmas/AllCopiesLemmas.tla`, and CleanCopiesLemmas.tla.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.check import command as check
from tests.at_length import first
from tests.prove.asking import is_proved, is_proved_of_step, opened
from tests.prove.broken_rule import asked_with, copy_modules

ANY, CLEAN = "AllCopiesLemmas", "CleanCopiesLemmas"


@pytest.mark.parametrize(
    "name", first(1, [f"{ANY[:-6]}InvImpliesAcknowledgedIsKept", f"{CLEAN[:-6]}InvImpliesAcknowledgedIsKept"])
)
def test_the_invariant_is_enough(name: str) -> None:
    assert is_proved(opened(f"{name.split('Inv')[0]}Lemmas"), name)


@pytest.mark.parametrize(
    ("module", "title"),
    [
        (ANY, "AcknowledgePut(b1, ?)"),
        pytest.param(CLEAN, "AcknowledgePut(b1, ?)", marks=pytest.mark.large),
        pytest.param(ANY, "SlaveConnectsAndTruncates(b1)", marks=pytest.mark.large),
        pytest.param(CLEAN, "SlaveConnectsAndTruncates(b1)", marks=pytest.mark.large),
        pytest.param(CLEAN, "BecomeMaster(b1)", marks=pytest.mark.large),
        pytest.param(CLEAN, "ReceiveNotice(b1, ?)", marks=pytest.mark.large),
    ],
)
def test_some_steps(module: str, title: str) -> None:
    assert is_proved_of_step(opened(module), f"{module[:-6]}InvIsInductive", title)


ONE_FOR_ALL = """HoldersByOne(m, offset) ==
  { b \\in Broker : \\E s \\in Connected(m) : connection[m][s].ack >= offset }"""


@pytest.mark.large
def test_one_ack_for_all_is_not_enough(tmp_path: Path) -> None:
    rule = ("Holders", "HoldersByOne", ONE_FOR_ALL)
    result = asked_with(tmp_path, CLEAN, *rule, "CleanCopiesInvIsInductive", "AcknowledgePut")
    assert result.exit_code == 1
    assert "0 proved, 1 refuted" in result.output


STATES = """SPECIFICATION SpecOfCopies
CONSTANTS
  NoBroker = none
  FirstMaster = b1
  AllAck = FALSE
  DurableEnd <- DurableEndAsyncFlush
  ConfirmAfterFlush <- ConfirmAfterAsyncFlush
  MayAcknowledge <- MayAcknowledgeBySettings
CHECK_DEADLOCK FALSE
"""


@pytest.mark.parametrize(
    ("module", "step", "brokers", "constants", "distinct"),
    [
        (CLEAN, "Next", 2, "HalfOpen = TRUE LateNotices = TRUE MaxEpoch = 3 MaxExpiries = 2 MaxCrashes = 1", 8730),
        pytest.param(CLEAN, "Next", 3, "HalfOpen = TRUE MaxEpoch = 2 MaxExpiries = 1", 1495, marks=pytest.mark.large),
        pytest.param(
            ANY,
            "Next /\\ LeadsNoOlderEpoch",
            3,
            "UncleanElection = TRUE MaxEpoch = 3 MaxDesignations = 2",
            6690,
            marks=pytest.mark.large,
        ),
        (
            ANY,
            "Next /\\ LeadsNoOlderEpoch",
            2,
            "UncleanElection = TRUE LateNotices = TRUE FineSteps = TRUE MaxEpoch = 3 MaxExpiries = 2 MaxLostDisks = 1",
            3010,
        ),
    ],
)
def test_holds_in_every_reachable_state(
    tmp_path: Path, module: str, step: str, brokers: int, constants: str, distinct: int
) -> None:
    all_of_them = "{" + ", ".join(f"b{n}" for n in range(1, brokers + 1)) + "}"
    lines = [
        STATES,
        f"CONSTANTS Broker = {all_of_them} FirstSyncStateSet = {all_of_them} InSyncReplicas = {brokers} {constants}",
        f"INVARIANT {module[:-6]}Inv",
    ]
    copy_modules(tmp_path)
    text = f"---- MODULE Copies ----\nEXTENDS {module}\nSpecOfCopies == Init /\\ [][{step}]_vars\n====\n"
    (tmp_path / "Copies.tla").write_text(text, encoding="utf-8")
    (tmp_path / "Copies.cfg").write_text("\n".join(lines), encoding="utf-8")
    out = tmp_path / "result.json"
    CliRunner().invoke(check, [str(tmp_path / "Copies.tla"), "--workers", "1", "--json", str(out)])
    found = json.loads(out.read_text())
    assert (found["result"], found["distinctStates"]) == ("success", distinct)
