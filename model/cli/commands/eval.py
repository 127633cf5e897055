"""`rmqproof eval`: the value of an expression, of a state, or at each state of a trace."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from rmqproof.model.checking import exit_status
from rmqproof.model.cli.asking import files_for, said
from rmqproof.model.cli.option_list import FILE, json_to, library
from rmqproof.model.cli.writable import write_json
from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.explore.evaluation import Evaluation, Found, along
from rmqproof.model.explore.language import Language
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.console import breaks_lines, open_console
from rmqproof.model.report.itf import read_itf
from rmqproof.model.report.text import step_title
from rmqproof.model.report.value import Notation
from rmqproof.model.tla import core

_MOST_INITIAL = 20
Row = tuple[int | None, str, Found]
"""The step's number from 1 (None: no state), its title, the value."""


class _OfExpressions(click.Command):
    """What begins with one minus is an expression, too."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        negative = re.compile(r"-[^-]")
        return super().parse_args(ctx, [f" {arg}" if negative.match(arg) and arg != "-h" else arg for arg in args])


@click.command("eval", cls=_OfExpressions)
@click.argument("expressions", nargs=-1, required=True, metavar="EXPR...")
@click.option("--spec", type=FILE, metavar="S.tla|M.cfg", help="The model whose names may be used.")
@click.option("--config", type=FILE, metavar="F.cfg", help="Its configuration; default: the one of the same name.")
@click.option(
    "--trace", type=FILE, metavar="X.itf.json", help="Evaluate at each state of this trace, or over all of it."
)
@click.option("--step", type=click.IntRange(min=1), metavar="N", help="With --trace: in state N only.")
@library
@json_to
def command(
    expressions: tuple[str, ...],
    spec: Path | None,
    config: Path | None,
    trace: Path | None,
    step: int | None,
    library: tuple[str, ...],
    json_to: str | None,
) -> None:
    """Print the value of an expression of TLA+, as TLC prints it.

    Without --spec there are the standard modules. With it, all names of the specification; what speaks of variables is
    evaluated in the initial states. With --trace, at each of its states; what has primes, at each of its steps; a
    temporal formula, over the whole trace, which stays in its last state for ever unless it repeats. The model of a
    trace is the one that it names, or --spec.
    """
    if step is not None and trace is None:
        raise click.UsageError("--step goes with --trace.")
    if config is not None and spec is None:
        raise click.UsageError("--config goes with --spec.")
    with said():
        behaviour = read_itf(trace) if trace is not None else None
        files = files_for(spec, config, library, behaviour, trace)
        if step is not None and behaviour is not None and step > len(behaviour.steps):
            raise click.UsageError(f"--step {step}: the trace has {len(behaviour.steps)} states.")
        language = Language(files)
        answers: list[tuple[str, list[Row]]] = []
        console = open_console() if json_to != "-" else None
        for text in map(str.lstrip, expressions):  # what comes before one without a value is not lost
            rows = deeply(_rows, language, text, behaviour, step)
            answers.append((text, rows))
            if console is not None:
                _print(rows, console, text if len(expressions) > 1 else "")
    if json_to is not None:
        _write(answers, json_to)
    sys.exit(_status(answers))


def _rows(language: Language, text: str, behaviour: Behaviour | None, step: int | None) -> list[Row]:
    """The values. Raise `TlaError`."""
    evaluation = Evaluation.of(language, text)
    if evaluation.level == core.CONSTANT:
        return [(None, "", _one(evaluation.found()))]
    if behaviour is None:
        return list(_initially(evaluation))
    if evaluation.level == core.TEMPORAL:
        return [(None, "", _one(evaluation.over(behaviour)))]
    notation = Notation(behaviour.origin.model_values)
    rows: list[Row] = []
    for shown, found in zip(behaviour.steps, along(evaluation, behaviour), strict=True):
        if found is None and step == shown.index + 1:
            raise evaluation.wrong(f"no step leads on from state {step}", "Give an earlier one.")
        if found is not None and step in (None, shown.index + 1):
            rows.append((shown.index + 1, step_title(shown, notation, behaviour.initial), found))
    return [(None, "", _one(found)) for _, _, found in rows] if step is not None else rows


def _one(found: Found) -> Found:
    """A value that is the whole answer. Raise `TlaError` where there is none."""
    if found.error is not None:
        raise found.error
    return found


def _initially(evaluation: Evaluation) -> list[Row]:
    model = evaluation.asked.model
    if evaluation.level > core.STATE:
        what = "a step" if evaluation.level == core.ACTION else "a behaviour"
        raise evaluation.wrong(f"this speaks of {what}, and there is none", "Give a trace: --trace X.itf.json.")
    if model.initial is None:
        raise evaluation.wrong(
            "this speaks of a state, and no configuration says where states start",
            "Give one with --config, or a trace with --trace.",
        )
    rows: list[Row] = []
    for number, state in enumerate(system_of(model).initial_states()):
        if number == _MOST_INITIAL:
            break
        rows.append((None, "Initial state", evaluation.found(state, at=1)))
    if len(rows) == 1:
        return [(None, "", _one(rows[0][2]))]
    return [(number, title, found) for number, (_, title, found) in enumerate(rows, 1)]


def _print(rows: list[Row], console: Console, head: str) -> None:
    width = console.width if breaks_lines(console) else 1_000_000
    if head:
        console.print(head, style="bold", markup=False, soft_wrap=True)
    for number, title, found in rows:
        start = f"{number}. {title}: " if number is not None else ""
        room = width - (4 if start else 0)
        lines = found.lines(room)
        if len(lines) == 1 and len(start) + len(lines[0]) <= width:
            console.print(start + lines[0], markup=False, soft_wrap=True, style="red" if found.error else "")
            continue
        for line in [start.rstrip(), *("    " + line for line in lines)] if start else lines:
            console.print(line, markup=False, soft_wrap=True, style="red" if found.error else "")


def _write(answers: list[tuple[str, list[Row]]], to: str) -> None:
    document: list[dict[str, Any]] = [
        {
            "expression": text,
            "values": [
                {"state": number, "text": None if found.error else found.text, "value": found.value}
                | ({"error": str(found.error)} if found.error else {})
                for number, _, found in rows
            ],
        }
        for text, rows in answers
    ]
    write_json(document, to)


def _status(answers: list[tuple[str, list[Row]]]) -> int:
    return exit_status.EVALUATION if any(found.error for _, rows in answers for _, _, found in rows) else 0
