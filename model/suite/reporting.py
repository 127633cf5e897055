"""What a person and a program read about a run over a collection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .collection import Counts
from .judgement import Judgement, Standing

_COLOUR = {Standing.EQUAL: "green", Standing.DIFFERENT: "bold red", Standing.SKIPPED: "yellow"}


def print_line(judgement: Judgement, number: int, of: int, console: Console) -> None:
    """One line as soon as a model is judged."""
    seconds = f"{judgement.observed.seconds:.1f} s" if judgement.observed is not None else ""
    said = f"[{number}/{of}] {judgement.model.name}: {judgement.standing}, {judgement.reason}"
    console.print(f"{said} {f'({seconds})' if seconds else ''}".rstrip(), soft_wrap=True, highlight=False, markup=False)
    if judgement.missed:
        console.print(f"  STATES OR A FAILURE WERE MISSED in {judgement.model.name}", style="bold red", soft_wrap=True)


def print_report(judgements: Sequence[Judgement], console: Console) -> None:
    """A row for each model, those that differ last, and a summary."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("model", no_wrap=True)
    table.add_column("standing", no_wrap=True)
    for column in ("published", "found", "seconds"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("engine", no_wrap=True)
    table.add_column("", overflow="fold")
    order = [Standing.SKIPPED, Standing.EQUAL, Standing.DIFFERENT]
    for judgement in sorted(judgements, key=lambda judgement: order.index(judgement.standing)):
        observed = judgement.observed
        table.add_row(
            escape(judgement.model.name),
            f"[{_COLOUR[judgement.standing]}]{judgement.standing}[/]",
            _counts(judgement.model.counts),
            _counts(observed.counts) if observed is not None else "",
            f"{observed.seconds:.1f}" if observed is not None else "",
            observed.engine if observed is not None else "",
            escape(judgement.reason.split(" | ")[0]),
        )
    console.print(table)
    console.print(summary(judgements), soft_wrap=True, highlight=False)
    missed = [judgement.model.name for judgement in judgements if judgement.missed]
    if missed:
        console.print(f"STATES OR A FAILURE WERE MISSED: {', '.join(missed)}", style="bold red", soft_wrap=True)


def summary(judgements: Sequence[Judgement]) -> str:
    """`118 equal (9 without liveness), 2 different, 104 skipped: 42 symbolic …`"""
    standing = Counter(judgement.standing for judgement in judgements)
    partly = sum(1 for j in judgements if j.standing is Standing.EQUAL and j.observed and j.observed.unchecked)
    reasons = Counter(
        judgement.reason.split(":")[0].split(" after ")[0]
        for judgement in judgements
        if judgement.standing is Standing.SKIPPED
    )
    text = f"{standing[Standing.EQUAL]} equal"
    if partly:
        text += f" ({partly} of them with liveness not checked)"
    text += f", {standing[Standing.DIFFERENT]} different, {standing[Standing.SKIPPED]} skipped"
    if reasons:
        text += ": " + ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    return text + "."


def as_json(judgements: Sequence[Judgement]) -> dict[str, Any]:
    """The object of `suite --json`."""
    standing = Counter(str(judgement.standing) for judgement in judgements)
    return {
        "summary": {name: standing[name] for name in ("equal", "different", "skipped")},
        "models": [_model(judgement) for judgement in judgements],
    }


def _model(judgement: Judgement) -> dict[str, Any]:
    observed = judgement.observed
    return {
        "model": judgement.model.name,
        "specification": str(judgement.model.spec),
        "config": str(judgement.model.config),
        "standing": str(judgement.standing),
        "reason": judgement.reason,
        "missed": judgement.missed,
        "published": {"result": judgement.model.result, **_fields(judgement.model.counts)},
        "found": {"result": observed.result, **_fields(observed.counts)} if observed is not None else None,
        "seconds": observed.seconds if observed is not None else None,
        "engine": observed.engine if observed is not None else None,
        "livenessNotChecked": list(observed.unchecked) if observed is not None else [],
        "message": observed.message if observed is not None else "",
    }


def _fields(counts: Counts) -> dict[str, int | None]:
    return {"distinctStates": counts.distinct, "totalStates": counts.total, "stateDepth": counts.depth}


def _counts(counts: Counts) -> str:
    return str(counts) if counts.known else ""
