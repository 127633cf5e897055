"""`rmqproof repl`: expressions and steps at a prompt."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from rmqproof.model.cli.asking import said
from rmqproof.model.cli.models import find_models
from rmqproof.model.cli.option_list import FILE, library
from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.explore.prompt import Prompt
from rmqproof.model.explore.session import Session
from rmqproof.model.explore.space import open_space
from rmqproof.model.explore.traces import needed_model_of
from rmqproof.model.report.console import open_console
from rmqproof.model.report.itf import read_itf

_HISTORY = Path("~/.rmqproof_history")
_CONTINUED = "... "


@click.command("repl")
@click.argument("path", required=False, metavar="[SPEC.tla|MODEL.cfg|X.itf.json]", type=FILE)
@click.option("--config", type=FILE, metavar="F.cfg", help="The configuration; default: the one of the same name.")
@click.option("--trace", type=FILE, metavar="X.itf.json", help="Begin at the end of this trace.")
@library
def command(path: Path | None, config: Path | None, trace: Path | None, library: tuple[str, ...]) -> None:
    """Evaluate expressions and walk through a model at a prompt.

    An expression is answered with its value in the present state, `:step` lists the steps that are possible with what
    each changes, `:why ACTION` says why one is not, `:find EXPR` goes to a state; `:help` lists the rest. An expression
    may go over several lines. Without SPEC.tla there are the standard modules. Lines may also be piped in.
    """
    session = open_session(path, config, trace, library)
    run(session)


def open_session(
    path: Path | None, config: Path | None, trace: Path | None, library: tuple[str, ...]
) -> Session | None:
    """The model that is named, walked through to the end of the trace."""
    if path is not None and path.suffix == ".json":
        path, trace = None, path
    if path is None and trace is None:
        return None
    with said():
        behaviour = read_itf(trace) if trace is not None else None
        if path is not None:
            (files,) = find_models([path], [config] if config is not None else [], list(library))
        else:
            assert behaviour is not None and trace is not None
            files = needed_model_of(behaviour, trace, "Name it: SPEC.tla --trace X.itf.json.")
        session = Session(deeply(open_space, files))
        if behaviour is not None:
            session.follow(behaviour)
    return session


def run(session: Session | None) -> None:
    """Answer lines until there are no more."""
    talking = sys.stdin.isatty()
    console = open_console()
    prompt = Prompt(session, console.width if talking else 100)
    if talking:
        _prepare(prompt)
        what = f"{session.space.files.name}: " if session is not None else ""
        console.print(f"{what}:help lists the commands, :quit or Ctrl-D leaves.", markup=False, style="dim")
        if session is not None:
            _print(console, prompt.answer(":state" if session.path else ":init"))
    for text in _texts(prompt, talking):
        try:
            _print(console, prompt.answer(text))
        except KeyboardInterrupt:
            console.print("Interrupted.")
        if prompt.done:
            return


def _print(console: Any, lines: Iterator[str]) -> None:
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _texts(prompt: Prompt, talking: bool) -> Iterator[str]:
    """What is typed, several lines where an expression is not complete; an empty line ends it all the same."""
    while True:
        text = ""
        try:
            while True:
                line = _line(prompt.head if not text else _CONTINUED, talking)
                text = f"{text}\n{line}" if text else line
                if not line.strip() or not prompt.unfinished(text):
                    break
        except EOFError:
            if text:
                yield text
            if talking:
                click.echo()
            return
        except KeyboardInterrupt:
            click.echo()
            continue
        yield text


def _line(head: str, talking: bool) -> str:
    if talking:
        return input(head)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")


def _prepare(prompt: Prompt) -> None:
    """History and completion, where there is readline."""
    try:
        import readline
    except ImportError:
        return
    import atexit

    history = _HISTORY.expanduser()
    with suppress(OSError):
        readline.read_history_file(history)
    readline.set_history_length(1_000)

    def save() -> None:
        with suppress(OSError):
            readline.write_history_file(history)

    atexit.register(save)
    found: list[str] = []

    def complete(text: str, number: int) -> str | None:
        if number == 0:
            found[:] = prompt.completions(text)
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" \t\n`~@#$%^&*()-=+[{]}\\|;\"',<>/?")
    readline.parse_and_bind("tab: complete")
