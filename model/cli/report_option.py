"""`--report junit=FILE,sarif=FILE,markdown=FILE,github`: which reports are wanted, and where.

Apart from `reports`, which writes them, since few checks write any.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from rmqproof.model.cli.writable import Output
from rmqproof.model.records import dataclass

FORMATS = ("junit", "sarif", "markdown")
"""Formats that go into a file; `github` goes to the standard output, where GitHub reads it."""


@dataclass(frozen=True, slots=True)
class Report:
    """A report that was asked for; `file` None: to the standard output."""

    form: str
    file: Path | None


class Reports(click.ParamType[tuple[Report, ...]]):
    """The type of `--report`: a tuple of `Report`. A place that cannot be written is wrong usage."""

    name = "reports"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[Report, ...]:
        if isinstance(value, tuple):
            return value
        return tuple(self._one(word, param, ctx) for word in str(value).split(","))

    def _one(self, word: str, param: click.Parameter | None, ctx: click.Context | None) -> Report:
        form, equals, file = word.partition("=")
        if form == "github" and not equals:
            return Report(form, None)
        if form not in FORMATS or not file:
            self.fail(f"{word!r} is none of {', '.join(f'{each}=FILE' for each in FORMATS)}, github.", param, ctx)
        return Report(form, Output().convert(file, param, ctx))


def report_option(command: Any) -> Any:
    """The parameter `report`: a tuple of tuples of `Report`."""
    return click.option(
        "--report",
        type=Reports(),
        multiple=True,
        metavar="FORMAT=FILE,…",
        help="Write reports for CI: junit=FILE, sarif=FILE, markdown=FILE, and github (annotations). May be repeated.",
    )(command)


def asked_for(given: Sequence[Sequence[Report]]) -> list[Report]:
    """The reports of all occurrences of the option."""
    return [each for some in given for each in some]
