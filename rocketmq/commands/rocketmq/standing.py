"""What `rmqproof cluster` does where its directory holds a cluster of RocketMQ's own processes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import click

from rmqproof.model.checking import exit_status
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.processes import standing
from rmqproof.rocketmq.processes.cluster import RealCluster
from rmqproof.rocketmq.processes.host_network import CLIENT, HostNetwork

FILE = standing.FILE


def told(work: Callable[[], None]) -> None:
    """What goes wrong is said, and ends with status 153."""
    try:
        work()
    except RocketmqError as error:
        click.secho(str(error), fg="red", bold=True, err=True)
        sys.exit(exit_status.SYSTEM)


def up(
    version: str,
    folder: Path,
    brokers: int,
    controllers: int,
    broker_conf: Path | None,
    controller_conf: Path | None,
    hosts: bool,
    jraft: bool,
    traced: bool,
) -> None:
    """Start one, or one that was stopped."""

    def work() -> None:
        place = folder.resolve()
        if standing.is_standing(place):
            cluster = standing.load(place)
            if isinstance(cluster.network, HostNetwork):
                cluster.network.begin()
            for node in cluster.nodes.values():
                if not node.running:
                    node.start()
            seconds = cluster.until(lambda: cluster.master() is not None, "a master")
        else:
            files = {"broker": broker_conf, "controller": controller_conf}
            given = {name: path for name, path in files.items() if path is not None}
            cluster, seconds, replaced = standing.start_standing(
                version, place, brokers, controllers, None, given, hosts, jraft, traced
            )
            for each in replaced:
                click.echo(f"chosen here, not taken: {each}", err=True)
        click.echo(f"{cluster.release.title}: {cluster.master()} leads after {seconds:.0f} s")
        _print_status(cluster)

    told(work)


def down(folder: Path) -> None:
    def work() -> None:
        cluster = standing.load(folder.resolve())
        for node in cluster.nodes.values():
            node.go_on()
            node.ask_to_stop()
        for node in cluster.nodes.values():
            node.stop()
        if isinstance(cluster.network, HostNetwork):
            cluster.network.close()
        click.echo("All nodes have stopped.", err=True)

    told(work)


def status(folder: Path, as_json: bool) -> None:
    told(lambda: _print_status(standing.load(folder.resolve()), as_json))


def _print_status(cluster: RealCluster, as_json: bool = False) -> None:
    master, members = cluster.master(), cluster.sync_state_set()
    found = standing.states(cluster)
    if as_json:
        nodes = {
            each.name: {
                "pid": each.pid,
                "address": each.address,
                "brokerId": each.broker_id,
                "messages": each.messages if each.messages >= 0 else None,
            }
            for each in found
        }
        content = {
            "master": master,
            "syncStateSet": sorted(members) if members is not None else None,
            "nodes": nodes,
        }
        click.echo(json.dumps(content, indent=2))
        return
    for each in found:
        role = "leads" if each.name == master else ""
        log = f"brokerId {each.broker_id}, {each.messages} messages" if each.messages >= 0 else ""
        line = f"{each.name}  {'pid ' + str(each.pid) if each.pid else 'down':<12} {each.address:<16} {log:<28} {role}"
        click.echo(line.rstrip())
    click.echo(f"SyncStateSet: {sorted(members) if members is not None else 'no controller answers'}")


def kill(folder: Path, node: str) -> None:
    told(lambda: standing.node_of(standing.load(folder.resolve()), node).kill())


def start(folder: Path, node: str) -> None:
    def work() -> None:
        found = standing.node_of(standing.load(folder.resolve()), node)
        if found.running:
            raise RocketmqError(f"{node} runs.", f"End it first: rmqproof cluster kill {node} --dir {folder}")
        found.start()

    told(work)


def partition(folder: Path, nodes: Sequence[str], others: Sequence[str]) -> None:
    """Cut nodes off from others (none: from everybody), in both directions, and from nobody else."""

    def work() -> None:
        cluster = standing.load(folder.resolve())
        network = standing.hosts_of(cluster)
        for name in (*nodes, *others):
            standing.node_of(cluster, name)
        rest = others or [name for name in (*cluster.nodes, CLIENT) if name not in nodes]
        network.heal()
        network.pace([*product(nodes, rest), *product(rest, nodes)], held=True)

    told(work)


def heal(folder: Path) -> None:
    told(lambda: standing.hosts_of(standing.load(folder.resolve())).heal())


def pause(folder: Path, node: str) -> None:
    told(lambda: standing.node_of(standing.load(folder.resolve()), node).pause())


def resume(folder: Path, node: str) -> None:
    told(lambda: standing.node_of(standing.load(folder.resolve()), node).go_on())
