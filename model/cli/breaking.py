"""`check --break`: stop at the first state or step of which an expression is true, and look around there."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from rmqproof.model.checking import exit_status
from rmqproof.model.checking.audience import Audience
from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.cli.asking import View, said
from rmqproof.model.explore.breaking import BREAK_POINT, breaking, placed, without_verdict
from rmqproof.model.report.console import open_console
from rmqproof.model.report.itf import write_itf
from rmqproof.model.report.text import print_behaviour
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError

NOWHERE = 1
"""The exit status where the expression is true of nothing that was explored."""


def stop_at(
    files: ModelFiles,
    text: str,
    options: Options,
    audience: Audience,
    console: Console,
    views: list[View],
    out: Path | None,
) -> int:
    """Search, print the way, and where somebody sits at a terminal begin a prompt there. The exit status."""
    with said():
        watched = breaking(files, text)
    outcome = check(watched, options, audience)
    result = outcome.result
    if outcome.behaviour is None or outcome.violated != BREAK_POINT:
        if result.verdict is not Verdict.SUCCESS:
            error = result.failure.error if result.failure is not None else outcome.error
            message = str(placed(files, text, error)) if isinstance(error, TlaError) else result.message
            open_console(errors=True).print(message, style="bold red", markup=False, soft_wrap=True)
            return outcome.status or NOWHERE
        how = "reachable state" if result.exhaustive else "state that was explored"
        console.print(f"True in no {how}: {text}", markup=False, soft_wrap=True)
        console.print(f"{result.distinct:,} distinct states, depth {result.depth}", markup=False)
        return NOWHERE
    behaviour = without_verdict(outcome.behaviour, files)
    shown = behaviour
    with said():
        for view in views:
            shown = view(behaviour)
    print_behaviour(shown, console)
    console.print(f"\nTrue in step {len(behaviour.steps)}: {text}", markup=False, soft_wrap=True, style="bold")
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        write_itf(behaviour, out / f"{files.name}.itf.json")
        console.print(f"{out / files.name}.itf.json", markup=False, soft_wrap=True)
    if sys.stdin.isatty() and sys.stdout.isatty():
        from rmqproof.model.cli.commands.repl import run
        from rmqproof.model.explore.session import Session
        from rmqproof.model.explore.space import open_space

        with said():
            session = Session(open_space(files))
            session.follow(behaviour)
        run(session)
    return exit_status.OF_VERDICT[Verdict.SUCCESS]
