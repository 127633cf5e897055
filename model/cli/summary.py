"""What a person reads at the end of a check."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group
from rich.markup import escape
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rmqproof.model.checking.outcome import Outcome, PropertyOutcome, Standing
from rmqproof.model.report.text import print_behaviour
from rmqproof.model.search.result import FindingKind, Judged, Result, Verdict

_COLOUR = {
    Standing.HOLDS: "green",
    Standing.VIOLATED: "bold red",
    Standing.UNDECIDED: "yellow",
    Standing.NOT_CHECKED: "yellow",
}

_WIDE = 80
"""Columns from which on a table has everything."""
_NARROW = 50
"""Columns below which a table has names and verdicts only."""


def print_outcome(outcome: Outcome, console: Console, coverage: bool = False) -> None:
    """All about one model: the counterexample, a row for each property, the counts, the findings."""
    result = outcome.result
    if outcome.shown is not None:
        print_behaviour(outcome.shown, console)
        console.print()
    if outcome.properties:
        console.print(_properties(outcome.properties, result, console.width))
    if coverage and result.coverage:
        console.print(_coverage(result))
    console.print(_headline(outcome), soft_wrap=True)
    if result.total:
        console.print(Padding(_counts(result), (0, 0, 0, 2)))
    for note in _notes(result):
        console.print(Text.assemble("  ", ("note: ", "yellow"), note), soft_wrap=True)
    for kind, path in outcome.written.items():
        console.print(Text(f"  {kind}: {path}"), soft_wrap=True)


def print_emptiness(outcome: Outcome, console: Console) -> None:
    """What is said even of a success that nothing else is to be said of: that there was nothing to check."""
    for finding in outcome.result.findings:
        if finding.kind is FindingKind.NO_STATES:
            name = f"{outcome.files.name}: "
            console.print(Text.assemble(("note: ", "yellow"), name, finding.sentence), soft_wrap=True)


def print_table(outcomes: Sequence[Outcome], console: Console, expect: bool) -> None:
    """A row for each of many models."""
    numbers = [
        (f"{o.result.distinct:,}", f"{o.result.total:,}", str(o.result.depth), f"{o.result.seconds:.1f}")
        for o in outcomes
    ]
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("model", "verdict", "violated"):
        table.add_column(column, no_wrap=True)
    for column in ("distinct", "total", "depth", "seconds"):
        table.add_column(column, justify="right", no_wrap=True)
    if expect:
        table.add_column("expected", no_wrap=True)
    for outcome, row in zip(outcomes, numbers, strict=True):
        words = [escape(outcome.files.name), _verdict(outcome.result), escape(outcome.violated), *row]
        if expect:
            words.append("[bold red]no[/]" if outcome.difference else "[green]yes[/]")
        table.add_row(*words)
    # names and numbers stay whole, also where the lines get longer than the terminal is wide
    width = console.width
    console.width = max(width, Measurement.get(console, console.options.update(max_width=1000), table).maximum)
    console.print(table)
    console.width = width
    wrong = [outcome for outcome in outcomes if (outcome.difference if expect else outcome.status)]
    for outcome in wrong if expect else ():
        console.print(f"{escape(outcome.files.name)}: {escape(outcome.difference)}", style="red", soft_wrap=True)
    good = len(outcomes) - len(wrong)
    what = "as expected" if expect else "with every property holding"
    console.print(f"{good} of {len(outcomes)} models {what}.", style="bold red" if wrong else "bold green")


def print_short(outcome: Outcome, console: Console, expect: bool) -> None:
    """A few lines on one of many models: what came of it, and the verdict of each property."""
    result = outcome.result
    text = Text()
    text.append(outcome.files.name, "bold")
    text.append(": ").append(str(result.verdict), "green" if result.verdict is Verdict.SUCCESS else "red")
    text.append(f", {result.distinct:,} distinct, {result.total:,} generated, depth {result.depth}, ")
    text.append(f"{result.seconds:.1f} s")
    if expect:
        text.append(
            ", NOT as expected" if outcome.difference else ", as expected", "" if not outcome.difference else "red"
        )
    by_standing: dict[str, list[str]] = {}
    for prop in outcome.properties:
        by_standing.setdefault(_standing(prop, result), []).append(prop.name)
    for standing, names in by_standing.items():
        text.append(f"\n    {standing}: {', '.join(names)}")
    console.print(text, soft_wrap=True)


def _headline(outcome: Outcome) -> Text:
    result = outcome.result
    good = result.verdict is Verdict.SUCCESS
    text = Text()
    text.append(str(result.verdict), "bold green" if good else "bold red")
    text.append(f"  {outcome.files.name}")
    if result.message:
        text.append((":\n" if "\n" in result.message else ": ") + result.message)
    elif good:
        text.append(
            ": every property holds in every reachable state." if outcome.properties else ": no property given."
        )
    return text


def _verdict(result: Result) -> str:
    colour = "green" if result.verdict is Verdict.SUCCESS else "red"
    return f"[{colour}]{result.verdict}[/]"


def _properties(properties: tuple[PropertyOutcome, ...], result: Result, width: int) -> Table:
    """On a narrow terminal without what a violation would mean, which the text of the specification has as well."""
    wide, narrow = width >= _WIDE, width < _NARROW
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("property", overflow="fold")
    if not narrow:
        table.add_column("kind")
    table.add_column("verdict", no_wrap=narrow)
    explained = wide and any(prop.sentence for prop in properties)
    if explained:
        table.add_column("otherwise", overflow="fold")
    for prop in properties:
        standing = _standing(prop, result) if wide or (prop.depth is not None and not narrow) else str(prop.standing)
        row = [escape(prop.name), str(prop.kind), f"[{_COLOUR[prop.standing]}]{standing}[/]"]
        table.add_row(*(row[::2] if narrow else row), *([escape(prop.sentence)] if explained else []))
    return table


def _standing(prop: PropertyOutcome, result: Result) -> str:
    if prop.depth is not None:
        return f"{prop.standing} at depth {prop.depth}"
    if prop.standing is Standing.UNDECIDED and result.depth and result.behaviours is None:
        return f"{prop.standing} (explored to depth {result.depth})"
    return f"{prop.standing}, trivial here" if prop.trivial else str(prop.standing)


def _coverage(result: Result) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("action")
    for column in ("enabled in", "generated", "new"):
        table.add_column(column, justify="right")
    for action in result.coverage:
        style = None if action.total else "yellow"
        table.add_row(
            escape(action.action), f"{action.enabled:,}", f"{action.total:,}", f"{action.distinct:,}", style=style
        )
    return table


def _counts(result: Result) -> Group:
    lines = []
    if result.behaviours is None:
        lines.append(f"{result.total:,} states generated, {result.distinct:,} distinct, depth {result.depth}")
        if result.queue:
            lines[0] += f", {result.queue:,} left to expand"
    else:
        lines.append(f"{result.behaviours:,} behaviours, {result.distinct:,} states visited, longest {result.depth}")
        lines.append(f"seed {result.seed}")
    rate = f", {result.total / result.seconds:,.0f} states/s" if result.seconds > 0 else ""
    lines.append(f"{result.seconds:.1f} s{rate}, {result.engine}, {_workers(result.workers)}")
    if result.exhaustive:
        chance = f"chance that a state was missed: {result.collision.optimistic:.1e}"
        if result.collision.observed is not None:
            chance += f" (from the fingerprints: {result.collision.observed:.1e})"
        lines.append(chance)
    lines += _judged(result.judged)
    return Group(*(Text(line) for line in lines))


def _judged(judged: Judged) -> list[str]:
    """What the reference evaluator has confirmed."""
    lines = []
    if judged.replayed:
        lines.append("the counterexample was replayed by the reference evaluator")
    if judged.examined and not judged.refuted:
        states = "1 state" if judged.examined == 1 else f"{judged.examined} states"
        lines.append(f"{states} and their {judged.steps} steps were looked at again by the reference evaluator")
    return lines + ([judged.left_out] if judged.left_out else [])


def _notes(result: Result) -> list[str]:
    """The findings as sentences, all actions that were never taken in one, and all properties that say nothing."""
    together = {
        FindingKind.TRIVIAL: "properties are trivial here, since what they assume is true in no reachable state",
        FindingKind.ACTION_NEVER_TAKEN: "actions were enabled in no reachable state",
    }
    said: dict[str, list[str]] = {kind: [f.subject for f in result.findings if f.kind is kind] for kind in together}
    notes = [f.sentence for f in result.findings if len(said.get(f.kind, [])) < 2]
    for kind, sentence in together.items():
        if len(said[kind]) > 1:
            notes.insert(0, f"{len(said[kind])} {sentence}: {', '.join(said[kind])}.")
    return notes


def _workers(workers: int) -> str:
    return "1 worker" if workers == 1 else f"up to {workers} workers"
