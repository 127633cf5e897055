"""`rmqproof rocketmq failover`: processes of a release, whose master is killed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from rmqproof.model.report.console import open_console
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.processes.cluster import RealCluster
from rmqproof.rocketmq.processes.failover import fail_over
from rmqproof.rocketmq.processes.nodes import NAME_SERVER
from rmqproof.rocketmq.releases import get_release


@click.command("failover")
@click.argument("version")
@click.option("--dir", "folder", required=True, type=click.Path(path_type=Path), metavar="DIR", help="New or empty.")
@click.option("--brokers", default=2, show_default=True, type=click.IntRange(2, 5))
@click.option("--controllers", default=0, show_default=True, type=click.IntRange(0, 5), help="0: in the name server.")
@click.option("--jraft", is_flag=True, help="Controllers of their own on JRaft instead of DLedger, since 5.2.0.")
@click.option("--trace", is_flag=True, help="Brokers and controllers write their steps in DIR/traces (needs a JDK).")
@click.option("--java", type=click.Path(exists=True, path_type=Path), metavar="HOME", help="The Java to run it on.")
@click.option("--json", "json_to", type=click.Path(path_type=Path), metavar="FILE", help="Write the result here.")
def command(
    version: str,
    folder: Path,
    brokers: int,
    controllers: int,
    jraft: bool,
    trace: bool,
    java: Path | None,
    json_to: Path | None,
) -> None:
    """Start a real cluster on loopback, kill its master (kill -9) under load, and look what is left.

    A name server with its controller, and brokers with allAckInSyncStateSet=true: processes of the release with
    ordinary configuration files in DIR. At the end every message whose producer was told SEND_OK must be at the last
    master, and the logs and epoch files of all brokers alike. DIR/logs is for `rmqproof validate --mapping rocketmq`,
    and with --trace DIR/traces for `--mapping rocketmq-trace`.

    Exit status: 0 so it is, 1 it is not, 153 it did not come up.
    """
    release = get_release(version, also=(NAME_SERVER,))
    console = open_console()

    def say(text: str) -> None:
        console.print(text, markup=False, soft_wrap=True)

    controllers = max(1, controllers) if jraft else controllers
    with RealCluster(
        release, find_java(java), folder.resolve(), brokers, controllers=controllers, jraft=jraft, traced=trace
    ) as cluster:
        found = fail_over(cluster, say)
    say(f"SEND_OK: {len(found.acknowledged)} messages, missing: {len(found.missing)}; refused: {len(found.refused)}")
    say(f"logs and epoch files: {', '.join(found.differ) + ' differ' if found.differ else 'all alike'}")
    say(f"{len(found.logs)} logs are in {folder / 'logs'}")
    if json_to is not None:
        content = {
            "version": version,
            "masters": found.masters,
            "acknowledged": found.acknowledged,
            "refused": found.refused,
            "missing": found.missing,
            "differ": found.differ,
        }
        json_to.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    sys.exit(bool(found.missing or found.differ))
