"""Broker sets without a controller, and the three kinds of files that the documents about 5.0 show."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.source import Source, TlaError
from rmqproof.rocketmq.assess.acting import MasterSlave
from rmqproof.rocketmq.assess.advice import advise
from rmqproof.rocketmq.assess.assessment import Assessment
from rmqproof.rocketmq.assess.console import lemma_lines
from rmqproof.rocketmq.assess.deployment import Deployment, contradictions, deployment_of
from rmqproof.rocketmq.assess.examination import Answer, Task
from rmqproof.rocketmq.assess.faults import Fault, Faults
from rmqproof.rocketmq.assess.lemmas import ACK, CONFIRM, CONTROLLER, EPOCH, Lemma, behind
from rmqproof.rocketmq.assess.properties_file import parse_properties
from rmqproof.rocketmq.assess.questions import QUESTIONS
from rmqproof.rocketmq.assess.reading import Reading, empty_reading, read_side
from rmqproof.rocketmq.assess.settings import Side
from rmqproof.rocketmq.assess.state_space import Explore
from rmqproof.rocketmq.assess.story import story
from rmqproof.rocketmq.release_rules import shipped_rules

EXPLORE = Explore(compiled=False)
BY_NAME = {question.name: question for question in QUESTIONS}
NONE = empty_reading(Side.CONTROLLER, "none")

CONTROLLER_MODE = (
    "brokerName = trades\nenableControllerMode = true\n"
    "controllerAddr = 10.1.0.1:9877;10.1.0.2:9877;10.1.0.3:9877\nlistenPort = 30911\n"
)
EMBEDDED_CONTROLLER = (
    "enableControllerInNamesrv = true\ncontrollerDLegerGroup = g\n"
    "controllerDLegerPeers = n0-10.1.0.1:9877;n1-10.1.0.2:9877;n2-10.1.0.3:9877\ncontrollerDLegerSelfId = n1\n"
    "controllerStorePath = /data/controller\nenableElectUncleanMaster = false\nnotifyBrokerRoleChanged = true\n"
)
MASTER = "brokerName = orders\nbrokerId = 0\nbrokerRole = ASYNC_MASTER\nenableSlaveActingMaster=true\n"
SLAVE = (
    "brokerName = orders\nbrokerId = 2\nbrokerRole = SLAVE\nslaveReadEnable=true\nenableSlaveActingMaster=true\n"
    "enableRemoteEscape=true\n"
)
NAMESERVER = "supportActingMaster=true\n"
QUORUM_WRITE = (
    "brokerName = pay\nbrokerRole = SYNC_MASTER\nenableSlaveActingMaster=true\ntotalReplicas=2\n"
    "inSyncReplicas=2\nminInSyncReplicas=1\nenableAutoInSyncReplicas=true\n"
)


def reading(text: str, side: Side = Side.BROKER) -> Reading:
    return read_side(parse_properties(Source("broker.conf", text)), side)


def ask(broker_set: Deployment | MasterSlave, fault: Fault, *names: str) -> tuple[Answer, ...]:
    return Task(EXPLORE, broker_set, Faults((fault,)), tuple(BY_NAME[name] for name in names))()


def told(answers: tuple[Answer, ...]) -> list[bool | None]:
    """The verdicts; every yes has a story without a name of an action."""
    for answer in answers:
        if answer.behaviour is not None:
            actions = {step.action for step in answer.behaviour.steps if step.action}
            sentences = story(answer.behaviour)
            assert len(sentences) == len(answer.behaviour.steps)
            assert not [s for s in sentences for action in actions if f"{action}(" in s or s == f"{action}."]
    return [answer.yes for answer in answers]


@pytest.mark.large
def test_controller_in_the_name_server() -> None:
    broker, nameserver = reading(CONTROLLER_MODE), reading(EMBEDDED_CONTROLLER, Side.CONTROLLER)
    assert broker.remarks == nameserver.remarks == ()
    deployment = deployment_of([broker], nameserver)
    assert deployment == Deployment(2, controllers=3)
    assert told(ask(deployment, Fault.PROCESS_CRASH, "lose-acknowledged", "two-masters")) == [True, False]


def test_acting_master_and_its_slave() -> None:
    files, nameserver = [reading(MASTER), reading(SLAVE)], reading(NAMESERVER, Side.CONTROLLER)
    assert not [remark for read in (*files, nameserver) for remark in read.remarks]
    broker_set = deployment_of(files, nameserver)
    assert broker_set == MasterSlave(2, acting=True, remote_escape=True)
    # totalReplicas is 1 unless it is set, and then BrokerController.start does not isolate a master that returns
    said = [remark.sentence for remark in contradictions(files, nameserver, broker_set)]
    assert len(said) == 1 and "without pulling consumer offsets" in said[0]
    names = ("lose-acknowledged", "offsets-roll-back", "message-stuck", "message-dropped", "two-lock-holders")
    answers = ask(broker_set, Fault.PROCESS_CRASH, *names)
    assert told(answers) == [False, True, False, False, True]
    advice = {given.answer.question.name: given.adjustments for given in advise(EXPLORE, answers)}
    assert [a.text for a in advice["offsets-roll-back"]] == ["totalReplicas=2"]
    assert [a.text for a in advice["two-lock-holders"]] == ["lockInStrictMode=true with totalReplicas=2"]
    (unlisted,) = [r for r in contradictions(files, NONE, broker_set) if "supportActingMaster" in r.sentence]
    assert unlisted.serious


def test_what_waits_and_what_is_passed_over_while_a_slave_acts() -> None:
    """F-78: PopReviveService.mergeAndRevive of a slave; a model has it (`CheckpointPassedOver`)."""
    for text, told_of in ((SLAVE, False), (SLAVE.replace("Escape=true", "Escape=false"), True)):
        files = [reading(MASTER), reading(text)]
        said = contradictions(files, NONE, deployment_of(files, NONE))
        assert any("POP's revival goes over" in remark.sentence for remark in said) is told_of


def test_quorum_write_that_degrades() -> None:
    broker_set = deployment_of([reading(QUORUM_WRITE)], NONE)
    assert broker_set == MasterSlave(
        2, sync_master=True, in_sync_replicas=2, auto_degrade=True, acting=True, total_replicas=2
    )
    # a slave that is away is not waited for, so a lost disk of the master loses what it accepted meanwhile
    assert told(ask(broker_set, Fault.BROKER_PARTITION, "lose-acknowledged", "majority-stalls")) == [False, False]
    both = Faults.parse("broker-partition+disk-loss")
    (lost,) = Task(EXPLORE, broker_set, both, (BY_NAME["lose-acknowledged"],))()
    assert lost.behaviour is not None and told((lost,)) == [True]
    # nor is one that lags by more than haMaxGapNotInSync (DefaultHAService.isInSyncSlave), which takes no fault
    assert told(ask(broker_set, Fault.DISK_LOSS, "lose-acknowledged")) == [True]
    two = replace(broker_set, min_in_sync_replicas=2)
    assert told(ask(two, Fault.DISK_LOSS, "lose-acknowledged")) == [False]


@pytest.mark.parametrize(
    ("broker_set", "fault", "question", "yes"),
    [
        (MasterSlave(2, sync_master=True, in_sync_replicas=2), Fault.MACHINE_CRASH, "lose-acknowledged", True),
        (MasterSlave(2, sync_master=True, sync_flush=True), Fault.MACHINE_CRASH, "lose-acknowledged", False),
        # a slave has what its master has not flushed yet, and is read while the master is down
        (MasterSlave(2, sync_flush=True), Fault.MACHINE_CRASH, "read-truncated", True),
        (MasterSlave(2, sync_master=True, in_sync_replicas=2), Fault.PROCESS_CRASH, "majority-stalls", False),
        (MasterSlave(3), Fault.PROCESS_CRASH, "majority-stalls", True),
        (MasterSlave(2, acting=True), Fault.PROCESS_CRASH, "message-stuck", True),
        (MasterSlave(2, acting=True, remote_escape=True), Fault.PROCESS_CRASH, "two-masters", False),
        (MasterSlave(2, acting=True, total_replicas=2), Fault.PROCESS_CRASH, "offsets-roll-back", False),
        (MasterSlave(2, acting=True, total_replicas=2), Fault.CONTROLLER_PARTITION, "offsets-roll-back", False),
        (
            MasterSlave(2, acting=True, total_replicas=2, shipped_rules=shipped_rules()),
            Fault.CONTROLLER_PARTITION,
            "offsets-roll-back",
            True,
        ),
        (MasterSlave(2, acting=True, skip_pre_online=True), Fault.PROCESS_CRASH, "offsets-roll-back", True),
        (
            MasterSlave(3, acting=True, strict_lock=True, total_replicas=3),
            Fault.CONTROLLER_PARTITION,
            "two-lock-holders",
            False,
        ),
        # a process takes with it what it had not committed to its files (DefaultMappedFile.appendMessageBuffer)
        (MasterSlave(2, transient_pool=True), Fault.PROCESS_CRASH, "lose-acknowledged", True),
        (MasterSlave(2), Fault.PROCESS_CRASH, "lose-acknowledged", False),
        # one member is a majority of one
        (MasterSlave(2, acting=True, strict_lock=True), Fault.CONTROLLER_PARTITION, "two-lock-holders", True),
    ],
)
def test_known_answers(broker_set: MasterSlave, fault: Fault, question: str, yes: bool) -> None:
    assert told(ask(broker_set, fault, question)) == [yes]


def test_questions_that_a_kind_of_broker_set_does_not_raise() -> None:
    names = tuple(BY_NAME)
    assert len(ask(Deployment(2), Fault.BROKER_PARTITION, *names)) == 6
    plain = {a.question.name for a in ask(MasterSlave(2), Fault.BROKER_PARTITION, *names)}
    assert plain == {*names[:7]} - {"two-masters"}


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ([MASTER, MASTER], "more than one is a master's"),
        ([SLAVE, SLAVE], "none is a master's"),
        ([MASTER, SLAVE.replace("orders", "other")], "brokerName is orders"),
        ([MASTER, CONTROLLER_MODE], "enableControllerMode is false"),
    ],
)
def test_files_that_are_no_broker_set(texts: list[str], words: str) -> None:
    with pytest.raises(TlaError, match=words):
        deployment_of([reading(text) for text in texts], NONE)


def test_lemmas_behind_a_no_are_declared_as_proved() -> None:
    for module in (ACK, CONFIRM, CONTROLLER, EPOCH):
        assert bundled(f"{module}.tla").exists()
    deployment = Deployment(2, all_ack=True)
    answers = ask(deployment, Fault.BROKER_PARTITION, "lose-acknowledged", "read-truncated")
    lemmas = [lemma for answer in answers for lemma in behind(answer)]
    assert Lemma(ACK, "AllAckHoldsEverywhere") in lemmas
    for lemma in lemmas:
        text = bundled(f"{lemma.module}.tla").read_text(encoding="utf-8")
        about = text[: text.index(f"THEOREM {lemma.name} ")].rsplit("\n\n", 1)[1]
        assert "EXPECT refuted" not in about
        assert lemma.sentence().split()[0] in about
    lines = lemma_lines(Assessment((), (), deployment, answers, ()))
    assert any(line.startswith("lose-acknowledged: With allAck") for line in lines)
    unclean = Deployment(2, all_ack=True, unclean_election=True)
    assert not [lemma for a in ask(unclean, Fault.BROKER_PARTITION, "read-truncated") for lemma in behind(a)]
