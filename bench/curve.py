"""`python -m bench.curve`: the cost of a state in time and memory, from 10^5 to 10^9 states, and with little memory."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from rmqproof.model.suite.process import finished

SPEC = Path(__file__).parent / "Counters.tla"
TOPS = {5: 17, 6: 31, 7: 56, 8: 99, 9: 177}
"""The largest value of a counter, by the power of ten that the number of states comes near to."""
PACKED = 8
"""Bytes of a packed state of Counters."""


@dataclass(frozen=True, slots=True)
class Row:
    """A search: states, seconds of it, and MiB of the process at its largest beyond those that it takes without states.

    `limit`: of memory, as given; empty without one.
    """

    limit: str
    distinct: int
    total: int
    seconds: float
    mebibytes: float

    @property
    def nanoseconds(self) -> float:
        """For a state."""
        return 1e9 * self.seconds / self.distinct

    @property
    def bytes(self) -> float:
        """For a state."""
        return self.mebibytes * 2**20 / self.distinct


@click.command()
@click.option("--most", type=click.IntRange(5, 9), default=7, show_default=True, help="Up to 10 to this power.")
@click.option("--least", type=click.IntRange(5, 9), default=5, show_default=True, help="From 10 to this power.")
@click.option("--workers", type=int, default=2, show_default=True)
@click.option("--memory", "limits", multiple=True, help="Again with this limit, as 512m: states past it go to disk.")
@click.option("--limited-only", is_flag=True, help="Not without a limit.")
@click.option("--json", "kept", type=click.Path(path_type=Path), help="Add the rows to this file, a line each.")
def main(most: int, least: int, workers: int, limits: tuple[str, ...], limited_only: bool, kept: Path | None) -> None:
    """Measure, and print a table. `python -m bench.curve_picture` draws it."""
    table = Table(title=f"cost of a state, native engine, {workers} workers")
    for column in ("limit", "distinct", "total", "seconds", "ns/state", "ns/successor", "MiB", "bytes/state"):
        table.add_column(column, justify="right")
    base = run(1, workers, "")[3]
    for limit in (*(() if limited_only else ("",)), *limits):
        for power in range(least, most + 1):
            distinct, total, seconds, peak = run(TOPS[power], workers, limit)
            row = Row(limit, distinct, total, seconds, peak - base)
            table.add_row(
                limit or "none",
                f"{distinct:,}",
                f"{total:,}",
                f"{seconds:.2f}",
                f"{row.nanoseconds:.0f}",
                f"{1e9 * seconds / total:.0f}",
                f"{peak:.0f}",
                f"{row.bytes:.1f}",
            )
            if kept is not None:
                with kept.open("a", encoding="utf-8") as file:
                    print(json.dumps(asdict(row)), file=file)
    Console(width=120).print(table)
    print(
        f"MiB: resident, {base:.0f} of them without states. bytes/state: the rest, {PACKED} of them the packed state."
    )


def counters(top: int, folder: Path) -> Path:
    """A configuration of Counters with (top + 1)^4 states."""
    config = folder / "Counters.cfg"
    config.write_text(f"INIT Init\nNEXT Next\nINVARIANT TypeOK\nCONSTANT Top = {top}\nCHECK_DEADLOCK FALSE\n")
    return config


def run(top: int, workers: int, memory: str) -> tuple[int, int, float, float]:
    """Distinct and generated states, seconds of the search, MiB of the process at its largest."""
    with tempfile.TemporaryDirectory() as folder:
        config = counters(top, Path(folder))
        command = [sys.executable, "-m", "rmqproof", "check", str(SPEC), "--config", str(config), "--engine", "native"]
        command += ["--workers", str(workers), "--quiet", "--json", "-", *(["--memory", memory] if memory else [])]
        subprocess.run([*command, "--max-states", "1"], capture_output=True, check=False)  # compiles
        done = finished(command)
    found = json.loads(done.output)
    return found["distinctStates"], found["totalStates"], found["seconds"], done.memory


if __name__ == "__main__":
    main()
