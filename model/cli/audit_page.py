"""What an audit found as one HTML page that needs nothing else: findings, scores, kill matrix, survivors, the text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from rmqproof.model.audit import Audit, Fate, Trial
from rmqproof.model.cli.audit_report import difference, score_line, size_note
from rmqproof.model.report.dot_text import html
from rmqproof.model.tla.source import Source

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1e293b; max-width: 78rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0.2rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.facts { color: #64748b; margin-top: 0; }
ul.findings { list-style: none; padding: 0; }
ul.findings li { padding: 0.15rem 0.6rem; border-left: 4px solid #cbd5e1; }
ul.findings li.bad { border-color: #dc2626; } code, pre, .at { font: 0.85rem/1.5 ui-monospace, monospace; }
.at { color: #64748b; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: 0.15rem 0.9rem 0.15rem 0; font-weight: normal; }
thead th { color: #64748b; border-bottom: 1px solid #cbd5e1; } td.number { text-align: right; }
.bar { display: inline-block; width: 12rem; height: 0.7rem; background: #f1f5f9; vertical-align: middle; }
.bar i { display: inline-block; height: 100%; vertical-align: top; }
.killed { background: #16a34a; } .survived, .open { background: #dc2626; } .equivalent { background: #cbd5e1; }
.matrix { overflow-x: auto; } .matrix table { border-spacing: 1px; border-collapse: separate; }
.matrix td { padding: 0; min-width: 7px; height: 13px; background: #f1f5f9; } .matrix td.killed { background: #16a34a; }
.matrix th { padding: 0 0.7rem 0 0; white-space: nowrap; font-size: 0.85rem; }
.matrix td.survived, .matrix td.open { background: #dc2626; } .matrix td.equivalent { background: #cbd5e1; }
.matrix td.first { border-left: 2px solid #475569; }
details { border-top: 1px solid #e2e8f0; padding: 0.3rem 0; } summary { cursor: pointer; }
details pre { margin: 0.3rem 0 0.5rem 1.2rem; white-space: pre-wrap; }
.text { font: 0.85rem/1.45 ui-monospace, monospace; } .text td { padding: 0 0.8rem 0 0; white-space: pre; }
.text td.n { color: #64748b; text-align: right; }
.text tr.bad { background: #fee2e2; } .text tr.good { background: #dcfce7; }
.text tr.same { background: #f1f5f9; }
"""


def audit_page(audits: Sequence[Audit]) -> str:
    body = "\n".join(part for told in audits for part in _model(told))
    title = f"Audit: {', '.join(told.name for told in audits)}"
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html(title)}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _model(told: Audit) -> Iterator[str]:
    yield f"<h1>{html(told.name)}</h1>"
    how = f"; {size_note(told)}" if size_note(told) else ""
    counts = f"{told.file}: {told.states:,} states, {told.steps:,} steps{how}; {told.seconds:.1f} s"
    yield f'<p class="facts">{html(counts)}</p>'
    if told.violated:
        yield f"<p>Violated anyway, not asked: {html(', '.join(told.violated))}</p>"
    yield "<h2>What says nothing, and what is worth knowing</h2>"
    if not told.gaps:
        yield "<p>Nothing was found that says nothing.</p>"
    else:
        yield f'<ul class="findings">{"".join(_findings(told))}</ul>'
    if told.trials:
        yield f"<h2>{html(score_line(told))}</h2>"
        yield from _definitions(told)
        yield from _matrix(told)
        yield from _survivors(told)
        yield from _text(told)
    hold = [each for each in told.stronger if each.holds]
    if hold:
        yield "<h2>Invariants of which a stronger form holds as well</h2>"
        items = (f'<li><span class="at">{html(str(e.at))}</span> {html(f"{e.name}: {e.sentence}")}</li>' for e in hold)
        yield f'<ul class="findings">{"".join(items)}</ul>'


def _findings(told: Audit) -> Iterator[str]:
    for gap in told.gaps:
        kind = "" if gap.kind in told.notes else ' class="bad"'
        at = f'<span class="at">{html(str(gap.at))}</span> ' if gap.at is not None else ""
        yield f"<li{kind}>{at}{html(gap.sentence)}</li>"


def _definitions(told: Audit) -> Iterator[str]:
    yield "<table><thead><tr><th>definition</th><th>killed</th><th>survived</th><th>same graph</th><th>score</th>"
    yield "<th></th></tr></thead>"
    most = max(killed + survived + same for _, killed, survived, same in told.by_definition())
    for name, killed, survived, same in told.by_definition():
        score = f"{100 * killed / (killed + survived):.0f} %" if killed + survived else "–"
        numbers = "".join(f'<td class="number">{number}</td>' for number in (killed, survived, same))
        parts = (("killed", killed), ("survived", survived), ("equivalent", same))
        bar = "".join(f'<i class="{kind}" style="width:{100 * part / most:.1f}%"></i>' for kind, part in parts)
        numbers += f'<td class="number">{score}</td>'
        yield f'<tr><td>{html(name)}</td>{numbers}<td><span class="bar">{bar}</span></td></tr>'
    yield "</table>"


def _matrix(told: Audit) -> Iterator[str]:
    """A row for each property and a column for each mutant, those of a definition side by side."""
    trials = sorted(told.trials, key=lambda trial: (trial.mutant.where, trial.mutant.number))
    yield "<h2>Which property notices which mutant</h2>"
    yield '<div class="matrix"><table>'
    yield f"<tr><th>any</th>{''.join(_cells(trials, None))}</tr>"
    for name, kills in told.killed_by().items():
        yield f"<tr><th>{html(name)} ({kills})</th>{''.join(_cells(trials, name))}</tr>"
    yield '</table></div><p class="facts">A column is a mutant; green: noticed, red: by none, grey: the same graph.</p>'


def _cells(trials: Sequence[Trial], name: str | None) -> Iterator[str]:
    before = ""
    for trial in trials:
        mutant = trial.mutant
        fate = str(trial.fate) if name is None else "killed" if name in trial.killers else ""
        kind = f"{fate} first".strip() if mutant.where != before else fate
        before = mutant.where
        yield f'<td class="{kind}" title="{html(f"{mutant.where}: {mutant.sentence} ({mutant.at})")}"></td>'


def _survivors(told: Audit) -> Iterator[str]:
    if not told.survivors:
        return
    yield "<h2>No property notices</h2>"
    for trial in told.survivors:
        mutant = trial.mutant
        title = f'<span class="at">{html(str(mutant.at))}</span> in {html(mutant.where)}, {html(mutant.sentence)}'
        said = "\n".join(difference(trial))
        yield f"<details><summary>{title}</summary><pre>{html(said)}</pre></details>"


def _text(told: Audit) -> Iterator[str]:
    """The lines that mutants are of, and those around them."""
    by_source: dict[str, tuple[Source, dict[int, list[Trial]]]] = {}
    for trial in told.trials:
        at = trial.mutant.at
        _, lines = by_source.setdefault(at.source.name, (at.source, defaultdict(list)))
        lines[at.in_file[0]].append(trial)
    for name, (source, lines) in by_source.items():
        yield f"<h2>{html(name)}</h2>"
        yield '<p class="facts">Noticed mutants of a line, of those with another graph; red where not all are.</p>'
        yield '<table class="text">'
        last = 0
        for number, text in enumerate(source.text.split("\n"), 1):
            if not any(near in lines for near in range(number - 2, number + 3)):
                continue
            if last and number > last + 1:
                yield '<tr><td class="n">⋯</td></tr>'
            last = number
            yield _line(number, text, lines.get(number, []))
        yield "</table>"


def _line(number: int, text: str, trials: Sequence[Trial]) -> str:
    fates = [trial.fate for trial in trials]
    killed = fates.count(Fate.KILLED)
    different = len(fates) - fates.count(Fate.EQUIVALENT)
    kind = "" if not fates else "same" if not different else "good" if killed == different else "bad"
    counts = f"{killed}/{different}" if different else "·" if fates else ""
    return (
        f'<tr class="{kind}"><td class="n">{number}</td><td class="n">{counts}</td><td>{html(text)}</td></tr>'
        if kind
        else f'<tr><td class="n">{number}</td><td></td><td>{html(text)}</td></tr>'
    )
