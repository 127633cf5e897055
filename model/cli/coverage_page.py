"""A specification coloured by how often its expressions were evaluated, as one page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from math import log10

from rmqproof.model.checking.coverage import Counted, Coverage
from rmqproof.model.checking.outcome import Outcome
from rmqproof.model.cli.coverage_text import came_to, cost_of, most_often, summary, written
from rmqproof.model.report.dot_text import html
from rmqproof.model.tla.source import Source

_SHADES = ("#f8fafc", "#fef9c3", "#fef08a", "#fde047", "#fdba74", "#fb923c", "#f97316")
"""From the least often to the most."""
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1e293b; max-width: 84rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0.2rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.facts { color: #64748b; margin-top: 0; } code, pre { font: 0.85rem/1.6 ui-monospace, monospace; }
table { border-collapse: collapse; } th, td { text-align: left; padding: 0.1rem 1.2rem 0.1rem 0; font-weight: normal; }
thead th { color: #64748b; border-bottom: 1px solid #cbd5e1; } td.number { text-align: right; }
.bar { display: inline-block; width: 12rem; height: 0.7rem; background: #f1f5f9; vertical-align: middle; }
.bar i { display: block; height: 100%; background: #fb923c; }
a { color: inherit; } tr.none { color: #b91c1c; }
pre.text { counter-reset: line; overflow-x: auto; border: 1px solid #e2e8f0; padding: 0.6rem 0; }
pre.text b { display: inline-block; width: 3.2rem; margin-right: 1rem; text-align: right; color: #64748b;
  font-weight: normal; user-select: none; }
pre.text b:target { background: #1e293b; color: white; }
pre.text span:hover { outline: 1px solid #475569; }
.never { background: #fecaca; text-decoration: underline wavy #dc2626; }
.key span { color: #1e293b; padding: 0.1rem 0.5rem; margin-right: 0.2rem; font: 0.8rem ui-monospace, monospace; }
""" + "".join(f".h{number} {{ background: {colour}; }}\n" for number, colour in enumerate(_SHADES))


def coverage_page(outcome: Outcome, coverage: Coverage) -> str:
    """The page: what asked for evaluations, what was never evaluated, what most often, and the coloured text."""
    title = f"Coverage: {outcome.files.name}"
    body = "\n".join(_body(outcome, coverage))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html(title)}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _body(outcome: Outcome, coverage: Coverage) -> Iterator[str]:
    result = outcome.result
    most = max((part.count for part in coverage.expressions()), default=0)
    yield f"<h1>{html(outcome.files.name)}: {html(came_to(outcome))}</h1>"
    counts = f"{result.total:,} states generated, {result.distinct:,} distinct; {summary(coverage)}"
    yield f'<p class="facts">{html(counts)}</p>'
    yield from _asked(coverage)
    for heading, parts in (
        ("Never evaluated", coverage.never),
        ("Evaluated most often", most_often(coverage)[:10]),
    ):
        if parts:
            yield f"<h2>{heading}</h2><table>{''.join(map(_row, parts))}</table>"
    yield from _key(most)
    for source in coverage.sources:
        yield f"<h2>{html(source.name)}</h2>"
        yield f'<pre class="text">{_coloured(source, coverage, most)}</pre>'


def _asked(coverage: Coverage) -> Iterator[str]:
    costs = [cost_of(each) for each in coverage.asked]
    largest = max([1, *costs])
    yield "<table><thead><tr><th>evaluated for</th><th></th><th>evaluations</th><th></th></tr></thead>"
    for each, cost in zip(coverage.asked, costs, strict=True):
        name = html(each.name)
        if each.at is not None:
            name = f'<a href="#{_anchor(each.at.source, each.at.line)}">{name}</a>'
        bar = f'<span class="bar"><i style="width:{100 * cost / largest:.1f}%"></i></span>'
        kind = "" if cost else ' class="none"'
        yield f'<tr{kind}><td>{name}</td><td>{each.reason}</td><td class="number">{cost:,}</td><td>{bar}</td></tr>'
    yield "</table>"


def _row(part: Counted) -> str:
    place = f'<a href="#{_anchor(part.at.source, part.at.line)}">{html(str(part.at))}</a>'
    numbers = f"<td class='number'>{part.count:,}</td><td class='number'>cost {part.cost:,}</td>" if part.count else ""
    return f"<tr><td>{place}</td>{numbers}<td><code>{html(written(part))}</code></td></tr>"


def _key(most: int) -> Iterator[str]:
    spans = "".join(
        f'<span class="h{number}">{"from " if number else ""}{_least(number, most):,}</span>'
        for number in range(len(_SHADES))
        if not number or _least(number, most) > _least(number - 1, most)
    )
    yield (
        '<h2>The text</h2><p class="facts key"><span class="never">never evaluated</span>'
        f"{spans} evaluations; the cursor on an expression says how many, and what they cost: its own, those of its "
        "parts, and of what it calls. What has no colour of its own has that of what is around it.</p>"
    )


def _shade(count: int, most: int) -> int:
    return max(number for number in range(len(_SHADES)) if not number or count >= _least(number, most))


def _least(number: int, most: int) -> int:
    """The least count of a shade: they are even steps of a logarithm."""
    return max(1, round(10 ** (log10(max(most, 1)) * number / len(_SHADES))))


def _coloured(source: Source, coverage: Coverage, most: int) -> str:
    """The text, each expression in a span of its own. A span ends with each line and goes on in the next."""
    starts: dict[tuple[int, int], list[Counted]] = {}
    for part in coverage.expressions():
        if part.at.source.name == source.name:
            starts.setdefault((part.at.line, part.at.column), []).append(part)
    for parts in starts.values():
        parts.sort(key=lambda part: (-part.at.end_line, -part.at.end_column))
    algorithm = _algorithm(source, coverage)
    opened: list[Counted] = []
    written: list[str] = []
    for number, line in enumerate(source.text.split("\n"), 1):
        shade = f' class="h{_shade(algorithm[number], most)}"' if algorithm.get(number) else ""
        written.append(f'<b id="{_anchor(source, number)}"{shade}>{source.file_line(number)}</b>')
        indent = len(line) - len(line.lstrip())
        written += [html(line[:indent]), *(_opening(part, most) for part in opened)]
        for column, character in enumerate([*line[indent:], ""], indent + 1):
            while opened and (opened[-1].at.end_line, opened[-1].at.end_column) <= (number, column):
                opened.pop()
                written.append("</span>")
            for part in starts.get((number, column), ()):
                if _fits(part, opened):
                    opened.append(part)
                    written.append(_opening(part, most))
            written.append(html(character))
        written += ["</span>" for _ in opened]
        written.append("\n")
    return "".join(written)


def _algorithm(source: Source, coverage: Coverage) -> dict[int, int]:
    """The lines of an algorithm that was translated, each with the largest count of what it was translated to."""
    found: dict[int, int] = {}
    for part in coverage.expressions():
        if part.at.source.name == source.name and part.at.line in source.made_lines:
            line = source.file_line(part.at.line)
            found[line] = max(found.get(line, 0), part.count)
    return found


def _fits(part: Counted, opened: list[Counted]) -> bool:
    """Whether it stands within what is open, as parts of one text do."""
    end = (part.at.end_line, part.at.end_column)
    return not opened or end <= (opened[-1].at.end_line, opened[-1].at.end_column)


def _opening(part: Counted, most: int) -> str:
    if not part.count:
        return '<span class="never" title="never evaluated">'
    times = "once" if part.count == 1 else f"{part.count:,} times"
    return f'<span class="h{_shade(part.count, most)}" title="{times}, cost {part.cost:,}">'


def _anchor(source: Source, line: int) -> str:
    module = source.name.rpartition("/")[2].removesuffix(".tla")
    return html(f"{module}-{line}")
