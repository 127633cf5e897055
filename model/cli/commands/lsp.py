"""`rmqproof lsp`: a language server, for editors."""

from __future__ import annotations

import sys

import click

from rmqproof.model.checking import exit_status


@click.command("lsp")
def command() -> None:
    """Serve an editor that speaks the Language Server Protocol, over standard input and output.

    Errors while a module is typed, what a name is (its type, where a configuration stands beside the module, and the
    comment above it), where it is defined. Needs `pip install 'rmqproof[editor]'`.
    """
    try:
        from rmqproof.model.editor.server import Editor
    except ImportError as error:
        click.echo(f"The language server needs pygls ({error}): pip install 'rmqproof[editor]'", err=True)
        sys.exit(exit_status.SYSTEM)
    Editor().server.start_io()
