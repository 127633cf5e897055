"""`rmqproof states`: questions to the states that a search on Spark has stored."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table
from rich.text import Text

from rmqproof.model.checking import exit_status
from rmqproof.model.cli.writable import Output, Picture
from rmqproof.model.report.console import open_console
from rmqproof.model.report.render import FORMATS, NoGraphviz, render
from rmqproof.model.tla.source import TlaError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rmqproof.model.states.reading import Opened

_MASTER = click.option("--master", default="local[*]", show_default=True, metavar="URL", help="Where Spark runs.")


@click.group("states")
def command() -> None:
    """Ask about the states that `check --engine spark --store URI` has kept.

    The answers come from Spark SQL over Parquet; `sql` asks anything.
    """


@contextmanager
def _answering(*uris: str, master: str | None) -> Iterator[tuple[Any, list[Opened]]]:
    """The stores, and a session unless `master` is None; messages instead of tracebacks."""
    errors = open_console(errors=True)
    try:
        from rmqproof.model.search.spark.session import NoSpark, require_spark

        require_spark()
        from rmqproof.model.search.kernel import Disagreement, NotEvaluated
        from rmqproof.model.search.spark.java import NoJava
        from rmqproof.model.search.spark.session import spark_session
        from rmqproof.model.search.spark.spark_runner import spark_errors, understood
        from rmqproof.model.search.spark.store import StoreError
        from rmqproof.model.states.reading import Opened
    except (ImportError, NoSpark) as error:
        errors.print(str(error), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.SYSTEM)
    try:
        opened = [Opened.at(uri) for uri in uris]
        if master is None:
            yield None, opened
        else:
            with spark_session(master) as session:
                yield session, opened
    except (StoreError, NoJava, Disagreement) as error:
        errors.print(str(error), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.SYSTEM)
    except spark_errors() as error:
        errors.print(str(understood(error)), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.SYSTEM)
    except NotEvaluated as error:
        errors.print(str(error), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.EVALUATION)
    except TlaError as error:
        errors.print(error.render(), style="bold red", markup=False, soft_wrap=True)
        sys.exit(exit_status.of_error(error))


@command.command("info")
@click.argument("store")
def info(store: str) -> None:
    """What a store holds."""
    with _answering(store, master=None) as (_, (opened,)):
        manifest = opened.manifest
        size = sum(sum(level.bytes) for level in manifest.levels)
        state = "the search is over" if manifest.finished else "the search is not over: `check … --resume` continues it"
        click.echo(
            f"{manifest.model['specification']} with {manifest.description}, by {manifest.tool} ({manifest.engine} "
            f"kernel)\n{manifest.distinct:,} distinct states in {len(manifest.levels)} levels and "
            f"{manifest.partitions} partitions; {manifest.counters.total:,} generated; {state}"
            + (f": {manifest.verdict}" if manifest.verdict and manifest.finished else "")
            + f"\n{size:,} bytes of states, {size / max(1, manifest.distinct):.1f} a state"
            + ("; with edges" if manifest.edges else "")
        )


@command.command("levels")
@click.argument("store")
@_MASTER
def levels(store: str, master: str) -> None:
    """States per level, and the actions that led to them."""

    def ask(session: SparkSession, opened: Opened) -> Table:
        from rmqproof.model.states.frames import views

        views(session, opened)
        rows = session.sql(
            "SELECT level, count(*) AS states, count(DISTINCT action) AS actions, "
            "max(struct(n, action)).action AS most FROM ("
            "SELECT level, action, count(*) OVER (PARTITION BY level, action) AS n FROM states) "
            "GROUP BY level ORDER BY level"
        ).collect()
        table = _table("level", "states", "growth", "actions", "most often by")
        before = 0
        for row in rows:
            growth = f"{row.states / before:.2f}" if before else ""
            table.add_row(str(row.level), f"{row.states:,}", growth, str(row.actions), row.most or "")
            before = row.states
        return table

    _print_answer(store, master, ask)


@command.command("actions")
@click.argument("store")
@_MASTER
def actions(store: str, master: str) -> None:
    """New states per action, and the first level that an action leads to."""

    def ask(session: SparkSession, opened: Opened) -> Table:
        from rmqproof.model.states.frames import views

        views(session, opened)
        rows = session.sql(
            "SELECT coalesce(action, '(initial)') AS action, count(*) AS states, min(level) AS first, "
            "max(level) AS last FROM states GROUP BY 1 ORDER BY states DESC, action"
        ).collect()
        table = _table("action", "new states", "share", "levels")
        total = sum(row.states for row in rows)
        for row in rows:
            table.add_row(row.action, f"{row.states:,}", f"{row.states / total:.1%}", f"{row.first}-{row.last}")
        return table

    _print_answer(store, master, ask, left=(0,))


@command.command("values")
@click.argument("store")
@click.argument("variable", required=False)
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1), help="Most values to print.")
@_MASTER
def values(store: str, variable: str | None, limit: int, master: str) -> None:
    """The values of VARIABLE; without one, which variables the number of states comes from.

    `without` is the number of different states that are left when the variable is taken away, and `factor` by how much
    it multiplies them: a factor of 1 means that the other variables determine it.
    """

    def ask(session: SparkSession, opened: Opened) -> Table:
        from rmqproof.model.evaluate.show import show
        from rmqproof.model.states.questions import blow_up, values_of
        from rmqproof.model.states.reading import reader_of

        names = opened.manifest.variables
        if variable is None:
            exact, shares = blow_up(session, opened)
            distinct = opened.manifest.distinct
            table = _table("variable", "values", "without", "factor")
            about = "" if exact else "about "
            for share in sorted(shares, key=lambda s: s.without):
                factor = f"{distinct / max(1, share.without):.2f}"
                table.add_row(share.variable, f"{about}{share.values:,}", f"{about}{share.without:,}", factor)
            return table
        if variable not in names:
            raise click.UsageError(f"There is no variable {variable}. There are: {', '.join(names)}.")
        index = names.index(variable)
        total, found = values_of(session, opened, index, limit)
        reader = reader_of(opened.reading)
        table = _table("states", "first level", f"{variable}: {total:,} values")
        for value in found:
            shown = show(reader.system.values(reader.state(value.example))[index])
            table.add_row(f"{value.states:,}", str(value.first_level), shown)
        return table

    _print_answer(store, master, ask, left=(0,) if variable is None else (2,))


@command.command("find")
@click.argument("store")
@click.argument("expression")
@click.option("-o", "--out", type=Output(), help="Write the path as ITF (.itf.json).")
@_MASTER
def find(store: str, expression: str, out: Path | None, master: str) -> None:
    """The shortest path to a state that satisfies EXPRESSION, in the words of the specification.

    Exit status 1 when there is none.
    """
    from rmqproof.model.report.itf import write_itf
    from rmqproof.model.report.text import print_behaviour

    with _answering(store, master=master) as (session, (opened,)):
        from rmqproof.model.states.looking import first_state
        from rmqproof.model.states.paths import behaviour_to
        from rmqproof.model.states.reading import reader_of

        reader_of(opened.reading.asking(expression))  # what is wrong with the expression is said before Spark works
        reached = first_state(session, opened, expression)
        if reached is None:
            click.echo(f"No state satisfies it among {opened.manifest.distinct:,}.")
            sys.exit(1)
        behaviour = behaviour_to(opened, reached)
    print_behaviour(behaviour, open_console())
    if out is not None:
        write_itf(behaviour, out)
        click.echo(f"{out}: {len(behaviour.steps)} steps")


@command.command("graph")
@click.argument("store")
@click.argument("expression")
@click.option("--radius", default=1, show_default=True, type=click.IntRange(0), help="Steps around the state.")
@click.option("-o", "--out", type=Picture(*FORMATS), default=Path("states.svg"), show_default=True)
@click.option("--limit", default=200, show_default=True, type=click.IntRange(1), help="Most states to draw.")
@_MASTER
def graph(store: str, expression: str, radius: int, out: Path, limit: int, master: str) -> None:
    """Draw the graph around the first state that satisfies EXPRESSION, which is red.

    Forwards every step; backwards every step where the store has edges, else the way the state was first reached.
    """
    from rmqproof.model.report.state_graph import describe, state_graph_dot

    with _answering(store, master=master) as (session, (opened,)):
        from rmqproof.model.states.looking import first_state
        from rmqproof.model.states.paths import neighbourhood
        from rmqproof.model.states.reading import reader_of

        reader_of(opened.reading.asking(expression))
        reached = first_state(session, opened, expression)
        if reached is None:
            click.echo(f"No state satisfies it among {opened.manifest.distinct:,}.")
            sys.exit(1)
        found = neighbourhood(session, opened, reached, radius, limit)
        dot = state_graph_dot(found, False, limit)
        try:
            render(dot, out)
        except NoGraphviz as error:
            open_console(errors=True).print(error.render(), style="bold red", markup=False, soft_wrap=True)
            sys.exit(exit_status.SYSTEM)
    click.echo(f"{out}: {describe(found)}")


@command.command("edges")
@click.argument("store")
@_MASTER
@click.option("--hand-over", type=click.IntRange(min=0), hidden=True)
def edges(store: str, master: str, hand_over: int | None) -> None:
    """Add the edges to a store that was explored without --edges: every state is expanded once more.

    What is written is what --edges would have written.
    """
    with _answering(store, master=None) as (_, (opened,)):
        from rmqproof.model.cli.deriving import derive
        from rmqproof.model.search.spark.runner import LocalRunner
        from rmqproof.model.search.spark.session import is_local, spark_session
        from rmqproof.model.search.spark.setting import HAND_OVER
        from rmqproof.model.search.spark.spark_runner import SparkRunner
        from rmqproof.model.search.spark.worker import Worker

        if opened.manifest.edges:
            click.echo("This store has its edges already.")
            return
        if opened.manifest.distinct < (HAND_OVER if hand_over is None else hand_over):
            found = derive(opened, LocalRunner(Worker()), False)
        else:
            with spark_session(master) as session:
                found = derive(opened, SparkRunner(session), not is_local(master))
    click.echo(f"{found:,} edges of {opened.manifest.distinct:,} states")


@command.command("diff")
@click.argument("first")
@click.argument("second")
@_MASTER
def diff(first: str, second: str, master: str) -> None:
    """Which states two stores share: two versions of a rule, say. Exit status 1 when they differ."""
    from rmqproof.model.report.text import print_behaviour

    console = open_console()
    with _answering(first, second, master=master) as (session, (one, two)):
        from rmqproof.model.states.paths import behaviour_at
        from rmqproof.model.states.questions import compared

        frame = compared(session, one, two).cache()
        frame.createOrReplaceTempView("compared")
        rows = session.sql(
            "SELECT level, count_if(second IS NULL) AS first, count_if(first = second) AS shared, "
            "count_if(first != second) AS moved, count_if(first IS NULL) AS second FROM compared "
            "GROUP BY level ORDER BY level"
        ).collect()
        table = _table("level", "only in the first", "in both", "in both, at another level", "only in the second")
        for row in rows:
            table.add_row(*(f"{n:,}" for n in (row.level, row.first, row.shared, row.moved, row.second)))
        sums = [sum(row[column] for row in rows) for column in ("first", "shared", "moved", "second")]
        table.add_section()
        table.add_row("all", *(f"{n:,}" for n in sums))
        console.print(table)
        for opened, missing, order, what in ((one, "second", "order1", "first"), (two, "first", "order2", "second")):
            least = session.sql(
                f"SELECT level, {order} AS place FROM compared WHERE {missing} IS NULL ORDER BY level, place LIMIT 1"
            ).collect()
            if least:
                console.print(f"\nThe shortest path to a state that only the {what} store has:", style="bold")
                print_behaviour(behaviour_at(opened, least[0].level, least[0].place), console)
        frame.unpersist()
    if sums[0] or sums[2] or sums[3]:
        sys.exit(1)


@command.command("sql")
@click.argument("store")
@click.argument("query")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1), help="Most rows to print.")
@_MASTER
def sql(store: str, query: str, limit: int, master: str) -> None:
    """Ask Spark SQL: tables `states` and, where the store has them, `edges` (`rmqproof states edges` adds them).

    states: fingerprint, state (packed), parent, action, arguments (JSON), ordinal, order, level. edges: source, action,
    arguments, ordinal, target, level (of the source).
    """

    def ask(session: SparkSession, opened: Opened) -> Table:
        from pyspark.errors import AnalysisException, ParseException

        from rmqproof.model.states.frames import views

        views(session, opened)
        try:
            frame = session.sql(query)
        except (AnalysisException, ParseException) as error:
            why = str(error).splitlines()[0]
            if not opened.manifest.edges and "edges" in query:
                why += f"\nThis store was explored without --edges and it has no edges: `rmqproof states edges {store}`"
            raise click.UsageError(why) from None
        table = _table(*frame.columns)
        for row in frame.limit(limit).collect():
            table.add_row(*(value.hex() if isinstance(value, bytes | bytearray) else str(value) for value in row))
        return table

    _print_answer(store, master, ask)


def _print_answer(
    store: str, master: str, ask: Callable[[SparkSession, Opened], Table], left: tuple[int, ...] = ()
) -> None:
    with _answering(store, master=master) as (session, (opened,)):
        table = ask(session, opened)
    for column in left:
        table.columns[column].justify = "left"
    open_console().print(table)


class _Plain(Table):
    """A table of texts as they are: TLA+ has brackets that rich would take for mark-up."""

    def add_row(self, *cells: Any, **options: Any) -> None:
        super().add_row(*(Text(cell) for cell in cells), **options)


def _table(*columns: str) -> Table:
    table = _Plain(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="right")
    return table
