"""`python -m tools.planted --examples DIR`: are vacuities found that a machine plants in models, and none invented?

Asked of every model that has from 2 to `--states` states: of tests/, docs/, spec/protocols/ and of the collection
(laid out as tlaplus/Examples is). Each is audited as it is, and with what `tools.planting` plants. What is said of the
second and not of the first is about what was planted, or invented.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import click

from rmqproof.model.audit import Audit, Budget
from rmqproof.model.audit.audit import audit_of
from rmqproof.model.audit.graph import explored
from rmqproof.model.audit.scoring import silent
from rmqproof.model.audit.vacuity import Gap, Kind
from rmqproof.model.cli.models import find_models
from rmqproof.model.evaluate.decided import without_told
from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.evaluate.library.operator import Runtime
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.suite.collection import read_collection
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError
from tools.planting import Planted, planted

ROOT = Path(__file__).parents[1]
UNLIMITED = 1e6
"""Seconds: the time of a model is that of the processor."""
FOLDERS = ("tests", "docs", "spec/protocols")


@dataclass(frozen=True, slots=True)
class Row:
    """`missed`: lines and kinds of what was planted and not found; `invented`: what is said besides."""

    name: str
    spec: Path
    states: int
    planted: int
    missed: tuple[tuple[int, Kind], ...]
    invented: tuple[str, ...]


def missed(told: Audit, garden: Planted) -> list[tuple[int, Kind]]:
    """What was planted and not found. Of an action that is never enabled that is said, and not of its parts."""
    never = {gap.subject for gap in told.gaps if gap.kind is Kind.ACTION}
    found = {(gap.at.line, gap.kind) for gap in told.gaps if gap.at is not None and gap.at.source is garden.source}
    trivial = {gap.subject for gap in told.gaps if gap.kind is Kind.TRIVIAL}
    return [
        (line, kind)
        for line, kind in garden.kinds.items()
        if garden.hosts[line] not in never
        and (garden.names[line] not in trivial if kind is Kind.TRIVIAL else (line, kind) not in found)
    ]


def of(gap: Gap, garden: Planted) -> bool:
    """Whether it is about what was planted."""
    planted_name = gap.subject in garden.names.values()
    return planted_name or (gap.at is not None and gap.at.source is garden.source)


def invented(before: Audit, after: Audit, garden: Planted) -> list[str]:
    """Who is there twice may go once, a disjunct without a name is a step of Next, and with more mutants one property
    may notice what another notices: the rest was said before."""
    known = {plain(gap) for gap in before.gaps}
    others = [gap for gap in after.gaps if not of(gap, garden) and plain(gap) not in known]
    return [gap.sentence for gap in others if gap.kind not in (Kind.DISJUNCT, Kind.ACTION, Kind.COVERED)]


def plain(gap: Gap) -> str:
    """A sentence without what depends on a property of liveness being there."""
    return gap.sentence.partition(" (not beside")[0].rstrip(".")


class TimeIsOver(BaseException):
    """No `Exception`: an engine takes any of those for one of the code that it tries first."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise `TimeIsOver` after so many of the processor's."""

    def over(*_: object) -> None:
        raise TimeIsOver

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def asked(files: ModelFiles, states: int, seconds: float, most: int) -> Row | None:
    """None for a model that is not asked: it is too large, wrong, or not audited whole in time."""
    try:
        with within(seconds):
            return planted_in(files, states, most)
    except (TlaError, RecursionError, TimeIsOver):
        return None


def planted_in(files: ModelFiles, states: int, most: int) -> Row | None:
    """The same, however long that takes. Raise `TlaError`."""
    model = files.load()
    if model.next is None or model.initial is None or not model.specification.variables:
        return None
    system = system_of(without_told(model), Runtime(output=silent))
    space = explored(system, (), states, lambda: False)
    if not space.whole or not 2 <= len(space.states) <= states:
        return None
    budget = Budget(UNLIMITED, states, workers=1)
    before = audit_of(model, files, budget)
    if len(before.trials) < len(before.mutants):
        return None
    with planted(model, most) as garden:
        after = audit_of(garden.model, files, budget)
        if len(after.trials) < len(after.mutants):
            return None
        lost, more = missed(after, garden), invented(before, after, garden)
    return Row(files.name, files.spec.resolve(), before.states, len(garden.kinds), tuple(lost), tuple(more))


def models(examples: Path | None) -> Iterator[ModelFiles]:
    for folder in FOLDERS:
        for config in sorted((ROOT / folder).rglob("*.cfg")):
            try:
                yield from find_models([config], [], ())
            except (TlaError, click.ClickException):
                continue
    if examples is None:
        return
    for model in read_collection(examples, ""):
        if model.seconds is None or model.seconds < 60:
            yield from find_models([model.spec], [model.config], ())


@click.command()
@click.option("--examples", type=click.Path(exists=True, path_type=Path), help="A clone of the public models.")
@click.option("--states", default=100, show_default=True, help="The largest model that is asked.")
@click.option("--seconds", default=30.0, show_default=True, help="Of a processor, for each model.")
@click.option("--most", default=8, show_default=True, help="What is planted in each model, at most.")
@click.option("--each", default=1, show_default=True, help="Models of each specification.")
@click.option("--specifications", type=int, help="No more than so many.")
def main(examples: Path | None, states: int, seconds: float, most: int, each: int, specifications: int | None) -> None:
    """Plant, and say what was found."""
    rows: list[Row] = []
    for files in models(examples):
        if specifications is not None and len({row.spec for row in rows}) >= specifications:
            break
        if sum(row.spec == files.spec.resolve() for row in rows) >= each:
            continue
        began = process_time()
        row = deeply(asked, files, states, seconds, most)
        if row is None:
            continue
        rows.append(row)
        click.echo(f"{process_time() - began:5.1f} s  {row.name}: {row.states} states, {row.planted} planted")
        for line, kind in row.missed:
            click.echo(f"  missed: {kind}, number {line}")
        for sentence in row.invented:
            click.echo(f"  invented: {sentence}")
    click.echo(
        f"{len(rows)} models of {len({row.spec for row in rows})} specifications:"
        f" {sum(row.planted for row in rows):,} planted, {sum(len(row.missed) for row in rows)} missed,"
        f" {sum(len(row.invented) for row in rows)} invented"
    )


if __name__ == "__main__":
    main()
