"""`rmqproof epochs`: what a slave's handshake with its master would do."""

from __future__ import annotations

import sys
from typing import Any

import click

from rmqproof.model.cli.writable import Output, write_json
from rmqproof.model.report.console import open_console
from rmqproof.rocketmq.epoch_files import (
    CASES,
    UNBOUNDED,
    EpochComparison,
    EpochError,
    EpochFile,
    compare,
    read_epochs,
)

_OFFSET = click.IntRange(min=0)


@click.command("epochs")
@click.argument("master")
@click.argument("slave")
@click.option("--master-max", type=_OFFSET, metavar="OFFSET", help="End of the master's commit log.")
@click.option("--slave-max", type=_OFFSET, metavar="OFFSET", help="End of the slave's commit log.")
@click.option("--master-min", type=_OFFSET, metavar="OFFSET", help="Its beginning; default: the first epoch's.")
@click.option("--slave-min", type=_OFFSET, metavar="OFFSET", help="Its beginning; default: the first epoch's.")
@click.option("--json", "json_to", type=Output(path_type=None, allow_dash=True), metavar="FILE|-")
def command(
    master: str,
    slave: str,
    master_max: int | None,
    slave_max: int | None,
    master_min: int | None,
    slave_min: int | None,
    json_to: str | None,
) -> None:
    """Compare the epoch files of a master and a slave.

    MASTER and SLAVE are files epochFileCheckpoint, or what `mqadmin getBrokerEpoch` printed; FILE@2 is broker 2 of an
    output about several. Printed are the consistent point, what the slave would cut, and which of the six cases the
    two logs are. An epoch file does not say where its log ends: give the max offsets then.

    Exit status: 0 nothing is cut, 1 something is cut or there is a warning, 2 a file cannot be read.
    """
    try:
        one = read_epochs(master).ending_at(master_min, master_max)
        other = read_epochs(slave).ending_at(slave_min, slave_max)
    except EpochError as error:
        open_console(errors=True).print(str(error), style="bold red", markup=False, soft_wrap=True)
        sys.exit(2)
    found = compare(one, other)
    text = open_console(errors=json_to == "-")
    for line in _lines(found):
        text.print(line, markup=False, soft_wrap=True)
    if json_to is not None:
        write_json(_json(found), json_to)
    sys.exit(1 if found.cut or found.dropped or found.warnings else 0)


def _lines(found: EpochComparison) -> list[str]:
    lines: list[str] = []
    for title, file in (("master", found.master), ("slave ", found.slave)):
        lines.append(f"{title}  {file.name}: {_entries(file)}")
    if found.point < 0:
        lines.append("consistent point: none")
    else:
        shown = "not known (the ends of the logs are not)" if found.point == UNBOUNDED else f"{found.point:,}"
        lines.append(f"consistent point: {shown}")
        if found.cut is None:
            lines.append("cut: not known; give the end of the slave's log with --slave-max")
        else:
            which = ", ".join(str(entry.epoch) for entry in found.dropped)
            end = found.slave.log_end or 0
            lines.append(f"cut: {found.cut:,} bytes, {found.point:,} to {end:,}" if found.cut else "cut: nothing")
            if which:
                lines.append(f"epochs that go: {which}")
    if found.case:
        lines.append(f"case {found.case}: {CASES[found.case]}")
    else:
        lines.append("case: not known; give the ends of both logs with --master-max and --slave-max")
    return lines + [f"warning: {text}" for text in found.warnings]


def _entries(file: EpochFile) -> str:
    if not file.entries:
        return "no epochs"
    return ", ".join(
        f"epoch {entry.epoch} from {entry.start:,}" + (f" to {entry.end:,}" if entry.end != UNBOUNDED else "")
        for entry in file.entries
    )


def _json(found: EpochComparison) -> dict[str, Any]:
    return {
        "consistentPoint": found.point,
        "cut": found.cut,
        "droppedEpochs": [entry.epoch for entry in found.dropped],
        "keptEpochs": [entry.epoch for entry in found.kept],
        "case": found.case,
        "warnings": list(found.warnings),
    }
