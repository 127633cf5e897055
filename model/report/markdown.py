"""The report as Markdown, as for the summary of a job: a table of the models, then what is wrong with each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rmqproof.model.report.cases import Came, Case, path_of


def markdown(cases: Sequence[Case]) -> str:
    good = sum(case.good for case in cases)
    lines = [f"# rmqproof: {good} of {len(cases)} models as wanted", ""]
    lines += ["| | model | verdict | distinct | total | depth | seconds |", "|---|---|---|--:|--:|--:|--:|"]
    for case in cases:
        mark = "ok" if case.good else "**wrong**"
        numbers = f"{case.distinct:,} | {case.total:,} | {case.depth:,} | {case.seconds:.1f}"
        lines.append(f"| {mark} | {_cell(case.name)} | {_cell(case.verdict)} | {numbers} |")
    for case in cases:
        lines += _about(case)
    return "\n".join(lines) + "\n"


def _about(case: Case) -> Iterator[str]:
    skipped = [check for check in case.checks if check.came is Came.SKIPPED]
    if not case.problems and not skipped:
        return
    yield f"\n## {_cell(case.name)}\n"
    for problem in case.problems:
        place = (
            f" ({_code(f'{path_of(problem.at.source.name)}:{problem.at.in_file[0]}')})"
            if problem.at is not None
            else ""
        )
        if "\n" in problem.message.strip():
            yield f"- {problem.level}:{place}\n"
            yield from (f"  {line}".rstrip() for line in _fenced(problem.message).split("\n"))
        else:
            yield f"- {problem.level}: {_cell(problem.message)}{place}"
        for what, at in problem.related:
            yield f"    - {_cell(what)} ({_code(f'{path_of(at.source.name)}:{at.in_file[0]}')})"
    for check in skipped:
        yield f"- {_cell(check.name)}: {_cell(check.message)}"
    if case.text and not case.good:
        yield f"\n<details><summary>counterexample</summary>\n\n{_fenced(case.text)}\n\n</details>"


def _cell(text: str) -> str:
    """The words in one line, none of which is markup."""
    return re.sub(r"([\\`*_\[\]<>|#~&])", r"\\\1", " ".join(text.split()))


def _fenced(text: str) -> str:
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 3)
    return f"{fence}\n{text}\n{fence}"


def _code(text: str) -> str:
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    return f"{fence}{text}{fence}"
