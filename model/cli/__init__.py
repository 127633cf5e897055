"""The command line. Each command is a file of its own in `commands/`, which defines a click command named `command`.

A package that has commands to add names the package of such files as an entry point of the group `rmqproof.commands`.
One that is named in `MAY_BE_REPLACED` is taken instead of ours.
"""

from __future__ import annotations

import gc
import importlib
import pkgutil
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import click

from rmqproof.model.cli import commands
from rmqproof.model.cli.termination import requests_raise
from rmqproof.model.frames import in_one_piece
from rmqproof.version import VERSION

GROUP = "rmqproof.commands"
MAY_BE_REPLACED = frozenset({"conform"})
"""What a package may have with more options. For the others of ours nobody looks what is installed: that takes longer
than a small model."""

YOUNG = 100_000
"""Objects more than there were after which Python looks for cycles among the new ones: modules and trees stay, and to
look through them every 700 objects takes a twentieth of a small run."""


def _packages() -> Iterator[ModuleType]:
    """The packages that have commands, ours last: what is installed beside may have one of ours with more options."""
    from importlib.metadata import entry_points

    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        yield entry.load()
    yield commands


def _modules(package: ModuleType) -> set[str]:
    return {module.name for module in pkgutil.iter_modules(package.__path__)}


class _Commands(click.Group):
    """Finds commands by their files and imports one only when it is used, so that `rmqproof --help` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        names = {name for package in _packages() for name in _modules(package)}
        return sorted(name.replace("_", "-") for name in names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = cmd_name.replace("-", "_")
        ours = name not in MAY_BE_REPLACED and name in _modules(commands)
        for package in (commands,) if ours else _packages():
            if name in _modules(package):
                module: Any = importlib.import_module(f"{package.__name__}.{name}")
                command: click.Command = module.command
                return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's; the message for a word that is no command names the nearest one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.list_commands(ctx), n=1, cutoff=0.8)
            if not near:
                raise
            raise click.UsageError(f"{error.message} Did you mean {near[0]!r}?", error.ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Whatever goes wrong is told in words: no traceback for any input."""
        gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
        try:
            with requests_raise():
                return in_one_piece(lambda: super(_Commands, self).invoke(ctx))
        except Exception as error:
            if isinstance(error, (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError)):
                raise
            from rmqproof.model.cli.unforeseen import told

            ctx.exit(told(error))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="rmqproof")
def main() -> None:
    """Check TLA+ specifications, and the replication protocol of RocketMQ 5's Controller mode."""
    sys.set_int_max_str_digits(0)  # TLA+ has no largest integer
