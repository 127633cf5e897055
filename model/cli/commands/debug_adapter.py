"""`rmqproof debug-adapter`: a debugger, for editors."""

from __future__ import annotations

import click

from rmqproof.model.debugger.serving import serve_port, serve_standard_streams


@click.command("debug-adapter")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="P", help="Listen at this port of this machine alone; 0: any."
)
def command(port: int | None) -> None:
    """Debug a model or a counterexample in an editor that speaks the Debug Adapter Protocol.

    The editor starts it and speaks with it over standard input and output. A step is a choice among those that are
    possible; going on looks for the nearest step that a breakpoint, a violated property or a deadlock stops; both ways
    back are there. docs/debugger.md has what VS Code and Neovim need.
    """
    try:
        if port is None:
            serve_standard_streams()
        else:
            serve_port(port)
    except OSError as error:
        raise click.UsageError(f"--port {port}: {error.strerror}.") from None
    except KeyboardInterrupt:
        click.echo(err=True)
