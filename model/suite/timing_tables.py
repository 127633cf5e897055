"""Tables of timed models: what each took, and what has become slower."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.table import Table

from rmqproof.model.suite.timing import Row, geometric_mean

SLOWER = 1.15
"""From so many times the processor seconds on, in relation to TLC's where it was timed, a row is called slower."""


def table_of(rows: Sequence[Row], about: str) -> Table:
    """Means first, so that no single row speaks for all; without TLC there are none. `about`: of the title."""
    beside = any(row.tlc is not None for row in rows)
    table = Table(title=f"{about}, processor seconds of whole processes")
    for column in ("model", "distinct", "generated", *(["TLC"] if beside else []), "cold", "warm"):
        table.add_column(column, justify="left" if column == "model" else "right")
    for column in ("TLC/cold", "TLC/warm", "MiB TLC", "MiB") if beside else ("MiB",):
        table.add_column(column, justify="right")
    good = [row for row in rows if row.timed]
    cold, warm = ([row.ratio(getattr(row, name)) for row in good] for name in ("cold", "warm"))
    for name, of in (("geometric mean", geometric_mean), ("worst", min), ("best", max)):
        if good:
            table.add_row(f"{name} of {len(good)}", *[""] * 5, f"{of(cold):.1f}", f"{of(warm):.1f}", "", "")
    table.add_section()
    for row in sorted(rows, key=lambda row: row.ratio(row.warm)):
        distinct, total, _ = row.warm.counts
        runs = [run for run in (row.tlc, row.cold, row.warm) if run is not None]
        cells = [_titled(row), f"{distinct:,}", f"{total:,}", *(f"{run.processor:.1f}" for run in runs)]
        if row.tlc is not None:
            more = "" if row.tlc.complete else "> "
            cells += [f"{more}{row.ratio(run):.1f}" for run in (row.cold, row.warm)] + [f"{row.tlc.memory:.0f}"]
        table.add_row(*cells, f"{row.warm.memory:.0f}")
    return table


def _titled(row: Row) -> str:
    """The name, the engine where it is not machine code, and what differs."""
    if row.same:
        told = " (in Python)" if row.warm.engine == "python" else ""
        return f"{row.name}{told}" if row.cold.complete and row.warm.complete else f"{row.name}: stopped"
    other, theirs = (row.tlc, "TLC") if row.tlc is not None else (row.cold, "cold")
    return f"{row.name}: {theirs} {other.result} {other.counts}, ours {row.warm.result} {row.warm.counts}"


def compared(before: list[Row], after: list[Row]) -> tuple[Table, list[str]]:
    """The table, and the rows with which something is wrong."""
    table = Table()
    beside = all(row.tlc is not None for row in (*before, *after))
    of = "TLC/" if beside else "1/"
    for column in ("model", "warm before", "after", f"{of}warm before", "after", f"{of}cold before", "after", ""):
        table.add_column(column, justify="left" if column in ("model", "") else "right")
    later = {row.name: row for row in after}
    bad, gained = [], []
    for row in before:
        now = later.pop(row.name, None)
        if now is None:
            table.add_row(row.name, f"{row.warm.processor:.2f}", *[""] * 5, "gone")
            bad.append(row.name)
            continue
        if not beside:
            row, now = replace(row, tlc=None), replace(now, tlc=None)
        gained.append(now.ratio(now.warm) / row.ratio(row.warm))
        cold = now.ratio(now.cold) / row.ratio(row.cold)
        told = "counts differ" if now.warm.counts != row.warm.counts or not now.same else ""
        if not told and min(gained[-1], cold) < 1 / SLOWER:
            lost = row.warm.engine == "native" and now.warm.engine == "python"
            told = "slower, no more in machine code" if lost else "slower"
        if told:
            bad.append(row.name)
        table.add_row(row.name, *_cells(row, now), told)
    for row in later.values():
        table.add_row(row.name, "", f"{row.warm.processor:.2f}", "", f"{row.ratio(row.warm):.1f}", *[""] * 2, "new")
    table.caption = f"geometric mean: {geometric_mean(gained):.2f} times as fast, {len(bad)} rows to look at"
    return table, bad


def _cells(a: Row, b: Row) -> list[str]:
    seconds = [f"{row.warm.processor:.2f}" for row in (a, b)]
    warm = [f"{row.ratio(row.warm):.1f}" for row in (a, b)]
    return [*seconds, *warm, *(f"{row.ratio(row.cold):.1f}" for row in (a, b))]
