"""What came out of a search for an inductive invariant, as text and JSON."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from rmqproof.model.cli.proving import verdict_of
from rmqproof.model.infer.infer import Outcome
from rmqproof.model.report.text import print_behaviour


def print_outcome(outcome: Outcome, console: Console) -> None:
    """The invariant and where it is, or why there is none."""
    properties = ", ".join(outcome.opened.properties)
    if outcome.trace is not None:
        print_behaviour(outcome.trace, console)
        _say(console, f"{outcome.violated} does not hold, so no invariant implies it.")
        return
    if outcome.found and outcome.written is not None:
        _say(console, f"An inductive invariant that implies {properties}, of {len(outcome.conjuncts)} conjuncts:")
    elif outcome.configured:
        _say(console, f"An inductive invariant that implies {properties}, for the sizes of the configuration only:")
    elif outcome.conjuncts:
        _say(console, f"No inductive invariant that implies {properties} was found. So far:")
    for conjunct in outcome.conjuncts:
        _say(console, f"  /\\ {conjunct.text}")
    if not outcome.configured:
        if outcome.spare:
            where = "reachable states" if outcome.opened.reachable.whole else "states that were looked at"
            _say(console, f"Assumed besides, since it holds in the {where}:")
        for conjunct in outcome.spare:
            _say(console, f"  {conjunct.text}")
        _unfinished(outcome, console)
    for answer in outcome.answers:
        _say(console, f"{answer.name}: {verdict_of(answer)}{f' ({answer.reason})' if answer.reason else ''}")
    if outcome.written is not None:
        _say(
            console, f"Written to {outcome.written.module}; to be proved again: rmqproof prove {outcome.written.module}"
        )
    _say(
        console,
        f"{outcome.tried:,} candidates, {outcome.questions:,} questions to Z3, {outcome.seconds:.1f} s of a processor.",
    )


def _unfinished(outcome: Outcome, console: Console) -> None:
    if outcome.interrupted:
        _say(console, "Interrupted. What was found is kept: --resume goes on from there.")
    elif outcome.out_of_time:
        _say(console, "The time was over. What was found is kept: --resume goes on from there.")
    if outcome.step is not None:
        _say(console, "A step from a state in which all of these hold:")
        print_behaviour(outcome.step, console)
        _say(console, f"The state before it is {outcome.reached}.")
    for near in outcome.nearest:
        _say(
            console,
            f"It is excluded by {near.text}, which is false in {near.states:,} of the reachable states, "
            f"first after {near.steps} steps.",
        )
    if outcome.step is not None and not outcome.nearest and not outcome.out_of_time:
        _say(console, "No candidate excludes it. A conjunct of your own may: --hints FILE.")


def _say(console: Console, text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def outcome_record(outcome: Outcome) -> dict[str, Any]:
    """What `--json` writes."""
    result = "found" if outcome.found else "violated" if outcome.violated else "not found"
    step = outcome.step if outcome.step is not None else outcome.trace
    return {
        "result": "interrupted" if outcome.interrupted else result,
        "specification": outcome.opened.files.spec.stem,
        "properties": list(outcome.opened.properties),
        "violated": outcome.violated,
        "invariant": [conjunct.text for conjunct in outcome.conjuncts],
        "assumed": [conjunct.text for conjunct in outcome.spare] if not outcome.configured else [],
        "module": str(outcome.written.module) if outcome.written is not None else None,
        "proofs": {answer.name: answer.verdict for answer in outcome.answers},
        "sizes": dict(outcome.answers[0].sizes) if outcome.answers else {},
        "reachableStates": len(outcome.opened.reachable.states),
        "allStates": outcome.opened.reachable.whole,
        "counterexample": None if step is None else [{"action": s.action, "state": dict(s.state)} for s in step.steps],
        "reached": outcome.reached,
        "excludedBy": [{"text": n.text, "falseIn": n.states, "firstAfter": n.steps} for n in outcome.nearest],
        "candidates": outcome.tried,
        "questions": outcome.questions,
        "processorSeconds": round(outcome.seconds, 2),
    }
