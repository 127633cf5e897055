"""`rmqproof rocketmq broker`: a real broker in our cluster."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rmqproof.impl.runtime.errors import ClusterError
from rmqproof.impl.runtime.layout import load_layout
from rmqproof.model.report.console import open_console
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.processes.java_process import free_port
from rmqproof.rocketmq.processes.nodes import broker
from rmqproof.rocketmq.releases import get_release


@click.command("broker")
@click.argument("version")
@click.option(
    "--join",
    "cluster",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="A cluster of `rmqproof cluster up --shipped --rocketmq-wire`.",
)
@click.option("--name", default="r1", show_default=True, help="Its folder in DIR/rocketmq.")
@click.option("--java", type=click.Path(exists=True, path_type=Path), metavar="HOME", help="The Java to run it on.")
def command(version: str, cluster: Path, name: str, java: Path | None) -> None:
    """Start a real broker that registers at the controllers of our cluster, until it is stopped (Ctrl-C).

    It gets a brokerId, follows our master or is elected and our brokers follow it. Its store and logs are in
    DIR/rocketmq/NAME.
    """
    try:
        layout = load_layout(cluster.resolve())
    except ClusterError as error:
        raise RocketmqError(str(error), "Make one: rmqproof cluster up --shipped --rocketmq-wire.") from None
    controllers = ";".join(node.address for node in layout.controllers)
    found = find_java(java)
    node = broker(
        get_release(version),
        found,
        cluster.resolve() / "rocketmq" / name,
        controllers,
        controllers,  # one of ours says what such a broker asks a name server
        free_port(following=True),
    )
    node.start()
    text = f"{name} runs, process {node.pid}; its folder is {node.folder}"
    open_console().print(text, markup=False, soft_wrap=True)
    sys.exit(node.wait())
