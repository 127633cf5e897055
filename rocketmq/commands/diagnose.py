"""`rmqproof diagnose`: what happened to a cluster, from its logs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rmqproof.model.checking import exit_status
from rmqproof.model.cli.option_list import json_to
from rmqproof.model.cli.writable import Output, write_json
from rmqproof.model.report.console import open_console
from rmqproof.model.report.render import render
from rmqproof.model.report.space_time import space_time_dot
from rmqproof.model.tla.source import TlaError
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.incident.folder import read_incident
from rmqproof.rocketmq.incident.telling import chart_of_incident, content_of, lines_of


@click.command("diagnose", short_help="What happened to a cluster of RocketMQ, from its logs.")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.option("--picture", type=Output(), metavar="FILE", help="Draw it: .svg, .png, .pdf or .dot.")
@click.option("--all", "all_of_it", is_flag=True, help="Handshakes and proposals, too.")
@json_to
def command(folder: Path, picture: Path | None, all_of_it: bool, json_to: str | None) -> None:
    """Read the logs, epoch files and settings in DIR, and say what happened.

    Read are broker.log and store.log of each broker in a folder after its brokerId (broker-2), with its
    epochFileCheckpoint and broker.conf where you have them, and controller.log (or namesrv.log). Printed are the epochs
    with their masters, the history of elections, roles and SyncStateSets, what was lost by what the lines say, what can
    have been lost and by which known behaviour, and what to do. Nothing but DIR is read.

    Exit status: 0 nothing says that something was lost, 1 something was, 153 DIR has no such log, 2 wrong usage.
    """
    try:
        incident = read_incident(folder)
        found = incident.diagnosis()
        text = open_console(errors=json_to == "-")
        for each in incident.unread:
            text.print(f"not read: {each}", style="yellow", markup=False, soft_wrap=True)
        for line in lines_of(found, all_of_it):
            text.print(line, markup=False, highlight=False, soft_wrap=True)
        if picture is not None:
            render(space_time_dot(chart_of_incident(found)), picture)
    except (RocketmqError, TlaError) as error:
        open_console(errors=True).print(str(error), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.SYSTEM)
    if json_to is not None:
        write_json(content_of(found), json_to)
    sys.exit(any(each.sure for each in found.suspicions))
