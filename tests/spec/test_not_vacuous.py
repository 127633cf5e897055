"""Every property can fail, every action is taken: no verdict of the protocol's models rests on nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rmqproof.model.checking.check import check
from rmqproof.model.checking.expectation import read_expectation
from rmqproof.model.checking.options import Options
from rmqproof.model.cli.models import find_models
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.library import bundled
from tests.spec.test_changes import NOTICED
from tools.exercised import UNTAKEN

SPEC = Path(__file__).parents[2] / "spec"
MODELS = find_models([SPEC])


STATED = (
    "Properties",
    "Progress",
    "Membership",
    "RegistrationProgress",
    "RefinesLog",
    "Elections",
    "HalfMessages",
    "SlaveActingMaster",
    "QuorumLock",
    "Upgrade",
    "LogHeads",
    "ControllerDiscovery",
    "ClientRetries",
    "ControllerRaft",
    "Metadata",
    "Routes",
    "ConsumeQueues",
    "PreOnline",
    "InSyncGap",
    "Transactions",
    "Pop",
    "PopActing",
    "Containers",
    "OrderedMessages",
    "EmptyUpgrade",
)
"""The modules that state properties."""


def _defined(module: Path) -> set[str]:
    return set(re.findall(r"^(\w+) ==", module.read_text(encoding="utf-8"), re.MULTILINE))


def _expected_to_fail() -> set[str]:
    names = set()
    for model in MODELS:
        assert model.config is not None
        expectation = read_expectation(model.config.read_text(encoding="utf-8"))
        if expectation is not None and expectation.verdict is not Verdict.SUCCESS:
            names.add(expectation.name)
    return names


def _checked_somewhere() -> set[str]:
    properties = set().union(*(_defined(bundled(f"{name}.tla")) for name in STATED)) - {"TypeOK", "TypeOKWithActing"}
    checked: set[str] = set()
    for model in MODELS:
        assert model.config is not None
        sections = re.findall(
            r"^(?:INVARIANTS?|PROPERTY|PROPERTIES)\b(.*?)(?=^[A-Z_]+\b|\Z)",
            model.config.read_text(encoding="utf-8"),
            re.MULTILINE | re.DOTALL,
        )
        checked |= {word for section in sections for word in section.split() if word in properties}
    return checked


def test_properties_are_checked() -> None:
    assert len(_checked_somewhere()) >= 15


@pytest.mark.parametrize("name", sorted(_checked_somewhere() - NOTICED.keys()))
def test_a_property_fails_in_some_model(name: str) -> None:
    """That the model fails as its EXPECT line says is held by test_models; what a step may change, by test_changes."""
    assert name in _expected_to_fail(), f"no configuration in spec/ expects {name} to fail"


COVERING = (
    "bugs/Issue7927",
    "ControllerRaft",
    "bugs/HeldLockDropped",
    "bugs/RevivedInMemory",
    "bugs/OffsetsKept",
    "bugs/DeletedBeforeCopied",
)
"""Models of the side protocols which with those of `UNTAKEN` take every action of those; a few actions are taken only
with a bug's rule. The actions of ControllerMode have a table, in `exercised`."""

ASSESSED = {"DiskIsLost"}
"""Of MasterSlave, where `assess` alone has disks that are lost."""

MOST = 2_500
"""States of a model, which are enough."""


def _actions(name: str) -> tuple[set[str], set[str]]:
    """Of a model all actions, and those that it does not take."""
    (model,) = find_models([bundled(f"{name}.cfg")])
    coverage = check(model, Options(engine="python", workers=1, keep_going=True, max_states=MOST)).result.coverage
    taken = {action.action for action in coverage if action.total}
    actions = {action.action for action in coverage}
    return actions, actions - taken


@pytest.mark.large
def test_every_action_of_a_side_protocol_is_taken_in_some_model() -> None:
    """And a small model takes those that the table says."""
    found = {name: _actions(name) for name in (*COVERING, *UNTAKEN)}
    assert {name: found[name][1] for name in UNTAKEN} == {name: set(its.split()) for name, its in UNTAKEN.items()}
    actions = set().union(*(its for its, _ in found.values()))
    assert len(actions) > 30
    assert actions - set().union(*(its - untaken for its, untaken in found.values())) == ASSESSED
