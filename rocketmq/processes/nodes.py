"""The nodes of a real cluster: which class is started with which settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    bind: str = HOST,
    own: Mapping[str, str] | None = None,
    said: str = HOST,
) -> JavaProcess:
    """A broker in Controller mode, with short periods. Its HA port is its port + 1. `settings` come last. It listens at
    `bind` and says that it listens at `said`. `own`: a user's settings instead of the short periods; addresses and
    folders stay those of this cluster."""
    places = _broker_places(folder, controllers, name_server, port, bind, said)
    given = {**(_QUICK_BROKER if own is None else {}), **(own or {}), **places, **(settings or {})}
    return JavaProcess(release, java, folder, "org.apache.rocketmq.broker.BrokerStartup", given)


def _broker_places(folder: Path, controllers: str, name_server: str, port: int, bind: str, said: str) -> dict[str, str]:
    store = folder / "store"
    return {
        "brokerClusterName": CLUSTER,
        "brokerName": BROKER_NAME,
        "brokerIP1": said,
        "brokerIP2": said,
        "listenPort": str(port),
        "bindAddress": bind,
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
    }


_QUICK_BROKER = {
    "mappedFileSizeCommitLog": str(16 << 20),
    "enabledAppendPropCRC": "true",
    "allAckInSyncStateSet": "true",
    "timerWheelEnable": "false",
    "haSendHeartbeatInterval": "1000",
    "syncBrokerMetadataPeriod": "1000",
    "checkSyncStateSetPeriod": "1000",
    "registerNameServerPeriod": "10000",
}
IMPATIENT = {
    "controllerHeartBeatTimeoutMills": "3000",
    "haHousekeepingInterval": "4000",
    "haMaxTimeSlaveNotCatchup": "3000",
}
"""Settings of brokers with which faults of seconds have consequences."""
_QUICK_CONTROLLER = {
    "scanNotActiveBrokerInterval": "1000",
    "scanInactiveMasterInterval": "1000",
    "mappedFileSize": str(1 << 20),
}


def name_server(
    release: Release,
    java: Java,
    folder: Path,
    port: int,
    controller_address: str | None = None,
    settings: Mapping[str, str] | None = None,
    bind: str = HOST,
) -> JavaProcess:
    """A name server, with one controller in it (DLedger) where there is an address for that."""
    given = {
        "listenPort": str(port),
        "bindAddress": bind,
        "rocketmqHome": str(folder),
        "kvConfigPath": str(folder / "kvConfig.json"),
        "configStorePath": str(folder / "namesrv.properties"),
    }
    if controller_address is not None:
        given |= {"enableControllerInNamesrv": "true", **_controller(folder, [controller_address], 0)}
        given |= _QUICK_CONTROLLER
    return JavaProcess(
        release, java, folder, "org.apache.rocketmq.namesrv.NamesrvStartup", given | {**(settings or {})}
    )


def controller(
    release: Release,
    java: Java,
    folder: Path,
    peers: Sequence[str],
    number: int,
    settings: Mapping[str, str] | None = None,
    bind: str = HOST,
    own: Mapping[str, str] | None = None,
) -> JavaProcess:
    """One of a group of controllers (DLedger) at these addresses, a process of its own. `own` as for a broker."""
    given = {
        "listenPort": peers[number].rpartition(":")[2],
        "bindAddress": bind,
        "rocketmqHome": str(folder),
        "configStorePath": str(folder / "controller.properties"),
        **_controller(folder, peers, number),
        **(settings or {}),
    }
    given = {**(_QUICK_CONTROLLER if own is None else {}), **(own or {}), **given}
    return JavaProcess(release, java, folder, "org.apache.rocketmq.controller.ControllerStartup", given)


def _controller(folder: Path, peers: Sequence[str], number: int) -> dict[str, str]:
    return {
        "controllerDLegerGroup": "group1",
        "controllerDLegerPeers": ";".join(f"n{each}-{address}" for each, address in enumerate(peers)),
        "controllerDLegerSelfId": f"n{number}",
        "controllerStorePath": str(folder / "controller"),
    }


def as_jraft(folder: Path, peers: Sequence[str], raft_peers: Sequence[str], number: int) -> dict[str, str]:
    """Settings that make it a controller on JRaft (5.2.0): addresses for brokers, and for each other."""
    return {
        "controllerType": "jRaft",
        "jRaftGroupId": "jRaft-Controller",
        "jRaftServerId": raft_peers[number],
        "jRaftInitConf": ",".join(raft_peers),
        "jRaftControllerRPCAddr": ",".join(peers),
        "controllerStorePath": str(folder / "controller"),
    }
