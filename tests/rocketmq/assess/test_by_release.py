"""Which rules hold on which release, and what an upgrade changes of the answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof import conform, load
from rmqproof.conformance.reference import ReferenceAdapter
from rmqproof.model.cli import main
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model import load_model
from rmqproof.rocketmq.assess.broker_set import BrokerSet
from rmqproof.rocketmq.assess.by_release import ByRelease, by_release, release_lines
from rmqproof.rocketmq.assess.check_text import CheckText
from rmqproof.rocketmq.assess.deployment import Deployment
from rmqproof.rocketmq.assess.examination import Answer, Finding, OneByOne, Task
from rmqproof.rocketmq.assess.faults import Fault, Faults
from rmqproof.rocketmq.assess.known import spans_of
from rmqproof.rocketmq.assess.questions import LOG_QUESTIONS, QUESTIONS, Question
from rmqproof.rocketmq.assess.scenario import configuration, module_of
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.maven import version_key
from rmqproof.rocketmq.release_rules import MINORS, NEWEST, READINGS, Rules, changes_after, rules_of
from tests.at_length import first

PARTITION = Faults((Fault.CONTROLLER_PARTITION,))
LOSE = next(question for question in QUESTIONS if question.name == "lose-acknowledged")


def test_every_reading_is_on_the_releases_that_its_module_names() -> None:
    """A repair holds from the release on that the module's RELEASES end before."""
    for each in READINGS:
        text = bundled(f"{each.module}.tla").read_text(encoding="utf-8")
        said = re.search(r"\(\* RELEASES (.*?)\*\)", text, re.DOTALL)
        assert said is not None
        spans = spans_of(" ".join(said[1].split()))
        fixed = re.search(r"fixed in (\d+\.\d+\.\d+)", said[1])
        repair = each.operator not in text
        first, last = spans[0][0], spans[-1][1]
        if repair:
            assert fixed is not None and each.first == fixed[1] and each.last == NEWEST, each
        else:
            assert (each.first, each.last) == (first, last), each


def test_an_upgrade_changes_rules() -> None:
    assert [version for version, _ in changes_after("5.0.0")] == ["5.1.4", "5.2.0", "5.4.0"]
    before, after = dict(rules_of("5.3.3")), dict(rules_of("5.4.0"))
    assert "SetWhileShrinking" not in before and after["SetWhileShrinking"] == "SetWithoutTheLost"
    assert rules_of("9.9.9") == rules_of(NEWEST)
    for version in ("4.9.7", "latest", "5.3"):
        with pytest.raises(RocketmqError, match="no release with Controller mode"):
            rules_of(version)


def test_a_release_that_does_not_start_is_named() -> None:
    """#6926, whose author advises against 5.1.2."""
    assert "do not start" in next(release_lines(ByRelease("5.1.2", True, (), (), ())))
    assert not any("start" in line for line in release_lines(ByRelease("5.1.3", True, (), (), ())))


def test_the_rules_of_each_release_are_a_configuration(tmp_path: Path) -> None:
    for version in MINORS:
        deployment = Deployment(2, all_ack=True, shipped_rules=rules_of(version))
        config = tmp_path / f"{version}.cfg"
        text = configuration(deployment, PARTITION, [question.property for question in LOG_QUESTIONS])
        config.write_text(text, encoding="utf-8")
        model = load_model(bundled(module_of(deployment)), config, search_path=(bundled("Issue6342.tla").parent,))
        assert len(model.invariants) == len(LOG_QUESTIONS)


def test_a_master_that_is_cut_off_acknowledges_alone_since_5_4() -> None:
    """InsufficientRemoval, which the classes of 5.4.0 to 5.5.1 do."""
    explore = OneByOne(CheckText())
    (told,) = explore(Deployment(2, all_ack=True, shipped_rules=rules_of("5.4.0")), PARTITION, (LOSE,))
    assert told.yes and told.behaviour is not None
    assert "ProposeShrink" in [step.action for step in told.behaviour.steps]


def _if_alone(broker_set: BrokerSet, faults: Faults, questions: Sequence[Question]) -> tuple[Finding, ...]:
    """Yes where these rules are in it."""
    alone = "SetWithoutTheLost" in dict(broker_set.shipped_rules).values()
    return tuple(Finding(alone, 1) for _ in questions)


def _answers(rules: Rules = ()) -> tuple[Answer, ...]:
    return Task(_if_alone, Deployment(2, shipped_rules=rules), PARTITION, (LOSE,))()


def test_the_answers_of_a_release_and_of_newer_ones() -> None:
    with ThreadPoolExecutor(1) as executor:
        old, newest, only = (
            by_release(_if_alone, answers, version, (PARTITION,), (LOSE,), executor)
            for answers, version in ((_answers(), "5.1.4"), (_answers(), None), (_answers(rules_of("5.3.3")), "5.3.3"))
        )
    assert old is not None and newest is not None and only is not None
    changed = "  lose-acknowledged under controller-partition: no to yes"
    assert list(release_lines(old)) == [
        "With the rules of 5.1.4 (--rules shipped tells their stories) the answers are the same.",
        "An upgrade to 5.2.0 changes none of them.",
        "An upgrade to 5.4.0 changes these answers:",
        changed,
    ]
    said = list(release_lines(newest))
    assert NEWEST in said[0] and "the newest release that is known here" in said[0] and said[1:] == [changed]
    assert list(release_lines(only)) == ["An upgrade to 5.4.0 changes these answers:", changed]


def test_a_version_without_controller_mode_is_wrong_usage() -> None:
    done = CliRunner().invoke(main, ["assess", __file__, "--rocketmq", "4.9.7"])
    assert done.exit_code == 2 and "5.0.0 on" in done.output


def test_the_columns_are_in_their_order() -> None:
    assert list(MINORS) == sorted(MINORS, key=version_key)


@pytest.mark.parametrize("version", first(1, ["5.1.0", "5.1.4"]))
def test_the_implementation_has_the_rules_of_old_releases(version: str) -> None:
    """The confirmOffset that was computed otherwise before 5.1.1 and before 5.2.0: every edge of a small model."""
    rules = {rule: operator for rule, operator in rules_of(version) if rule != "TransferEnd"}
    modules = "AsShipped, InsufficientTruncation, Issue5663, Issue6342, Issue6508, Issue6609, Issue7441, UpTo51"
    model = load(
        f"---- MODULE Released ----\nEXTENDS {modules}\n====",
        'SPECIFICATION Spec\nCONSTANTS\n  Broker = {"b1", "b2"}\n  NoBroker = "none"\n  FirstMaster = "b1"\n'
        '  FirstSyncStateSet = {"b1", "b2"}\n  TrackConfirm = TRUE\n  MaxPuts = 1\n  MaxEpoch = 1\n'
        "  MaxAlters = 1\n  MaxBreaks = 1\n  MaxReads = 1\n"
        + "".join(f"  {rule} <- {operator}\n" for rule, operator in rules.items())
        + "INVARIANT TypeOK\nCHECK_DEADLOCK FALSE\n",
        search_path=[bundled(f"{name}.tla").parent for name in ("Rules", "Issue7441", "UpTo51")],
    )
    result = conform(model, ReferenceAdapter, paths=5)
    assert result.conforms and result.edges > 100
