"""`python -m bench.spark`: a model on Spark for several numbers of partitions, and what a state costs there.

Processor seconds are those of this process, of the JVM and of the Python workers together: on a busy machine they say
more than the clock.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import click
from rich.console import Console
from rich.table import Table

from rmqproof.model.cli.models import find_models
from rmqproof.model.cli.size import Size
from rmqproof.model.cli.spark_engine import SparkOptions, search
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.search.control import Control
from rmqproof.model.search.spark.search import Measure
from rmqproof.model.search.spark.session import spark_session
from rmqproof.model.tla.model import load_model

COLUMNS = (
    "model", "P", "distinct", "total", "depth", "seconds", "processor s", "distinct/processor s", "candidates/state",
    "shuffled B/state", "file B/state", "table MiB", "read back", "MiB of the largest worker",
)  # fmt: skip


@click.command()
@click.argument("configs", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--partitions", default="2", show_default=True, help="One or several, as 1,2,7.")
@click.option("--memory", type=Size(), help="As of `rmqproof check`.")
@click.option("--hand-over", type=int, default=20_000, show_default=True, help="States of a level for Spark.")
@click.option("--master", default="local[2]", show_default=True)
def main(configs: tuple[Path, ...], partitions: str, memory: int | None, hand_over: int, master: str) -> None:
    """Measure, and print a table."""
    table = Table(title=f"{master}, memory {memory or 'as it comes'}")
    for column in COLUMNS:
        table.add_column(column, justify="right")
    with spark_session(master, memory=max(memory or 0, 1 << 29)):
        for config in configs or (Path("spec/ThreeBrokersLarge.cfg"),):
            for count in map(int, partitions.split(",")):
                options = SparkOptions(master, count, memory=memory, hand_over=hand_over)
                table.add_row(*_measured(config, options))
                Console(width=200).print(table)


def _measured(config: Path, options: SparkOptions) -> Iterator[str]:
    files = find_models([config])[0]
    model = load_model(files.spec, files.config)
    costs: list[Measure] = []
    started, processor = monotonic(), _processor_seconds()
    result = search(model, system_of(model), "bench", str(config), options, Control(), print, costs.append)
    seconds, processor = monotonic() - started, _processor_seconds() - processor
    (cost,) = costs
    yield from (config.stem, str(options.partitions), f"{result.distinct:,}", f"{result.total:,}", str(result.depth))
    yield from (f"{seconds:.0f}", f"{processor:.1f}", f"{result.distinct / processor:,.0f}")
    yield from (f"{x / result.distinct:.2f}" for x in (cost.shipped, cost.shipped_bytes, cost.file_bytes))
    yield from (f"{cost.table_bytes / 2**20:.0f}", f"{cost.rebuilt:,}", f"{_largest_worker():.0f}")


def _family() -> list[int]:
    """This process and all that come from it."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(path.parent.name))
    family = [os.getpid()]
    for process in family:
        family += children.get(process, [])
    return family


def _processor_seconds() -> float:
    ticks = 0
    for process in _family():
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _largest_worker() -> float:
    """MiB of the Python worker that has taken most so far."""
    most = 0
    for process in _family()[1:]:
        try:
            if b"python" not in Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0]:
                continue
            status = Path(f"/proc/{process}/status").read_text()
        except OSError:
            continue
        most = max([most, *(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))])
    return most / 1024


if __name__ == "__main__":
    main()
