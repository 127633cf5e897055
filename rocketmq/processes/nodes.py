"""The nodes of a real cluster: which class is started with which settings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rmqproof.rocketmq.java import Java
from rmqproof.rocketmq.processes.java_process import HOST, JavaProcess
from rmqproof.rocketmq.releases import Release

CLUSTER, BROKER_NAME = "DefaultCluster", "broker-a"
NAME_SERVER = "rocketmq-namesrv"
"""The module that a name server needs beside those of a broker."""


def broker(
    release: Release,
    java: Java,
    folder: Path,
    controllers: str,
    name_server: str,
    port: int,
    settings: Mapping[str, str] | None = None,
) -> JavaProcess:
    """A broker in Controller mode, with short periods. Its HA port is its port + 1. `settings` come last."""
    store = folder / "store"
    given = {
        "brokerClusterName": CLUSTER,
        "brokerName": BROKER_NAME,
        "brokerIP1": HOST,
        "brokerIP2": HOST,
        "listenPort": str(port),
        "bindAddress": HOST,
        "haListenPort": str(port + 1),
        "namesrvAddr": name_server,
        "fetchNamesrvAddrByAddressServer": "false",
        "enableControllerMode": "true",
        "controllerAddr": controllers,
        "brokerRole": "SLAVE",
        "storePathRootDir": str(store),
        "storePathCommitLog": str(store / "commitlog"),
        "storePathEpochFile": str(store / "epochFileCheckpoint"),
        "storePathBrokerIdentity": str(store / "brokerIdentity"),
        "mappedFileSizeCommitLog": str(16 << 20),
        "enabledAppendPropCRC": "true",
        "allAckInSyncStateSet": "true",
        "timerWheelEnable": "false",
        "haSendHeartbeatInterval": "1000",
        "syncBrokerMetadataPeriod": "1000",
        "checkSyncStateSetPeriod": "1000",
        "registerNameServerPeriod": "10000",
        **(settings or {}),
    }
    return JavaProcess(release, java, folder, "org.apache.rocketmq.broker.BrokerStartup", given)


def name_server(
    release: Release,
    java: Java,
    folder: Path,
    port: int,
    controller_port: int,
    settings: Mapping[str, str] | None = None,
) -> JavaProcess:
    """A name server with one controller in it (DLedger)."""
    given = {
        "listenPort": str(port),
        "bindAddress": HOST,
        "rocketmqHome": str(folder),
        "kvConfigPath": str(folder / "kvConfig.json"),
        "configStorePath": str(folder / "namesrv.properties"),
        "enableControllerInNamesrv": "true",
        "controllerDLegerGroup": "group1",
        "controllerDLegerPeers": f"n0-{HOST}:{controller_port}",
        "controllerDLegerSelfId": "n0",
        "controllerStorePath": str(folder / "controller"),
        "scanNotActiveBrokerInterval": "1000",
        "scanInactiveMasterInterval": "1000",
        "mappedFileSize": str(1 << 20),
        **(settings or {}),
    }
    return JavaProcess(release, java, folder, "org.apache.rocketmq.namesrv.NamesrvStartup", given)
