"""A countermodel of two states, put to the explicit search."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console

from rmqproof.model.prove.answers import Answer
from rmqproof.model.prove.reach import reach
from rmqproof.model.prove.subject import Subject


def reached(answer: Answer, subject: Subject, seconds: float, console: Console) -> Answer:
    """Print whether the first state can be reached; the answer with that. One without two states stays as it is."""
    found = answer.values
    if found is None or found.now is None or found.then is None:
        return answer
    text = str(reach(subject.model, found, seconds, lambda line: console.print(line, markup=False)))
    console.print(f"{answer.name}: the first state of the countermodel is {text}.", markup=False)
    return replace(answer, reached=text)
