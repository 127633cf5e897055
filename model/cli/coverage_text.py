"""How often each expression was evaluated, for a person and as JSON: the text of the modules with counts before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from rmqproof.model.checking.coverage import Asked, Counted, Coverage
from rmqproof.model.checking.outcome import Outcome, Standing
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.source import Source

_MOST_NEVER, _MOST_OFTEN = 20, 5


def print_coverage(outcome: Outcome, coverage: Coverage, console: Console, listing: bool = True) -> None:
    """The modules' lines with what stands in them, then what was never evaluated, and what most often."""
    if listing:
        for source in coverage.sources:
            console.print(Text(source.name, "bold"), soft_wrap=True)
            for line in listed(source, coverage):
                console.print(line, soft_wrap=True)
            console.print()
    console.print(_asked(coverage.asked))
    console.print()
    print_places(coverage, console)
    result = outcome.result
    console.print(
        f"{outcome.files.name}: {came_to(outcome)}, {result.total:,} states generated, {result.distinct:,} distinct; "
        + summary(coverage)
        + (f"\n{result.message}" if result.message else ""),
        markup=False,
        soft_wrap=True,
    )


def print_places(coverage: Coverage, console: Console) -> None:
    """The expressions that were never evaluated, and those that were most often."""
    for title, parts, most in (
        ("Never evaluated:", coverage.never, _MOST_NEVER),
        ("Evaluated most often:", most_often(coverage), _MOST_OFTEN),
    ):
        if not parts:
            continue
        console.print(title, style="bold")
        for part in parts[:most]:
            number = f"{part.count:,} times, cost {part.cost:,}: " if part.count else ""
            console.print(f"  {part.at}: {number}{written(part)}", markup=False, soft_wrap=True)
        if len(parts) > most and not parts[0].count:
            console.print(f"  and {len(parts) - most} more")


def came_to(outcome: Outcome) -> str:
    """The verdict, with what it does not speak of; of a search that was stopped, which has none, why it was."""
    result = outcome.result
    if result.stopped is not None and not result.violations:
        return f"stopped ({result.stopped})"
    left = [prop.name for prop in outcome.properties if prop.standing is Standing.NOT_CHECKED]
    unjudged = f" (without {', '.join(left)}: liveness is not judged here)" if left else ""
    return str(result.verdict) + (unjudged if result.verdict is Verdict.SUCCESS else "")


def summary(coverage: Coverage) -> str:
    parts = list(coverage.expressions())
    never = sum(not part.count for part in parts)
    cost = sum(part.count for part in parts)
    return f"{len(parts):,} expressions, {never:,} of them never evaluated; {cost:,} evaluations"


def most_often(coverage: Coverage) -> list[Counted]:
    """By count, those that have no part with the same one."""
    parts = [
        part for part in coverage.expressions() if part.count and all(inner.count < part.count for inner in part.parts)
    ]
    return sorted(parts, key=lambda part: -part.count)


def written(part: Counted) -> str:
    """The expression as it is written, in one line."""
    text = part.at.text
    return text if len(text) <= 80 else f"{text[:79]}…"


def lines_of(source: Source, coverage: Coverage) -> dict[int, Counted | None]:
    """The lines of the formulas; with each the outermost expression that begins there, where one does."""
    found: dict[int, Counted | None] = {}
    for formula in coverage.formulas:
        if formula.at.source.name != source.name:
            continue
        for line in range(formula.at.line, formula.at.end_line + 1):
            found.setdefault(line, None)
        for part in formula.all():
            known = found.get(part.at.line)
            # a junction list begins with its first item, which says more
            first = next((inner for inner in part.parts if inner.at.line == part.at.line), None)
            if part.at.end_line > part.at.line and first is not None and part.parts[-1].at.line > part.at.line:
                continue
            if known is None:
                found[part.at.line] = part
    return found


def listed(source: Source, coverage: Coverage) -> Iterator[Text]:
    """The formulas' lines: how often, what it cost, the line's number, the text."""
    lines = lines_of(source, coverage)
    texts = source.text.split("\n")
    never = {part.at.line for part in coverage.never if part.at.source.name == source.name}
    shown = {near for line in lines for near in ((line,) if texts[line - 1][:1].strip() else (line - 1, line))}
    yield Text(f"{'evaluated':>12}  {'cost':>12}  {'line':>5}", "dim")
    last = 0
    for number in sorted(shown - {0}):
        if last and number > last + 1:
            yield Text("")
        last = number
        part = lines.get(number)
        count = "" if part is None else f"{part.count:,}" if part.count else "never"
        cost = f"{part.cost:,}" if part is not None and part.count else ""
        mark = "!" if number in never else " "
        style = "red" if number in never else "" if part is not None else "dim"
        yield Text(f"{count:>12}  {cost:>12}  {source.file_line(number):>5} {mark} {texts[number - 1]}", style)


def _asked(asked: Sequence[Asked]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("evaluated for")
    table.add_column("")
    table.add_column("evaluations", justify="right")
    table.add_column("share", justify="right")
    costs = [cost_of(each) for each in asked]
    whole = max(1, sum(costs))
    for each, cost in zip(asked, costs, strict=True):
        style = None if cost else "yellow"
        table.add_row(escape(each.name), str(each.reason), f"{cost:,}", f"{100 * cost / whole:.0f} %", style=style)
    return table


def cost_of(asked: Asked) -> int:
    return sum(part.count for root in asked.parts for part in root.all())


def coverage_record(outcome: Outcome, coverage: Coverage) -> dict[str, Any]:
    """As JSON: what asked, and every expression with its place."""
    return {
        "result": str(outcome.result.verdict),
        "distinctStates": outcome.result.distinct,
        "totalStates": outcome.result.total,
        "evaluatedFor": [
            {"name": each.name, "reason": str(each.reason), "evaluations": cost_of(each)} for each in coverage.asked
        ],
        "expressions": [
            {
                "file": str(Path(part.at.source.name)),
                "module": part.module,
                "place": [part.at.line, part.at.column, part.at.end_line, part.at.end_column - 1],
                "count": part.count,
                "cost": part.cost,
            }
            for part in coverage.expressions()
        ],
    }
