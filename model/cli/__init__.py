"""The command line. Each command is a file of its own in `commands/`, which defines a click command named `command`."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from typing import Any

import click

import rmqproof
from rmqproof.model.cli import commands


class _Commands(click.Group):
    """Finds commands by their files and imports one only when it is used, so that `rmqproof --help` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(commands.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module: Any = importlib.import_module(f"{commands.__name__}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Whatever goes wrong is told in words: no traceback for any input."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            if isinstance(error, (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError)):
                raise
            from rmqproof.model.cli.unforeseen import told

            ctx.exit(told(error))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(rmqproof.__version__, prog_name="rmqproof")
def main() -> None:
    """Check TLA+ specifications, and the replication protocol of RocketMQ 5's Controller mode."""
    sys.set_int_max_str_digits(0)  # TLA+ has no largest integer
