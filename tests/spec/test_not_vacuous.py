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


@pytest.mark.parametrize("name", sorted(_checked_somewhere()))
def test_a_property_fails_in_some_model(name: str) -> None:
    """That the model fails as its EXPECT line says is held by test_models."""
    assert name in _expected_to_fail(), f"no configuration in spec/ expects {name} to fail"


COVERING = (
    "SlaveActingMaster",
    "SlaveActingMasterMessages",
    "bugs/Issue7927",
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
    "TransactionsChecked",
    "Pop",
    "PopActing",
    "bugs/HeldLockDropped",
    "bugs/RevivedInMemory",
    "Containers",
    "OrderedMessages",
    "EmptyUpgrade",
    "bugs/OffsetsKept",
    "bugs/DeletedBeforeCopied",
)
"""Models of the side protocols which between them take every action of those; a few actions are taken only with a bug's
rule. The actions of ControllerMode have a table, in `exercised`."""


def test_every_action_of_a_side_protocol_is_taken_in_some_model() -> None:
    actions: set[str] = set()
    taken: set[str] = set()
    for model in find_models([bundled(f"{name}.cfg") for name in COVERING]):
        outcome = check(model, Options(engine="python", workers=1, keep_going=True, max_states=10_000))
        actions |= {action.action for action in outcome.result.coverage}
        taken |= {action.action for action in outcome.result.coverage if action.total}
    assert len(actions) > 30
    assert actions - taken == set()
