"""`python -m bench.spark`: models on Spark, what a state costs there, and the native engine beside it in one run.

Processor seconds are those of this process, of the JVM and of the Python workers together: on a busy machine they say
more than the clock.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import click
from rich.console import Console
from rich.table import Table

from rmqproof.model.checking.options import SparkOptions
from rmqproof.model.checking.spark_engine import DEFAULT_MEMORY, search
from rmqproof.model.cli.models import ModelFiles, find_models
from rmqproof.model.cli.size import Size
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.search.control import Control
from rmqproof.model.search.spark.memory import Memory
from rmqproof.model.search.spark.session import spark_session
from rmqproof.model.search.spark.setting import Measure
from rmqproof.model.tla.model import load_model

from .curve import SPEC as COUNTERS
from .curve import counters
from .measure import Case, run_ours

COLUMNS = (
    "model", "P", "distinct", "total", "depth", "seconds", "distinct/s", "µs/state", "s of a small level",
    "processor s", "claims/state", "shuffled B/state", "file B/state", "table MiB", "read back",
    "MiB of a worker", "MiB of all", "native s", "times native",
)  # fmt: skip
LARGE = Path("spec/models/ThreeBrokersLarge.cfg")
SMALL = 100_000
"""States of a level that takes no time of its own to speak of."""


@click.command()
@click.argument("configs", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--counters", "tops", default="", help="bench/Counters.tla with these tops, as 31,56,83: (top + 1)^4 states."
)
@click.option("--partitions", default="2", show_default=True, help="One or several, as 1,2,7.")
@click.option("--memory", type=Size(), help="As of `rmqproof check`.")
@click.option("--hand-over", type=int, default=20_000, show_default=True, help="States of a level for Spark.")
@click.option("--master", default="local[2]", show_default=True)
@click.option("--native/--no-native", default=True, show_default=True, help="Time the native engine beside it.")
def main(
    configs: tuple[Path, ...], tops: str, partitions: str, memory: int | None, hand_over: int, master: str, native: bool
) -> None:
    """Measure, and print a table after each model."""
    table = Table(title=f"{master}, memory {memory or 'as it comes'}")
    for column in COLUMNS:
        table.add_column(column, justify="right")
    with tempfile.TemporaryDirectory() as folder:
        models = [(files.name, files) for files in find_models(list(configs))] if configs else []
        for top in filter(None, tops.split(",")):
            (Path(folder) / top).mkdir()
            models.append((f"Counters {top}", ModelFiles(COUNTERS, counters(int(top), Path(folder) / top))))
        for name, files in models or [(LARGE.stem, find_models([LARGE])[0])]:
            beside = _native(name, files) if native else None
            for count in map(int, partitions.split(",")):
                options = SparkOptions(master, count, memory=memory, hand_over=hand_over)
                with spark_session(master, heap=Memory(memory or DEFAULT_MEMORY).heap):
                    table.add_row(name, *_measured(files, options, beside))
                Console(width=240).print(table)


def _native(name: str, files: ModelFiles) -> float:
    """Seconds of the native engine's search, compiled before."""
    assert files.config is not None
    case = Case(name, files.spec, files.config)
    return run_ours(case, "native", 2).searching


def _measured(files: ModelFiles, options: SparkOptions, beside: float | None) -> Iterator[str]:
    model = load_model(files.spec, files.config)
    costs: list[Measure] = []
    started, processor = monotonic(), _processor_seconds()
    result = search(model, system_of(model), "bench", files, options, Control(), print, costs.append)
    seconds, processor = monotonic() - started, _processor_seconds() - processor
    (cost,) = costs
    yield from (str(options.partitions), f"{result.distinct:,}", f"{result.total:,}", str(result.depth))
    yield from (f"{seconds:.1f}", f"{result.distinct / seconds:,.0f}", f"{1e6 * seconds / result.distinct:.2f}")
    yield from (_small_level(cost), f"{processor:.1f}")
    yield from (f"{x / result.distinct:.2f}" for x in (cost.claims, cost.shuffled, cost.file_bytes))
    yield from (f"{cost.table_bytes / 2**20:.0f}", f"{cost.rebuilt:,}")
    workers, java = _peaks()
    yield from (f"{max(workers, default=0.0):.0f}", f"{sum(workers) + java:.0f}")
    yield from (f"{beside:.1f}", f"{seconds / beside:.1f}") if beside else ("", "")


def _small_level(cost: Measure) -> str:
    """The median of the seconds of a level, in the jobs on Spark whose levels are small."""
    before, found = 1, []
    for last, states, seconds in cost.levels:
        levels, before = max(1, last - before), last
        if cost.handed_over and last > cost.handed_over and states / levels < SMALL:
            found.append(seconds / levels)
    return f"{statistics.median(found):.2f}" if found else ""


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


def _peaks() -> tuple[list[float], float]:
    """MiB that the Python workers have taken at most so far, each, and that the JVM has."""
    workers, java = [], 0.0
    for process in _family()[1:]:
        try:
            name = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0]
            status = Path(f"/proc/{process}/status").read_text()
        except OSError:
            continue
        peak = next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0.0)
        if b"python" in name:
            workers.append(peak)
        elif b"java" in name:
            java = max(java, peak)
    return workers, java


if __name__ == "__main__":
    main()
