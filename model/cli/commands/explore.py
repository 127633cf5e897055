"""`rmqproof explore`: walk through a model, or look at traces, in a browser."""

from __future__ import annotations

import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from rmqproof.model.cli.asking import said
from rmqproof.model.cli.models import find_models
from rmqproof.model.cli.option_list import FILE, library
from rmqproof.model.cli.stored import stored_states
from rmqproof.model.cli.writable import Output
from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.explore.page.document import single_file
from rmqproof.model.explore.page.server import Server
from rmqproof.model.explore.page.views import ModelViews, TraceViews, name_of
from rmqproof.model.explore.session import Stored
from rmqproof.model.explore.space import open_space
from rmqproof.model.explore.traces import model_of
from rmqproof.model.report.itf import read_itf
from rmqproof.model.tla.model_files import ModelFiles

_PATH = click.Path(exists=True, path_type=Path)


@click.command("explore")
@click.argument("paths", nargs=-1, required=True, metavar="[SPEC.tla|MODEL.cfg|STORE] [X.itf.json]...", type=_PATH)
@click.option("--config", type=FILE, metavar="F.cfg", help="The configuration; default: the one of the same name.")
@click.option("--watch", "watched", multiple=True, metavar="EXPR", help="Show this of every state. May be repeated.")
@click.option("--html", type=Output(), metavar="FILE", help="Write one file that needs nothing else, and end.")
@click.option(
    "--states",
    type=click.IntRange(min=1),
    default=300,
    show_default=True,
    metavar="N",
    help="With --html: so many states of the model are in the file, and the traces whole.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="P", help="Serve here; default: any.")
@click.option("--browser/--no-browser", default=True, help="Open a browser.")
@click.option("--master", default="local[*]", show_default=True, metavar="URL", help="Where Spark runs, of a STORE.")
@library
def command(
    paths: tuple[Path, ...],
    config: Path | None,
    watched: tuple[str, ...],
    html: Path | None,
    states: int,
    port: int,
    browser: bool,
    master: str,
    library: tuple[str, ...],
) -> None:
    """Walk through a model in a browser, or look at traces.

    The page shows a state and what changed in it, the steps that are possible with what each would change and violate,
    why the others are not, expressions over all states, the picture, the state graph, two walks side by side. It is
    served to this machine alone, until Ctrl-C. Of traces the model is the one that they name; without it, their steps
    are shown. A STORE is one of `check --engine spark --store`: its own texts are the model, and a jump looks at
    all its states, with Spark. --html writes one file to
    send.
    """
    with said(), _views(paths, config, watched, library, master, alone=html is not None) as views:
        if html is not None:
            html.write_text(deeply(single_file, views, states), encoding="utf-8")
        else:
            _serve(views, port, browser)


def _serve(views: ModelViews | TraceViews, port: int, browser: bool) -> None:
    """Until Ctrl-C."""
    try:
        server = Server(views, port)
    except OSError as error:
        raise click.UsageError(f"--port {port}: {error.strerror}.") from None
    with server:
        click.echo(f"{server.url}\nCtrl-C ends it.")
        if browser:
            webbrowser.open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo()


@contextmanager
def _views(
    paths: tuple[Path, ...],
    config: Path | None,
    watched: tuple[str, ...],
    library: tuple[str, ...],
    master: str,
    alone: bool,
) -> Iterator[ModelViews | TraceViews]:
    """What is to be looked at. Raise `TlaError`, `click.UsageError`."""
    traces = [path for path in paths if path.suffix == ".json"]
    models = [path for path in paths if path.suffix != ".json"]
    if len(models) > 1:
        raise click.UsageError("One model at a time; traces may be several.")
    behaviours = [read_itf(path) for path in traces]
    files: ModelFiles | None
    if models and models[0].is_dir():
        with _of_store(models[0], master, alone) as (files, stored):
            yield ModelViews(deeply(open_space, files), behaviours, watched, stored)
        return
    if models:
        (files,) = find_models(models, [config] if config is not None else [], library)
    else:
        files = model_of(behaviours[0], traces[0])
    if files is None:
        yield TraceViews(behaviours, name_of(traces[0]))
    else:
        yield ModelViews(deeply(open_space, files), behaviours, watched)


@contextmanager
def _of_store(folder: Path, master: str, alone: bool) -> Iterator[tuple[ModelFiles, Stored | None]]:
    """The model that a store is of, as it was when the states were found, and its states. Raise `TlaError`.

    `alone`: without the states.
    """
    with stored_states(str(folder), master) as stored:
        if not alone:
            click.echo(f"{stored.size:,} states in the store")
        yield stored.opened.reading.files(), None if alone else stored
