"""What the files say: Java's reading of properties, strangers, defaults, contradictions."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest

from rmqproof.model.tla.source import Source, TlaError
from rmqproof.rocketmq.assess.deployment import Deployment, contradictions, controllers_of, deployment_of
from rmqproof.rocketmq.assess.properties_file import parse_properties, read_properties
from rmqproof.rocketmq.assess.reading import Reading, _other_names, empty_reading, read_side, shown
from rmqproof.rocketmq.assess.settings import SETTINGS, Side
from tests.rocketmq.conftest import wanted


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
        ("flushDiskType=SYNC_FLUSH ", "flushDiskType", "SYNC_FLUSH", ""),
        ("inSyncReplicas=\\uD835\\uDFD0", "inSyncReplicas", 1, "not a whole number"),
        ("inSyncReplicas=\\uFF12", "inSyncReplicas", 2, ""),
        ("inSyncReplicas=--2", "inSyncReplicas", 1, "not a whole number"),
        ("inSyncReplicas=4294967298", "inSyncReplicas", 1, "not a whole number of 32 bits"),
        ("\u00ef\u00bb\u00bfinSyncReplicas=2", "inSyncReplicas", 1, "byte order mark"),
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


def test_values_as_the_classes_of_5_3_3_read_them() -> None:
    """Properties.load, then MixAll.properties2Object on BrokerConfig and MessageStoreConfig, recorded for files drawn
    at random: every setting that was not its default, and no other."""
    rows = (Path(__file__).parent / "read_by_5.3.3.ndjson").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 100
    for row in map(json.loads, rows):
        text = row["file"].replace("\r\n", "\n").replace("\r", "\n")
        values = reading(text).values
        ours = {name: shown(each.value) for name, each in values.items() if each.value != each.setting.default}
        assert ours == row["set"], row["file"]


def test_bytes_are_characters_as_java_reads_them(tmp_path: Path) -> None:
    (tmp_path / "broker.conf").write_bytes("# 主\nbrokerName=b\n".encode("gbk") + b"# caf\xe9\ninSyncReplicas=2\n")
    read = read_side(read_properties(tmp_path / "broker.conf"), Side.BROKER)
    assert read["inSyncReplicas"] == 2 and read["brokerName"] == "b" and not read.remarks


def test_a_comment_that_is_none_is_one_remark() -> None:
    """As conf/controller/cluster-3n-namesrv-plugin/namesrv-n0.conf of 5.3.3 begins."""
    text = "<!--\n  Licensed to the Foundation\n  the License: a\n-->\nnotifyBrokerRoleChanged = true\n"
    (remark,) = reading(text, Side.CONTROLLER).remarks
    assert "4 lines from here on" in remark.sentence and remark.at is not None and remark.at.line == 1


def test_many_strangers_are_one_remark() -> None:
    remarks = reading("\n".join(f"unknown{number}=1" for number in range(2000))).remarks
    assert len(remarks) == 51 and "Of 1,950 more settings" in remarks[-1].sentence


@pytest.mark.parametrize("name", ["authenticationEnabled", "tieredStoreFilePath", "enableLitePopLog"])
def test_settings_of_other_classes_are_known(name: str) -> None:
    assert not reading(f"{name}=x").remarks


@pytest.mark.parametrize("version", ["5.1.4", "5.5.0", "5.5.1"])
def test_every_setting_of_a_release_is_known(version: str) -> None:
    """The setters of the classes that BrokerStartup hands to MixAll.properties2Object, and of the tiered store's."""
    release = wanted(version, instead="5.5.0" if version == "5.5.1" else "")
    known = {name for names in _other_names().values() for name in names} | {each.name for each in SETTINGS}
    classes = [f"{name}.class" for name in ("BrokerConfig", "MessageStoreConfig", "AuthConfig", "NettyServerConfig")]
    met = 0
    for jar in (jar for jar in release.class_path if Path(jar).name.startswith("rocketmq-")):
        with zipfile.ZipFile(jar) as archive:
            for entry in (each for each in archive.namelist() if each.rpartition("/")[2] in classes):
                # a name in the pool of constants: a tag, its length and itself
                pool = re.findall(rb"\x01(..)set(\w+)", archive.read(entry), re.DOTALL)
                names = [name.decode() for size, name in pool if int.from_bytes(size, "big") == len(name) + 3]
                met += len(names)
                assert not {name[0].lower() + name[1:] for name in names} - known, entry
    assert met > 300


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("enableDLegerCommitLog=true", "DLedger's Raft"),
        ("enableDLegerCommitLog=true\nenableControllerMode=true", "exits when it starts"),
        ("brokerConfigPaths=/a.conf:/b.conf", "broker container"),
        ("brokerRole=SLAVE\nbrokerId=1", "slave's file"),
        ("asyncLearner=true\nenableControllerMode=true", "nobody may become master"),
    ],
)
def test_files_of_which_nothing_is_said_are_refused(text: str, words: str) -> None:
    with pytest.raises(TlaError, match=words):
        deployment_of([reading(text)], CONTROLLER, 2)


@pytest.mark.parametrize(("text", "all_ack", "copies"), [("-1", True, 1), ("0", False, 1), ("-2", False, 1)])
def test_fewer_copies_than_one(text: str, all_ack: bool, copies: int) -> None:
    brokers = [reading(f"enableControllerMode=true\ninSyncReplicas={text}")]
    deployment = deployment_of(brokers, CONTROLLER, 2)
    assert isinstance(deployment, Deployment)
    assert (deployment.all_ack, deployment.in_sync_replicas) == (all_ack, copies)
    assert any(
        f"inSyncReplicas={text} asks for" in each.sentence for each in contradictions(brokers, CONTROLLER, deployment)
    )


@pytest.mark.parametrize(
    ("text", "replicas", "count"),
    [("", None, 2), ("", 1, 1), ("totalReplicas=3", None, 3), ("totalReplicas=1", None, 1)],
)
def test_how_many_replicas(text: str, replicas: int | None, count: int) -> None:
    assert deployment_of([reading(f"enableControllerMode=true\n{text}")], CONTROLLER, replicas).replicas == count
