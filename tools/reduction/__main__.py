"""`python -m tools.reduction MODEL...`: what partial-order reduction could save on a model.

Explores each model, finds on the whole graph which steps commute, and counts the states of a search that leaves out
what stubborn sets allow, the smallest set first. Prints a table as Markdown, states and how many times fewer:

    deadlocks    independence is exact, and nothing but deadlocks is kept: what an analysis can reach that says once for
                 all whether two steps commute
    invariants   the same with what invariants need beside it, and no step visible
    properties   the same with the model's properties: two steps that change what one conjunct reads are kept in order
    by analysis  independence is taken from the action form, all else from the graph, no step visible
    as built     independence and what enables what are taken from the action form, with the model's properties
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from rmqproof import load
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.tla import core
from tools.reduction.graph import Graph, TooLarge, explored
from tools.reduction.reduced import reduced
from tools.reduction.relations import Relations, coenabled, common, exact, seen, static

HEAD = "| model | states | deadlocks | invariants | properties | by analysis | as built |"


def measured(model: core.Model, graph: Graph, only: tuple[str, ...] = ()) -> Iterator[int]:
    """The states of each column after the first."""
    shown, analysed = exact(graph), static(model, graph)
    visible = seen(model, graph, only)
    together = Relations(common(analysed.dependent, coenabled(graph)), shown.enabling)
    yield len(reduced(graph, shown, proviso=False).states)
    yield len(reduced(graph, shown).states)
    yield len(reduced(graph, shown, visible).states)
    yield len(reduced(graph, together).states)
    yield len(reduced(graph, analysed, visible).states)


def pairs(model: core.Model, graph: Graph, only: tuple[str, ...] = ()) -> str:
    """How many steps (actions with arguments) there are, how many pairs of them depend on each other, and which are
    seen."""
    together = coenabled(graph)
    shown, analysed = exact(graph), static(model, graph)
    each = zip(together, shown.dependent, analysed.dependent, strict=True)
    counts = [0, 0, 0]
    for number, (others, dependent, by_form) in enumerate(each):
        for place, relation in enumerate((others, others & dependent, others & by_form)):
            counts[place] += (relation >> (number + 1)).bit_count()
    visible = sum(map(bool, seen(model, graph, only)))
    return (
        f"{len(graph.instances)} steps, {visible} change what the properties read; of {counts[0]} pairs that are"
        f" enabled together {counts[1]} are dependent, {counts[2]} by analysis"
    )


@click.command()
@click.argument("models", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--most", default=100_000, show_default=True, help="Leave out models with more states.")
@click.option("--property", "only", multiple=True, help="Ask for this property only.")
@click.option("--constant", "constants", multiple=True, metavar="NAME=VALUE", help="Give a constant another value.")
@click.option("--pairs", "with_pairs", is_flag=True, help="Say below each row how many pairs of steps are dependent.")
def main(
    models: tuple[Path, ...], most: int, only: tuple[str, ...], constants: tuple[str, ...], with_pairs: bool
) -> None:
    """Measure what partial-order reduction could save."""
    click.echo(HEAD)
    click.echo("|---" + "|--:" * 6 + "|")
    values = dict(constant.split("=", 1) for constant in constants)
    for path in models:
        opened = load(path)
        model = replace((opened.override(constants=values) if values else opened).resolved, view=None, symmetry=None)
        try:
            graph = explored(system_of(model), most)
        except TooLarge as error:
            click.echo(f"| {path.stem} | {error} | | | | | |")
            continue
        whole = len(graph.states)
        cells = [f"{states:,} ({whole / states:.2f})" for states in measured(model, graph, only)]
        click.echo(f"| {path.stem} | {whole:,} | " + " | ".join(cells) + " |")
        if with_pairs:
            click.echo(f"    {pairs(model, graph, only)}")


if __name__ == "__main__":
    main()
