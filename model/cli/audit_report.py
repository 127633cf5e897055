"""What an audit found: on a terminal, as JSON, and as a case of a report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rmqproof.model.audit import Audit, Fate, Trial
from rmqproof.model.report.cases import Came, Case, Check, Diagnostic, Level

FIRST = 10
"""Survivors that are printed unless all are asked for."""


def print_audit(told: Audit, console: Console, everything: bool = False) -> None:
    how = size_note(told)
    console.print(Text(f"{told.name}: {told.states:,} states, {told.steps:,} steps{f', {how}' if how else ''}", "bold"))
    if told.violated:
        console.print(Text(f"violated anyway, not asked: {', '.join(told.violated)}", "yellow"))
    for gap in told.gaps:
        text = Text("· " if gap.kind in told.notes else "! ", "yellow" if gap.kind in told.notes else "bold red")
        text.append(f"{gap.at}: " if gap.at is not None else "").append(gap.sentence)
        console.print(text, soft_wrap=True)
    if not told.gaps:
        console.print("Nothing was found that says nothing.")
    if told.mutants:
        _score(told, console)
        _survivors(told, console, everything)
    if told.stronger:
        _stronger(told, console, everything)
    console.print(Text(_end(told), "dim"))


def size_note(told: Audit) -> str:
    """How graphs were compared, where not all there is was."""
    if told.whole:
        return ""
    if told.compiled:
        return "and more: too many to try mutants"
    return "too many to compare graphs: verdicts and counts are compared"


def _score(told: Audit, console: Console) -> None:
    console.print()
    console.print(Text(score_line(told), "bold"))
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    table.add_column("definition", overflow="fold")
    for heading in ("killed", "survived", "same graph", "score"):
        table.add_column(heading, justify="right")
    for name, killed, survived, same in told.by_definition():
        score = f"{100 * killed / (killed + survived):.0f} %" if killed + survived else "–"
        table.add_row(name, str(killed), str(survived), str(same), score)
    console.print(table)
    console.print()
    killers = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    killers.add_column("property", overflow="fold")
    killers.add_column("kills", justify="right")
    killers.add_column("alone", justify="right")
    alone = told.killed_alone()
    for name, number in told.killed_by().items():
        killers.add_row(name, str(number), str(alone.get(name, 0)))
    console.print(killers)


def score_line(told: Audit) -> str:
    run = f"{len(told.trials):,} of {len(told.mutants):,} mutants"
    if told.score is None:
        return f"{run}: none is another graph"
    same = told.count(Fate.EQUIVALENT)
    alike = f"; {same} have the same graph" if same else ""
    return f"{run}: {told.count(Fate.KILLED)} of {len(told.trials) - same} killed, {100 * told.score:.0f} %{alike}"


def _survivors(told: Audit, console: Console, everything: bool) -> None:
    survivors = told.survivors
    if not survivors:
        return
    console.print()
    console.print(Text("No property notices:", "bold"))
    for trial in survivors if everything else survivors[:FIRST]:
        mutant = trial.mutant
        console.print(Text(f"  {mutant.at}: in {mutant.where}, {mutant.sentence}"), soft_wrap=True)
        for line in difference(trial):
            console.print(Text(f"      {line}", "dim"), soft_wrap=True)
    if not everything and len(survivors) > FIRST:
        console.print(Text(f"  … and {len(survivors) - FIRST} more: --all, or --json.", "dim"))


def difference(trial: Trial) -> Iterator[str]:
    yield graph_words(trial)
    if trial.path:
        yield f"{'only now' if trial.more_states else 'no longer'} reached, by {', '.join(trial.path)}:"
    for line in trial.witness:
        yield f"  {line}"


def graph_words(trial: Trial) -> str:
    """What is different about the graph."""
    counts = (
        (trial.more_states, "new state"),
        (trial.fewer_states, "state missing"),
        (trial.more_steps, "new step"),
        (trial.fewer_steps, "step missing"),
    )
    words = [f"{number:,} {_plural(what, number)}" for number, what in counts if number]
    end = ", and more beyond the limit" if trial.fate is Fate.OPEN else ""
    return (", ".join(words) or "nothing new as far as it was explored") + end


def _plural(what: str, number: int) -> str:
    if number == 1:
        return what
    return what.replace("state", "states").replace("step", "steps")


def _stronger(told: Audit, console: Console, everything: bool) -> None:
    hold = [each for each in told.stronger if each.holds]
    console.print()
    console.print(
        Text(f"Invariants made stronger: {len(told.stronger)} ways, {len(hold)} hold as well", "bold"), soft_wrap=True
    )
    for each in hold if everything else hold[:FIRST]:
        console.print(Text(f"  {each.at}: {each.name}: {each.sentence}"), soft_wrap=True)
    if not everything and len(hold) > FIRST:
        console.print(Text(f"  … and {len(hold) - FIRST} more: --all, or --json.", "dim"))


def _end(told: Audit) -> str:
    left = len(told.mutants) - len(told.trials)
    if told.compiled and not told.whole:
        return f"{told.seconds:.1f} s"
    why = "interrupted" if told.interrupted else "--mutants" if told.enough else "the time was over: --seconds"
    rest = f"; {left:,} mutants were not tried ({why})" if left else ""
    return f"{told.seconds:.1f} s{rest}"


def audit_record(told: Audit) -> dict[str, Any]:
    """The object of `--json`."""
    return {
        "model": told.name,
        "distinctStates": told.states,
        "steps": told.steps,
        "graphsCompared": told.whole,
        "properties": list(told.properties),
        "violatedAnyway": list(told.violated),
        "findings": [
            {
                "kind": str(gap.kind),
                "subject": gap.subject,
                "sentence": gap.sentence,
                "at": str(gap.at) if gap.at is not None else None,
                "note": gap.kind in told.notes,
            }
            for gap in told.gaps
        ],
        "mutants": len(told.mutants),
        "tried": len(told.trials),
        "score": round(told.score, 4) if told.score is not None else None,
        "definitions": {
            name: {"killed": killed, "survived": survived, "sameGraph": same}
            for name, killed, survived, same in told.by_definition()
        },
        "kills": told.killed_by(),
        "trials": [_trial(trial) for trial in told.trials],
        "stronger": [
            {"property": each.name, "change": each.sentence, "at": str(each.at), "holds": each.holds}
            for each in told.stronger
        ],
        "seconds": round(told.seconds, 3),
        "interrupted": told.interrupted,
    }


def _trial(trial: Trial) -> dict[str, Any]:
    mutant = trial.mutant
    return {
        "number": mutant.number,
        "definition": mutant.where,
        "at": str(mutant.at),
        "rule": mutant.rule,
        "change": mutant.sentence,
        "fate": str(trial.fate),
        "killedBy": list(trial.killers),
        "newStates": trial.more_states,
        "missingStates": trial.fewer_states,
        "newSteps": trial.more_steps,
        "missingSteps": trial.fewer_steps,
        "witness": list(trial.witness),
        "path": list(trial.path),
    }


def is_low(told: Audit, fail_under: float | None) -> bool:
    """Whether fewer percent of its mutants are killed than was asked for."""
    return fail_under is not None and told.score is not None and 100 * told.score < fail_under


def audit_case(told: Audit, strict: bool, fail_under: float | None) -> Case:
    """A check for each finding that is no note, and one for each mutant. A finding is a failure where `strict`, a
    survivor where the score is too low: what has failed is what the exit status is about."""
    low = is_low(told, fail_under)
    found = Came.FAILED if strict else Came.SKIPPED
    survived = Came.FAILED if low else Came.SKIPPED
    checks = [Check(f"{gap.kind}: {gap.subject or gap.sentence}", found, gap.sentence) for gap in told.vacuous]
    came = {Fate.KILLED: Came.PASSED, Fate.EQUIVALENT: Came.SKIPPED}
    for trial in told.trials:
        mutant = trial.mutant
        name = f"{mutant.where}: {mutant.sentence} ({mutant.at})"
        what = {Fate.KILLED: "", Fate.EQUIVALENT: "the same graph"}.get(trial.fate, f"survives: {graph_words(trial)}")
        checks.append(Check(name, came.get(trial.fate, survived), what))
    problems = [
        Diagnostic(
            "-".join(str(gap.kind).split()),
            Level.NOTE if gap.kind in told.notes else Level.WARNING,
            gap.sentence,
            gap.at,
        )
        for gap in told.gaps
    ]
    problems += [
        Diagnostic("mutant-survives", Level.NOTE, f"{trial.mutant.sentence}: no property notices", trial.mutant.at)
        for trial in told.survivors
    ]
    good = not low and not (strict and told.vacuous)
    return Case(
        told.name,
        told.file,
        score_line(told),
        good,
        told.seconds,
        told.states,
        told.steps,
        0,
        tuple(checks),
        tuple(problems),
    )
