"""Answers about lemmas as text and pictures."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rmqproof.model.cli.progress_line import telling
from rmqproof.model.prove.answers import Answer, actions_of
from rmqproof.model.prove.certificates import Tally
from rmqproof.model.prove.decide import CONTRADICTION, NO_WITNESS
from rmqproof.model.prove.progress import Doing, Told
from rmqproof.model.report.diagram import behaviour_dot
from rmqproof.model.report.itf import write_itf
from rmqproof.model.report.render import draw
from rmqproof.model.report.text import behaviour_text
from rmqproof.model.search.control import Control

_REFUSED = 5
"""So many certificates that were refused are told one by one."""
_STYLES = {"proved": "green", "refuted": "red", "unknown": "yellow", "vacuous": "red", "disputed": "red"}


@contextmanager
def watching(console: Console, quiet: bool) -> Iterator[Told]:
    """What writes to the console what processes ask about, as often as is right there."""
    control = Control()
    with telling(control, console, _doing_text, quiet) as tell:
        every = control.progress_seconds
        due = time.monotonic() + every

        def told(doing: Sequence[Doing]) -> None:
            nonlocal due
            if doing and time.monotonic() >= due:
                tell(doing)
                due = time.monotonic() + every

        yield told


def _doing_text(doing: Sequence[Doing]) -> Text:
    return Text("; ".join(f"{one.lemma}: {one.asking}, {one.seconds:.0f} s" for one in doing), "dim", overflow="fold")


def print_answer(answer: Answer, console: Console, brief: bool = False) -> None:
    """One line, and where there is a countermodel the values that it gives."""
    mark = "as expected " if answer.expected == "refuted" and answer.as_expected else ""
    console.print(f"{answer.name}: {mark}{verdict_of(answer)} in {answer.seconds:.1f} s", markup=False)
    if answer.reason and answer.verdict in ("unknown", "vacuous", "disputed"):
        console.print(f"    {answer.reason}", markup=False)
    if answer.second.asked:
        console.print(f"    cvc5: {opinion_of(answer)}.", markup=False)
    if answer.checked is not None:
        console.print(f"    certificates: {tally_of(answer.checked)}.", markup=False)
        for question, reason in answer.checked.refused[:_REFUSED]:
            console.print(f"    refused: {question}: {reason}", markup=False, soft_wrap=True)
    if answer.satisfiable is not True and answer.reason not in (CONTRADICTION, NO_WITNESS) and not answer.proved_for:
        console.print("    No model of its hypotheses was found: it may say nothing.", markup=False)
    if answer.countermodel is not None and not (brief and answer.as_expected):
        for line in behaviour_text(answer.countermodel, console.width - 4).plain.splitlines():
            console.print(f"    {line}", markup=False, soft_wrap=True)


def verdict_of(answer: Answer) -> str:
    """The verdict; with `proved` the sizes for which it is."""
    given = ", ".join(f"{name} {size}" for name, size in answer.sizes)
    return f"{answer.verdict} for {given}" if given and answer.verdict == "proved" else answer.verdict


def opinion_of(answer: Answer) -> str:
    """What the second solver said."""
    second = answer.second
    if not second.asked:
        return "nothing to ask"
    others = [f"{second.certified} with a certificate"] * bool(second.certified)
    others += [f"no answer to {second.none}"] * bool(second.none)
    others += [f"the opposite of {second.opposite}"] * bool(second.opposite)
    return ", ".join([f"agrees on {second.same} of {second.asked}", *others])


def tally_of(checked: Tally) -> str:
    """What a checker said."""
    if checked == Tally():
        return "nothing to check"
    holes = ", ".join(f"{name} {times}" for name, times in checked.holes)
    others = [f"{checked.with_holes} with holes ({holes})"] * bool(checked.with_holes)
    others += [f"{len(checked.refused)} refused"] * bool(checked.refused)
    return ", ".join([f"{checked.checked} accepted ({checked.steps} steps, {checked.seconds:.1f} s)", *others])


def print_share(answer: Answer, console: Console) -> None:
    """What came out about one way to take a step, as soon as it is known."""
    title = answer.ways[0].title if answer.ways else f"{answer.name}, its hypotheses"
    asked = [part for part in answer.parts if part.goal]
    open_ = [part.goal for part in asked if part.verdict != "proved"]
    console.print(
        f"{title}: {len(asked) - len(open_)} of {len(asked)} proved in {answer.seconds:.1f} s"
        + (f"; open: {', '.join(open_)}" if open_ else "")
        + (f" ({answer.reason})" if answer.reason and not asked else ""),
        markup=False,
    )


def print_actions(answer: Answer, console: Console) -> None:
    """The time of each action, for a lemma that every step keeps something."""
    table = Table(box=None, pad_edge=False, show_edge=False, title=f"{answer.name}: action by action")
    table.add_column("action", overflow="fold")
    for title in ("ways", "asked about", "questions", "proved", "s"):
        table.add_column(title, justify="right")
    for row in actions_of(answer):
        style = "green" if row.proved == row.questions else "yellow"
        table.add_row(
            row.action,
            str(row.ways),
            str(row.asked),
            str(row.questions),
            f"[{style}]{row.proved}[/]",
            f"{row.seconds:.1f}",
        )
    console.print(table)


def print_answers(answers: Sequence[Answer], console: Console) -> None:
    """The table: lemma, sentence, verdict, seconds, whether the hypotheses are satisfiable; then the sum."""
    table = Table(box=None, pad_edge=False, show_edge=False)
    for title, justify in (("lemma", "left"), ("sentence", "left"), ("verdict", "left"), ("s", "right")):
        table.add_column(title, justify=justify, overflow="fold")  # type: ignore[arg-type]
    table.add_column("hypotheses")
    both = any(answer.second.asked for answer in answers)
    if both:
        table.add_column("cvc5", overflow="fold")
    again = any(answer.checked is not None for answer in answers)
    if again:
        table.add_column("certificates", overflow="fold")
    for answer in answers:
        as_wanted = answer.expected == "refuted" and answer.as_expected
        verdict = verdict_of(answer) + (" (expected)" if as_wanted else "")
        table.add_row(
            answer.name,
            answer.sentence,
            f"[{'green' if as_wanted else _STYLES[answer.verdict]}]{verdict}[/]",
            f"{answer.seconds:.1f}",
            "satisfiable" if answer.satisfiable else "contradictory" if answer.verdict == "vacuous" else "not known",
            *([opinion_of(answer)] if both else []),
            *([tally_of(answer.checked or Tally())] if again else []),
        )
    console.print(table)
    for answer in answers:
        if answer.ways:
            print_actions(answer, console)
    vacuous = [answer.name for answer in answers if answer.verdict == "vacuous"]
    count = {verdict: sum(answer.verdict == verdict for answer in answers) for verdict in _STYLES}
    wrong = [answer.name for answer in answers if not answer.as_expected]
    console.print(
        f"{count['proved']} proved, {count['refuted']} refuted, {count['unknown']} unknown in "
        f"{sum(answer.seconds for answer in answers):.0f} s of work."
        + (f" Its hypotheses contradict each other: {', '.join(vacuous)}." if vacuous else "")
        + (f" Not as it should be: {', '.join(wrong)}." if wrong else " All as expected."),
        markup=False,
    )


def write_pictures(answers: Sequence[Answer], folder: Path) -> list[str]:
    """Each countermodel as `<lemma>.itf.json`, `.txt` and `.svg` (`.dot` where there is no Graphviz); what is to be
    said of pictures that are none."""
    problems: list[str] = []
    folder.mkdir(parents=True, exist_ok=True)
    for answer in answers:
        if answer.countermodel is None:
            continue
        write_itf(answer.countermodel, folder / f"{answer.name}.itf.json")
        text = behaviour_text(answer.countermodel).plain + "\n"
        (folder / f"{answer.name}.txt").write_text(text, encoding="utf-8")
        problems.append(draw(behaviour_dot(answer.countermodel), folder / f"{answer.name}.svg").problem)
    return [problem for problem in problems if problem]
