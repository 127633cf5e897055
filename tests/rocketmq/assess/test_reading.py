"""What the files say: Java's reading of properties, strangers, defaults, contradictions."""

from __future__ import annotations

import pytest

from rmqproof.model.tla.source import Source, TlaError
from rmqproof.rocketmq.assess.deployment import Deployment, contradictions, controllers_of, deployment_of
from rmqproof.rocketmq.assess.properties_file import parse_properties
from rmqproof.rocketmq.assess.reading import Reading, empty_reading, read_side
from rmqproof.rocketmq.assess.settings import SETTINGS, Side


def reading(text: str, side: Side = Side.BROKER, name: str = "broker.conf") -> Reading:
    return read_side(parse_properties(Source(name, text)), side)


CONTROLLER = empty_reading(Side.CONTROLLER, "none")


def test_values_defaults_and_places() -> None:
    read = reading("# comment\n  allAckInSyncStateSet : true\nminInSyncReplicas=2\n")
    assert read["allAckInSyncStateSet"] is True
    assert str(read.values["allAckInSyncStateSet"].at) == "broker.conf:2:3"
    assert read["minInSyncReplicas"] == 2
    assert read["inSyncReplicas"] == 1 and read.values["inSyncReplicas"].at is None
    assert read.remarks == ()


@pytest.mark.parametrize(
    ("text", "name", "value", "words"),
    [
        # MixAll.properties2Object: Boolean.parseBoolean, Integer.parseInt, exceptions swallowed; blanks are kept
        ("allAckInSyncStateSet=true ", "allAckInSyncStateSet", False, "blank at its end"),
        ("allAckInSyncStateSet=yes", "allAckInSyncStateSet", False, "only `true` is true"),
        ("allAckInSyncStateSet=TRUE", "allAckInSyncStateSet", True, ""),
        ("minInSyncReplicas=2 ", "minInSyncReplicas", 1, "keeps its default 1"),
        ("minInSyncReplicas=two", "minInSyncReplicas", 1, "not a whole number"),
        ("flushDiskType=sync_flush", "flushDiskType", "ASYNC_FLUSH", "SYNC_FLUSH, ASYNC_FLUSH"),
        ("flushDiskType=SYNC_FLUSH", "flushDiskType", "SYNC_FLUSH", ""),
        ("minInSyncReplicas=2\nminInSyncReplicas=3", "minInSyncReplicas", 3, "set again in line 2"),
    ],
)
def test_values_as_java_reads_them(text: str, name: str, value: object, words: str) -> None:
    read = reading(text)
    assert read[name] == value
    assert [words in remark.sentence for remark in read.remarks] == ([True] if words else [])


@pytest.mark.parametrize(
    ("text", "sentence", "remedy"),
    [
        ("allAckInSyncStateset=true", "knows no setting allAckInSyncStateset", "Is allAckInSyncStateSet meant?"),
        ("minInsyncReplica=2", "knows no setting", "Is minInSyncReplicas meant?"),
        ("enableElectUncleanMaster=true", "is a controller's setting", "controller's file"),
        ("zzz=1", "knows no setting zzz", ""),
    ],
)
def test_strangers(text: str, sentence: str, remedy: str) -> None:
    (remark,) = reading(text).remarks
    assert sentence in remark.sentence and remedy in remark.remedy
    assert str(remark.at) == "broker.conf:1:1"


def test_settings_that_decide_nothing_are_known() -> None:
    assert (
        reading("listenPort=30911\nstorePathRootDir=/tmp\nbrokerName=a\nnamesrvAddr=x\nfileReservedTime=48").remarks
        == ()
    )


def test_every_setting_reads_its_own_default() -> None:
    for setting in SETTINGS:
        text = str(setting.default).lower() if isinstance(setting.default, bool) else str(setting.default)
        assert setting.read(text) == setting.default


def test_controllers() -> None:
    peers = "controllerDLegerPeers=n0-127.0.0.1:9877;n1-127.0.0.1:9878;n2-127.0.0.1:9879"
    assert controllers_of(reading(peers, Side.CONTROLLER)) == 3
    assert controllers_of(reading("controllerType=jRaft", Side.CONTROLLER)) == 3
    assert controllers_of(CONTROLLER) == 1


def test_a_broker_set() -> None:
    mode = "enableControllerMode=true\nallAckInSyncStateSet=true\n"
    files = [reading(mode), reading(mode), reading(mode + "asyncLearner=true")]
    unclean = reading("enableElectUncleanMaster=true", Side.CONTROLLER)
    assert deployment_of(files, unclean) == Deployment(
        3, all_ack=True, unclean_election=True, learners=1, controllers=1
    )
    assert deployment_of(files[:1], CONTROLLER).replicas == 2
    assert deployment_of(files[:1], CONTROLLER, 3).replicas == 3


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["enableControllerMode=true\ninSyncReplicas=2", "enableControllerMode=true"], "inSyncReplicas is 2 in"),
        (["enableControllerMode=true\nasyncLearner=true"] * 2, "nobody may become master"),
        (["enableControllerMode=true"] * 4, "4 replicas is outside"),
    ],
)
def test_no_broker_set(texts: list[str], words: str) -> None:
    with pytest.raises(TlaError, match=words):
        deployment_of([reading(text) for text in texts], CONTROLLER)


def test_contradictions() -> None:
    text = (
        "enableControllerMode=true\nallAckInSyncStateSet=true\ninSyncReplicas=2\nminInSyncReplicas=4\nbrokerRole=SLAVE"
    )
    read = reading(text)
    said = " ".join(remark.sentence for remark in contradictions([read], CONTROLLER, deployment_of([read], CONTROLLER)))
    assert "inSyncReplicas has no effect" in said
    assert "minInSyncReplicas=4 can never be met by 2 replicas" in said
    assert "brokerRole has no effect" in said
