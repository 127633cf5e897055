"""The questions put to the model: known answers, stories, advice, the command line."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model import load_model
from rmqproof.rocketmq.assess.advice import advise
from rmqproof.rocketmq.assess.check_text import CheckText
from rmqproof.rocketmq.assess.deployment import Deployment
from rmqproof.rocketmq.assess.examination import OneByOne, Task, examine
from rmqproof.rocketmq.assess.family import family_of, member_of
from rmqproof.rocketmq.assess.faults import EACH_FAULT, Fault, Faults
from rmqproof.rocketmq.assess.questions import LOG_QUESTIONS, Question
from rmqproof.rocketmq.assess.scenario import bounds_under, configuration, module_of
from rmqproof.rocketmq.assess.state_space import Explore
from rmqproof.rocketmq.assess.story import story
from rmqproof.rocketmq.release_rules import shipped_rules

CHECK = OneByOne(CheckText())
EXPLORE = Explore(compiled=False)
BY_NAME = {question.name: question for question in LOG_QUESTIONS}


def ask(deployment: Deployment, fault: Fault, *names: str) -> list[bool | None]:
    questions: tuple[Question, ...] = tuple(BY_NAME[name] for name in names)
    return [answer.yes for answer in Task(EXPLORE, deployment, Faults((fault,)), questions)()]


@pytest.mark.parametrize(
    ("deployment", "fault", "question", "yes"),
    [
        # RIP-44: inSyncReplicas=1 answers before any slave has the message
        (Deployment(2), Fault.PROCESS_CRASH, "lose-acknowledged", True),
        (Deployment(2, all_ack=True), Fault.BROKER_PARTITION, "lose-acknowledged", False),
        (Deployment(2, all_ack=True), Fault.MACHINE_CRASH, "lose-acknowledged", True),
        (Deployment(2, all_ack=True), Fault.DISK_LOSS, "lose-acknowledged", True),
        # minInSyncReplicas is asked before the append; the set may shrink before the producer is told (F-17)
        (Deployment(2, all_ack=True, min_in_sync_replicas=2), Fault.DISK_LOSS, "lose-acknowledged", True),
        (Deployment(2, in_sync_replicas=2), Fault.DISK_LOSS, "lose-acknowledged", False),
        (Deployment(3, in_sync_replicas=2), Fault.PROCESS_CRASH, "lose-acknowledged", True),
        (Deployment(2, all_ack=True, transient_pool=True), Fault.PROCESS_CRASH, "lose-acknowledged", True),
        (Deployment(2, in_sync_replicas=2, transient_pool=True), Fault.PROCESS_CRASH, "lose-acknowledged", False),
        (Deployment(1, all_ack=True), Fault.PROCESS_CRASH, "lose-acknowledged", False),
        (Deployment(1), Fault.MACHINE_CRASH, "lose-acknowledged", True),
        (Deployment(2, all_ack=True, unclean_election=True), Fault.PROCESS_CRASH, "lose-acknowledged", True),
        # there is no lease
        (Deployment(2, all_ack=True), Fault.CONTROLLER_PARTITION, "two-masters", True),
        (Deployment(2, all_ack=True), Fault.BROKER_PARTITION, "two-masters", False),
        (Deployment(2), Fault.CONTROLLER_PARTITION, "read-truncated", True),
        (Deployment(2, all_ack=True), Fault.DISK_LOSS, "one-loss-stalls", True),
        (Deployment(2, all_ack=True), Fault.DISK_LOSS, "manual-repair", True),
        (Deployment(2, all_ack=True, min_in_sync_replicas=2), Fault.BROKER_PARTITION, "manual-repair", False),
        (Deployment(3, all_ack=True, min_in_sync_replicas=3), Fault.PROCESS_CRASH, "majority-stalls", True),
    ],
)
def test_known_answers(deployment: Deployment, fault: Fault, question: str, yes: bool) -> None:
    assert ask(deployment, fault, question) == [yes]


def test_shipped_rules_lose_where_the_settings_do_not() -> None:
    """F-19: a restarted master keeps its epoch and moves its entry; the slave finds no common point any more."""
    careful = Deployment(2, all_ack=True)
    assert ask(careful, Fault.PROCESS_CRASH, "manual-repair") == [False]
    shipped = Deployment(2, all_ack=True, shipped_rules=shipped_rules())
    assert ask(shipped, Fault.PROCESS_CRASH, "manual-repair") == [True]


def test_every_scenario_is_a_configuration(tmp_path: Path) -> None:
    """Constants complete and known, whatever is combined."""
    rules = shipped_rules()
    assert len(rules) > 25
    for number, faults in enumerate((*EACH_FAULT, Faults.parse("power-loss+disk-loss"))):
        for deployment in (Deployment(2), Deployment(3, learners=1, sync_flush=True, shipped_rules=rules)):
            config = tmp_path / f"{number}.cfg"
            config.write_text(
                configuration(deployment, faults, [q.property for q in LOG_QUESTIONS], bounds_under(faults)),
                encoding="utf-8",
            )
            model = load_model(bundled(module_of(deployment)), config, search_path=(bundled("Issue6342.tla").parent,))
            assert [invariant.name for invariant in model.invariants] == [q.property for q in LOG_QUESTIONS]


def test_a_story_has_no_names_of_actions() -> None:
    with ThreadPoolExecutor(1) as executor:
        faults = (Faults((Fault.CONTROLLER_PARTITION,)), Faults((Fault.DISK_LOSS,)))
        for answers in examine(EXPLORE, Deployment(2), faults, executor, (BY_NAME["lose-acknowledged"],)):
            for answer in answers:
                if answer.behaviour is not None:
                    sentences = story(answer.behaviour)
                    actions = {step.action for step in answer.behaviour.steps if step.action}
                    assert not [s for s in sentences for action in actions if action in s]
                    assert len(sentences) == len(answer.behaviour.steps)


@pytest.mark.parametrize(
    ("deployment", "fault"),
    [
        pytest.param(Deployment(2, all_ack=True), Fault.DISK_LOSS, marks=pytest.mark.large),
        (Deployment(2), Fault.BROKER_PARTITION),
        pytest.param(
            Deployment(2, in_sync_replicas=2, min_in_sync_replicas=2), Fault.DISK_LOSS, marks=pytest.mark.large
        ),
        pytest.param(Deployment(3, learners=1, in_sync_replicas=3), Fault.BROKER_PARTITION, marks=pytest.mark.large),
    ],
)
def test_one_exploration_answers_what_a_search_for_each_question_does(deployment: Deployment, fault: Fault) -> None:
    """`spec/core/Assessment.tla` with its settings in the state against `spec/core/Operations.tla` with constants."""
    faults = Faults((fault,))
    together, one_by_one = (Task(way, deployment, faults)() for way in (EXPLORE, CHECK))
    for answer, other in zip(together, one_by_one, strict=True):
        assert (answer.question, answer.yes) == (other.question, other.yes)
        if answer.behaviour is not None and other.behaviour is not None:
            assert len(answer.behaviour.steps) == len(other.behaviour.steps)
            assert answer.behaviour.steps[0].state == other.behaviour.steps[0].state
            assert answer.behaviour.variables == other.behaviour.variables


@pytest.mark.large
@pytest.mark.parametrize("replicas", [2, 3])
def test_compiled_and_interpreted_explorations_are_one(replicas: int) -> None:
    for fault in Fault:
        if fault is not Fault.POWER_LOSS or replicas == 2:
            faults = Faults((fault,))
            deployment = Deployment(replicas, all_ack=True)
            compiled = Explore(patience=0.0)(deployment, faults, LOG_QUESTIONS)
            interpreted = EXPLORE(deployment, faults, LOG_QUESTIONS)
            assert [(f.yes, f.distinct, f.behaviour) for f in compiled] == [
                (f.yes, f.distinct, f.behaviour) for f in interpreted
            ]


def test_settings_that_decide_nothing_make_no_other_member() -> None:
    loss, crash = Faults((Fault.MACHINE_CRASH,)), Faults((Fault.PROCESS_CRASH,))
    one, other = Deployment(2, all_ack=True), Deployment(2, all_ack=True, in_sync_replicas=2, sync_flush=True)
    assert member_of(one, crash) == member_of(other, crash)
    assert member_of(one, loss) != member_of(other, loss)
    assert family_of(one, crash) == family_of(other, loss) != family_of(one, Faults((Fault.POWER_LOSS,)))


def test_advice_is_checked_and_names_its_cost() -> None:
    deployment = Deployment(2)
    faults = Faults((Fault.DISK_LOSS,))
    answers = Task(EXPLORE, deployment, faults, (BY_NAME["lose-acknowledged"], BY_NAME["two-masters"]))()
    (advice,) = advise(EXPLORE, answers)
    assert advice.answer == answers[0]
    assert [adjustment.text for adjustment in advice.adjustments] == ["inSyncReplicas=2"]
    assert "waits for 2 copies" in advice.adjustments[0].cost
    assert advice.opened == ()


@pytest.mark.usefixtures("without_graphviz")
def test_command(tmp_path: Path) -> None:
    broker = tmp_path / "broker.conf"
    broker.write_text("enableControllerMode=true\nallAckInSyncStateset=true\n", encoding="utf-8")
    out = tmp_path / "stories"
    words = [
        "assess",
        str(broker),
        "--rules",
        "repaired",
        "--faults",
        "process-crash",
        "--out",
        str(out),
        "--format",
        "json",
    ]
    result = CliRunner().invoke(
        main,
        [
            *words,
            *("--format", "json", "--question", "lose-acknowledged", "--no-advice", "--fail-on", "lose-acknowledged"),
        ],
    )
    assert result.exit_code == 12, result.output
    record = json.loads(result.stdout)
    assert [answer["answer"] for answer in record["answers"]] == ["yes"]
    assert "Is allAckInSyncStateSet meant?" in record["remarks"][0]["remedy"]
    assert (out / "lose-acknowledged-process-crash.itf.json").exists()
    assert (out / "lose-acknowledged-process-crash.dot").exists() and "pip install pygraphviz" in result.stderr
    assert "SEND_OK" in (out / "lose-acknowledged-process-crash.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "status", "text"),
    [
        (["--faults", "flood"], 2, "flood"),
        (["--replicas", "7"], 2, "--replicas"),
        (["--replicas", "2", "--max-seconds", "-1"], 2, "--max-seconds"),
    ],
)
def test_bad_input(tmp_path: Path, words: list[str], status: int, text: str) -> None:
    broker = tmp_path / "broker.conf"
    broker.write_text("brokerName=a\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["assess", str(broker), *words])
    assert result.exit_code == status and text in result.output
    assert "Traceback" not in result.output
