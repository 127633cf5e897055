"""`rmqproof translate`: write the translation of an algorithm in PlusCal into its module."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rmqproof.model.checking import exit_status
from rmqproof.model.cli.option_list import quiet
from rmqproof.model.pluscal.translate import FORMS, has_algorithm
from rmqproof.model.report.console import open_console
from rmqproof.model.tla.algorithms import translated
from rmqproof.model.tla.source import Source, TlaError


@click.command("translate")
@click.argument(
    "modules",
    nargs=-1,
    required=True,
    metavar="SPEC.tla...",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option(
    "--check", "only_check", is_flag=True, help="Write nothing; exit status 1 where a translation is not current."
)
@click.option(
    "--stdout", "to_stdout", is_flag=True, help="Print the module with its translation instead of writing it."
)
@click.option(
    "--pcal",
    "form",
    type=click.Choice(list(FORMS)),
    help="As this version of TLC's translator writes it: 1.11 is that of the releases to 1.7.4, 1.12 that of builds "
    "since July 2024. Default: as the translation in the module is; where there is none, 1.12.",
)
@quiet
def command(modules: tuple[Path, ...], only_check: bool, to_stdout: bool, form: str | None, quiet: bool) -> None:
    """Translate the PlusCal algorithm of a module to TLA+, between the marks BEGIN and END TRANSLATION.

    The text is that of TLC's translator, with its checksums; a module whose translation is current stays as it is.
    `check` and the other commands need no translation in the file: they make one where there is none.

    --check passes over modules without an algorithm.

    Exit status: 0 all are current now, 1 with --check one is not, 150 an algorithm has a mistake, 153 system error.
    """
    errors = open_console(errors=True)
    status = 0
    for module in modules:
        try:
            status = max(status, _translate(module, only_check, to_stdout, form, quiet))
        except TlaError as error:
            errors.print(error.render(), style="bold red", markup=False, soft_wrap=True)
            status = max(status, exit_status.of_error(error))
        except (OSError, UnicodeError) as error:
            errors.print(f"{module}: {error}", style="bold red", markup=False, soft_wrap=True)
            status = max(status, exit_status.SYSTEM)
    sys.exit(status)


def _translate(module: Path, only_check: bool, to_stdout: bool, form: str | None, quiet: bool) -> int:
    content = module.read_bytes()
    source = Source.read(module)
    console = open_console(errors=True)

    def say(text: str) -> None:
        if not quiet:
            console.print(f"{module}: {text}", markup=False, soft_wrap=True)

    if only_check and not has_algorithm(source.text):
        say("there is no algorithm.")
        return 0
    made = translated(source, form)
    if to_stdout:
        sys.stdout.write(made.text)
        return 0
    current = made.text == source.text
    if current or only_check:
        say("the translation is current." if current else "the translation is not current.")
        return 0 if current else exit_status.DIFFERS
    text = made.text.replace("\n", "\r\n") if b"\r\n" in content else made.text
    module.write_bytes(_encoded(text, content))
    for label in made.labels:
        say(f"added the label {label}.")
    say("translated.")
    return 0


def _encoded(text: str, before: bytes) -> bytes:
    """As the file was."""
    try:
        before.decode("utf-8")
    except UnicodeDecodeError:
        return text.encode("iso-8859-1")
    mark = b"\xef\xbb\xbf"
    return (mark if before.startswith(mark) else b"") + text.encode()
