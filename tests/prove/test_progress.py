"""EventuallyMaster for any number of brokers: its obligations, what each defect breaks of them, and what is explored.

All of it takes minutes: `rmqproof prove spec/lemmas/ProgressLemmas.tla`, and `--replicas any`.
"""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.check import command as check
from rmqproof.model.prove.decide import PROVED, REFUTED, prove_parts
from rmqproof.model.prove.modules import ANY, Sizes, chosen, open_module
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import lemmas_of
from rmqproof.model.prove.ways import Way
from rmqproof.model.tla.library import PROTOCOL, bundled
from tests.at_length import every, first
from tests.prove.asking import SECONDS, is_proved, is_proved_of_step, settled
from tests.prove.broken_rule import opened_with, rules_of

MODULE = bundled("ProgressLemmas.tla")
STATES = ["SoundAtTheStart", "HeardCanBeReached", "StagesCover"]
ENABLED = ["MasterIsGoneCanBeLeft", "NoMasterCanBeLeft", "MasterIsElectedCanBeLeft"]
STAGES = ["MasterIsGone", "NoMaster", "MasterIsElected"]
HELPFUL = ["HeardIsReached", *(f"{stage}IsLeft" for stage in STAGES)]


@cache
def subject(replicas: int | None = None) -> Subject:
    return open_module(MODULE, sizes=Sizes(replicas))


@pytest.mark.parametrize("replicas", first(1, [None, ANY]))
@pytest.mark.parametrize("name", every(2, [*STATES, *ENABLED, *HELPFUL]))
def test_what_is_said_of_one_state_or_one_action(name: str, replicas: int | None) -> None:
    assert is_proved(subject(replicas), name)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        pytest.param("MasterIsGoneIsLeftForward", "ControllerElectsMaster(?)", marks=pytest.mark.large),
        ("NoMasterIsLeftForward", "RestartedBrokerIsElected(?)"),
        pytest.param("MasterIsElectedIsLeftForward", "BecomeMaster(?)", marks=pytest.mark.large),
        ("MasterServesStays", "HeartbeatExpires(?)"),
        ("HeardStays", "ProcessCrashes(?)"),
        pytest.param("SoundIsKept", "MetadataIsCleaned", marks=pytest.mark.large),
        pytest.param("FaultsRunOut", "DiskIsLost(?)", marks=pytest.mark.large),
        pytest.param("ElectionsHaveReasons", "HeartbeatExpires(?)", marks=pytest.mark.large),
    ],
)
def test_some_steps_for_any_number(name: str, title: str) -> None:
    assert is_proved_of_step(subject(ANY), name, title)


def test_each_stage_has_its_three_obligations() -> None:
    names = {lemma.name for lemma in lemmas_of(subject().model.specification)}
    for stage in STAGES:
        assert {f"{stage}IsLeftForward", f"{stage}IsLeft", f"{stage}CanBeLeft"} <= names
    assert {"StagesCover", "MasterServesStays", "SoundAtTheStart", "SoundIsKept"} <= names


def open_parts(opened: Subject, name: str, action: str) -> list[str]:
    (lemma,) = chosen(opened, (name,))
    parts = prove_parts(opened, lemma, SECONDS, share=[Way(action)])
    return [part.goal for part in parts if part.verdict != PROVED]


# --- defects ---------------------------------------------------------------------------------------------------------

DEFECTS = {
    "Issue5712": "HeardCanBeReached",
    "Issue10812": "HeardCanBeReached",
    "Issue4450": "NoMasterCanBeLeft",
    "Issue5631": "MasterIsGoneCanBeLeft",
    "Issue5631Joining": "MasterIsGoneCanBeLeft",
    "Issue6382": "MasterIsGoneCanBeLeft",
    "Issue9717": "MasterIsGoneCanBeLeft",
    "Issue10875": "MasterIsGoneCanBeLeft",
}


ONE = "Issue5712"


@pytest.mark.parametrize(
    "model",
    [pytest.param(model, marks=[pytest.mark.large] * (model != ONE)) for model in DEFECTS],
)
def test_a_defect_breaks_one_of_them(tmp_path: Path, model: str) -> None:
    opened = opened_with(tmp_path, "ProgressLemmas", *rules_of(model))
    verdicts = {name: settled(opened, name).verdict for name in ["HeardCanBeReached", *ENABLED]}
    assert {name: verdict for name, verdict in verdicts.items() if verdict != PROVED} == {DEFECTS[model]: REFUTED}


def test_cleaning_that_keeps_the_epoch_is_news_to_nobody(tmp_path: Path) -> None:
    """Brokers of that epoch do not ask for an election."""
    kept = opened_with(tmp_path, "ProgressLemmas", *rules_of("InsufficientCleaning"))
    assert open_parts(kept, "SoundIsKept", "MetadataIsCleaned") == ["NoMasterIsNews"]


def test_electing_while_there_is_no_master_has_no_reason(tmp_path: Path) -> None:
    """F-5: an election that finds nobody is tried again, and the epoch rises each time."""
    for_ever = opened_with(tmp_path, "ProgressLemmas", "Elections", ["  InactiveMasterIsFound <- MasterIsMissing"])
    assert open_parts(for_ever, "ElectionsHaveReasons", "ControllerFindsNoMaster")


# --- what is explored -------------------------------------------------------------------------------------------------

REACHED = """---- MODULE Reached ----
EXTENDS ProgressLemmas
Covered == MasterIsGone \\/ NoMaster \\/ MasterIsElected \\/ MasterServes
NobodyIsStuck ==
  /\\ \\A b \\in Broker : ~Heard(b) =>
       IF Up(b) THEN ENABLED <<HeartbeatArrives(b)>>_vars ELSE ENABLED <<~Up(b) /\\ HeartbeatExpires(b)>>_vars
  /\\ AllAreHeard => \\A b \\in Broker :
       /\\ MasterIsGone /\\ Survives(b) => ENABLED <<ControllerElectsMaster(b)>>_vars
       /\\ NoMaster /\\ Survives(b) => ENABLED <<BrokerRequestsElection(b, b)>>_vars
       /\\ Elected(b) => ENABLED <<TakesOffice(b)>>_vars
StepsLeadOn ==
  [][/\\ FaultsToCome' <= FaultsToCome /\\ (~Calm => FaultsToCome' < FaultsToCome)
     /\\ controller'.masterEpoch + ElectionsToCome' <= controller.masterEpoch + ElectionsToCome
     /\\ Calm => \\A b \\in Broker : Heard(b) => Heard(b)'
     /\\ Calm /\\ AllAreHeard => \\A b \\in Broker :
          /\\ MasterIsGone /\\ Survives(b) => (MasterIsGone /\\ Survives(b))' \\/ MasterIsElected' \\/ MasterServes'
          /\\ NoMaster /\\ Survives(b) => (NoMaster /\\ Survives(b))' \\/ MasterIsElected' \\/ MasterServes'
          /\\ Elected(b) => \\/ Elected(b)' /\\ ((broker[b].role = "Fenced")' <=> broker[b].role = "Fenced")
                           \\/ Leads(b)'
          /\\ Leads(b) => Leads(b)']_vars
====
"""
CONFIG = """SPECIFICATION FairSpec
CONSTANTS
  Broker = {b1, b2}
  NoBroker = none
  FirstMaster = b1
  FirstSyncStateSet = {b1, b2}
  MaxPuts = 0
  LateNotices = TRUE
  MaxEpoch = %d
"""


INVARIANTS = "TypeOK EpochsSuffice Sound Covered NobodyIsStuck"


def explored(folder: Path, settings: str, epochs: int, invariants: str = INVARIANTS) -> dict[str, object]:
    for source in (*PROTOCOL.glob("core/*.tla"), *PROTOCOL.glob("lemmas/*.tla")):
        shutil.copy(source, folder)
    (folder / "Reached.tla").write_text(REACHED, encoding="utf-8")
    properties = f"INVARIANTS {invariants}\nPROPERTIES EventuallyMaster StepsLeadOn\n"
    text = CONFIG % epochs + settings + properties + "CHECK_DEADLOCK FALSE\n"
    (folder / "Reached.cfg").write_text(text, encoding="utf-8")
    out = folder / "result.json"
    CliRunner().invoke(check, [str(folder / "Reached.cfg"), "--workers", "1", "--json", str(out)])
    found: dict[str, object] = json.loads(out.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize(
    ("settings", "epochs", "distinct"),
    [
        pytest.param("  MaxCrashes = 1\n  MaxExpiries = 1\n", 7, None, marks=pytest.mark.large),
        ("  MaxCleans = 1\n  MaxExpiries = 1\n  MaxDesignations = 1\n", 6, None),
        pytest.param(
            "  MaxCrashes = 1\n  MaxExpiries = 1\n  MaxFailOvers = 1\n  MaxCleans = 1\n  MaxDesignations = 1\n",
            11,
            103103,
            marks=pytest.mark.large,
        ),
    ],
)
def test_holds_in_every_reachable_state(tmp_path: Path, settings: str, epochs: int, distinct: int | None) -> None:
    """Epochs suffice where there are more than the first one and ElectionsToCome at the start."""
    found = explored(tmp_path, settings, epochs)
    assert found["result"] == "success"
    assert distinct in (None, found["distinctStates"])


LATTICE = """---- MODULE Lattice ----
VARIABLE stage
Stages == {"gone", "none", "elected", "serves"}
Later == [gone |-> {"elected", "serves"}, none |-> {"elected", "serves"}, elected |-> {"serves"}, serves |-> {}]
Init == stage \\in Stages
Leave(s) == stage = s /\\ stage' \\in Later[s]
AnyStep == stage' \\in {stage} \\cup Later[stage]
Spec == Init /\\ [][AnyStep]_stage /\\ \\A s \\in Stages \\ {"serves"} : WF_stage(Leave(s))
InTheEnd == <>[](stage = "serves")
====
"""


def test_what_is_made_of_the_stages(tmp_path: Path) -> None:
    """Steps lead only forward, and each stage but the last has a fair way out: the last is reached, and kept."""
    (tmp_path / "Lattice.tla").write_text(LATTICE, encoding="utf-8")
    (tmp_path / "Lattice.cfg").write_text("SPECIFICATION Spec\nPROPERTIES InTheEnd\n", encoding="utf-8")
    result = CliRunner().invoke(check, [str(tmp_path / "Lattice.cfg"), "--workers", "1"])
    assert result.exit_code == 0, result.output
