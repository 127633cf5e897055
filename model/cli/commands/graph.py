"""`rmqproof graph`: draw a counterexample, or all states of a small model."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.console import Console

from rmqproof.model.checking import exit_status
from rmqproof.model.checking.opening import open_subject
from rmqproof.model.checking.subject import Subject
from rmqproof.model.cli.models import ModelFiles, find_models
from rmqproof.model.cli.option_list import FILE, library
from rmqproof.model.cli.writable import Picture
from rmqproof.model.report.console import open_console
from rmqproof.model.report.diagram import behaviour_dot
from rmqproof.model.report.html import write_html
from rmqproof.model.report.itf import read_itf
from rmqproof.model.report.render import FORMATS, NoGraphviz, render
from rmqproof.model.report.state_graph import MOST_NODES, Edge, Graph, describe, state_graph_dot
from rmqproof.model.search.state_graph import state_graph
from rmqproof.model.tla.source import TlaError


@click.command("graph")
@click.argument("path", type=FILE, metavar="TRACE.itf.json|SPEC.tla|MODEL.cfg")
@click.option("--config", type=FILE, help="Configuration of SPEC.")
@click.option(
    "-o",
    "--out",
    type=Picture(*FORMATS, "html"),
    metavar="FILE",
    help=f"Picture to write; its name ends in .{', .'.join(FORMATS)}, or for a trace .html. By default PATH.svg here.",
)
@library
@click.option("--limit", default=MOST_NODES, show_default=True, type=click.IntRange(1), help="Most states to draw.")
@click.option("--names-only", is_flag=True, help="Label the states of a model by their numbers alone.")
def command(
    path: Path, config: Path | None, out: Path | None, library: tuple[str, ...], limit: int, names_only: bool
) -> None:
    """Draw a behaviour or a state graph.

    Of a trace in ITF (a counterexample of `check --out`, or one of Apalache or Quint): a space-time diagram with a
    lane for each process and an arrow for each message. Of a specification with its configuration: every state and
    every step, for small models.
    """
    errors = open_console(errors=True)
    try:
        if path.suffix == ".json":
            if config is not None:
                raise click.UsageError("--config goes with a specification, not with a trace.")
            if library:
                raise click.UsageError("--library goes with a specification, not with a trace.")
            _draw_trace(path, out or Path(f"{path.name.removesuffix('.json').removesuffix('.itf')}.svg"))
        else:
            target = out or Path(f"{(config or path).stem}.svg")
            if target.suffix == ".html":
                raise click.UsageError(
                    f"{target}: a page is made of a trace; end the name in one of .{', .'.join(FORMATS)}."
                )
            models = find_models([path], [config] if config is not None else [], library)
            if len(models) != 1:
                raise click.UsageError("Name one model.")
            _draw_states(models[0], target, limit, names_only, errors)
    except NoGraphviz as error:
        errors.print(error.render(), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.SYSTEM)
    except TlaError as error:
        errors.print(error.render(), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.of_error(error))
    except OSError as error:
        errors.print(str(error), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.SYSTEM)


def _draw_trace(path: Path, out: Path) -> None:
    behaviour = read_itf(path)
    if out.suffix == ".html":
        write_html(behaviour, out)
    else:
        render(behaviour_dot(behaviour), out)
    click.echo(f"{out}: {len(behaviour.steps)} steps")


def _draw_states(files: ModelFiles, out: Path, limit: int, names_only: bool, errors: Console) -> None:
    subject = open_subject(files)
    graph = graph_of(subject, limit)
    if not graph.states:
        errors.print("There is no initial state, so there is nothing to draw.", style="bold red")
        sys.exit(exit_status.SYSTEM)
    render(state_graph_dot(graph, names_only, limit), out)
    click.echo(f"{out}: {describe(graph)}")


def graph_of(subject: Subject, limit: int) -> Graph:
    """The states of a model as the reports want them."""
    system = subject.system
    explored = state_graph(system, limit)
    name, violating = next(iter(explored.violating.items()), ("", frozenset()))
    return Graph(
        variables=tuple(system.variables),
        states=tuple(subject.show(state) for state in explored.states),
        edges=tuple(
            Edge(step.tail, step.head, system.actions[step.action], tuple(map(subject.show_value, step.arguments)))
            for step in explored.steps
        ),
        initial=explored.initial,
        violating=violating,
        violated=name,
        whole=explored.whole,
        deadlocks=explored.deadlocks,
        origin=subject.origin,
    )
