"""`rmqproof tlc`: TLC's own command line."""

from __future__ import annotations

import sys

import click

from rmqproof.model.tlc.session import run


@click.command(
    "tlc",
    context_settings={
        "ignore_unknown_options": True,
        "allow_interspersed_args": False,
        "help_option_names": ["--help"],
    },
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-OPTION]... SPEC")
def command(arguments: tuple[str, ...]) -> None:
    """Take TLC's options, print TLC's messages, end with TLC's exit status.

    What drives TLC, as an editor does with -tool, can drive this. Options: -config FILE, -tool, -workers N|auto,
    -deadlock (deadlocks are no error), -continue, -difftrace, -simulate [num=N], -depth N, -dfid N, -dump [dot] FILE,
    -dumpTrace json|tla FILE, -checkpoint N, -recover FOLDER, -seed N, -inv FORMULA,
    -invlevel N, -postCondition MODULE!OPERATOR, -nowarning, -suppressMessages CODES, -DTLA-Library=FOLDERS. An option
    of TLC that is not done is named, or refused: docs/tlc.md.
    """
    sys.exit(run(arguments))
