"""A real cluster that stands: started by one command, looked at, disturbed and ended by others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import javaproperties

from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.processes.cluster import RealCluster
from rmqproof.rocketmq.processes.host_network import HostNetwork
from rmqproof.rocketmq.processes.java_process import JavaProcess
from rmqproof.rocketmq.processes.nodes import NAME_SERVER
from rmqproof.rocketmq.releases import get_release, open_release

FILE = "rocketmq-cluster.json"
_PLACES = (
    *("brokerIP", "listenPort", "bindAddress", "haListenPort", "namesrvAddr", "controllerAddr", "storePath"),
    *("brokerClusterName", "brokerName", "brokerId", "brokerRole", "fetchNamesrvAddr", "controllerDLeger"),
    *("controllerStorePath", "enableControllerMode", "rocketmqHome", "configStorePath", "haMasterAddress"),
)
"""How the names begin that a cluster on one machine has to choose itself."""


@dataclass(frozen=True, slots=True)
class NodeState:
    """`messages`: in its log, -1 where it cannot be read."""

    name: str
    pid: int | None
    address: str
    broker_id: int | None = None
    messages: int = -1


def start_standing(
    version: str,
    folder: Path,
    brokers: int,
    controllers: int,
    java: Path | None,
    files: Mapping[str, Path],
    hosts: bool = False,
    jraft: bool = False,
    traced: bool = False,
) -> tuple[RealCluster, float, list[str]]:
    """The cluster, the seconds until a master led, and what of a user's settings this cluster chooses itself. `files`:
    `broker` and `controller` may name a user's. Raise `RocketmqError`; what was started is ended then."""
    own = {name: read_settings(path) for name, path in files.items()}
    replaced = sorted(f"{name} of {files[kind].name}" for kind, given in own.items() for name in given if _placed(name))
    release = get_release(version, also=(NAME_SERVER,))
    cluster = RealCluster(
        release,
        find_java(java),
        folder,
        brokers,
        controllers=controllers,
        hosts=hosts,
        jraft=jraft,
        traced=traced,
        own_broker=kept(own.get("broker")),
        own_controller=kept(own.get("controller")),
    )
    cluster.begin()
    try:
        save(cluster)
        seconds = cluster.until(lambda: cluster.master() is not None, "the first master")
    except BaseException:
        cluster.__exit__()
        raise
    return cluster, seconds, replaced


def save(cluster: RealCluster) -> None:
    content = {
        "version": cluster.release.version,
        "java": str(cluster.java.home),
        "controllers": cluster.controllers,
        "controllerPorts": cluster.controller_ports,
        "hosts": _hosts(cluster),
        "nodes": {name: _content(node) for name, node in cluster.nodes.items()},
    }
    (cluster.folder / FILE).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _content(node: JavaProcess) -> dict[str, Any]:
    return {"main": node.main, "settings": dict(node.settings), "options": list(node.options)}


def _hosts(cluster: RealCluster) -> dict[str, Any] | None:
    network = cluster.network
    return asdict(network) if isinstance(network, HostNetwork) else None


def is_standing(folder: Path) -> bool:
    """Is there one, running or stopped?"""
    return (folder / FILE).is_file()


def load(folder: Path) -> RealCluster:
    """Raise `RocketmqError` where its file cannot be read, or its release is gone."""
    try:
        read = json.loads((folder / FILE).read_text(encoding="utf-8"))
        release, java = open_release(read["version"]), find_java(Path(read["java"]))
        nodes = {
            name: JavaProcess(
                release, java, folder / name, node["main"], node["settings"], options=node.get("options", ())
            )
            for name, node in read["nodes"].items()
        }
        brokers = sum(name.startswith("b") for name in nodes)
        cluster = RealCluster(release, java, folder, brokers, controllers=read["controllers"], nodes=nodes)
        cluster.controller_ports = list(read["controllerPorts"])
        if read.get("hosts") is not None:
            cluster.network = HostNetwork(**read["hosts"])
            cluster.place()
    except (OSError, ValueError, KeyError) as error:
        raise RocketmqError(f"{folder / FILE} cannot be read: {error}", "Start a new cluster elsewhere.") from None
    return cluster


def hosts_of(cluster: RealCluster) -> HostNetwork:
    """Raise `RocketmqError` where nodes have none of their own."""
    if not isinstance(cluster.network, HostNetwork):
        raise RocketmqError("All nodes of this cluster are on one host.", "Start one with --hosts.")
    return cluster.network


def node_of(cluster: RealCluster, name: str) -> JavaProcess:
    """Raise `RocketmqError` where there is none of that name."""
    if name not in cluster.nodes:
        raise RocketmqError(f"There is no node {name}.", f"There are {', '.join(cluster.nodes)}.")
    return cluster.nodes[name]


def states(cluster: RealCluster) -> list[NodeState]:
    found = []
    for name, node in cluster.nodes.items():
        address = cluster.address_of(name)
        broker_id, messages = None, -1
        if name.startswith("b"):
            try:
                broker_id = cluster.id_of(name)
                messages = len(cluster.messages(name))
            except (OSError, ValueError):  # not written yet, or half of it
                pass
        found.append(NodeState(name, node.pid if node.running else None, address, broker_id, messages))
    return found


def read_settings(path: Path) -> dict[str, str]:
    """Of a properties file. Raise `RocketmqError`."""
    try:
        return dict(javaproperties.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise RocketmqError(f"{path} cannot be read: {error}", "Name a broker.conf or a controller.conf.") from None


def kept(given: Mapping[str, str] | None) -> dict[str, str] | None:
    """What of a user's settings a cluster on one machine takes."""
    return None if given is None else {name: value for name, value in given.items() if not _placed(name)}


def _placed(name: str) -> bool:
    return name.startswith(_PLACES)
