"""Prove lemmas for all sizes, with Z3."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from rmqproof.model.api.behaviour import Behaviour
from rmqproof.model.api.checks import opened
from rmqproof.model.api.errors import ConfigError, typed, typed_errors
from rmqproof.model.api.models import Model
from rmqproof.model.prove.answers import Answer, answer, stopped
from rmqproof.model.prove.ask import NOTHING_KEPT
from rmqproof.model.prove.modules import chosen, used_by
from rmqproof.model.prove.pool import Task, run_all
from rmqproof.model.prove.remembered import Memory
from rmqproof.model.prove.subject import subject_of

_PATIENCE = 200
"""Time-outs of a question after which a lemma is given up."""


@dataclass(frozen=True)
class Proof:
    """What is known of a lemma. True when it is settled as the line EXPECT above it says, `proved` without one.

    `verdict`: `proved`, `refuted`, `unknown`, or `vacuous` where its hypotheses contradict each other. `sizes`: the
    constants that had one value, each with it; the proof is for every value of all else.
    """

    answer: Answer = field(repr=False)
    name: str
    verdict: str
    sentence: str

    def __bool__(self) -> bool:
        return self.answer.as_expected

    @property
    def sizes(self) -> dict[str, str]:
        return dict(self.answer.sizes)

    @property
    def reason(self) -> str:
        """Why it is not known, or vacuous."""
        return self.answer.reason

    @property
    def seconds(self) -> float:
        return self.answer.seconds

    @property
    def countermodel(self) -> Behaviour | None:
        """Values that refute it, as a behaviour of one or two states; nothing says that they can be reached."""
        shown = self.answer.countermodel
        return Behaviour(shown) if shown is not None else None

    def json(self) -> dict[str, Any]:
        return self.answer.json()


def prove(
    model: Model | str | Path,
    lemmas: Iterable[str] = (),
    *,
    timeout: float = 60.0,
    workers: int | None = None,
    remember: bool = True,
) -> dict[str, Proof]:
    """What can be shown of the lemmas of a module, the THEOREMs with a name, by name; of these, or of all.

    `timeout`: seconds a question. `remember`: answers are kept in the user's cache, and not asked for again.
    Raise `ParseError`, `ConfigError`, and `EvaluationError` for what has no translation.
    """
    model = opened(model)
    with typed_errors():
        subject = subject_of(model.resolved, model.files.config_text)
        wanted = chosen(subject, tuple(lemmas))
        missing = {*lemmas} - {lemma.name for lemma in wanted}
        if missing or not wanted:
            raise ConfigError(
                f"{model.name} has no lemma{' ' + ', '.join(sorted(missing)) if missing else ''}",
                None,
                "A lemma is a THEOREM with a name: THEOREM Name == formula.",
            )
        memory = Memory.of_user() if remember else NOTHING_KEPT
        tasks = []
        for lemma in wanted:
            ask = partial(answer, subject, lemma, timeout, used_by(subject, lemma), "", memory)
            tasks.append(Task(lemma.name, ask, timeout * _PATIENCE))
        by_name = {lemma.name: lemma for lemma in wanted}
        answers: dict[str, Answer] = {}
        for done in run_all(tasks, workers or os.cpu_count() or 1):
            if done.error is not None:
                raise typed(done.error) from done.error
            name = done.task.name
            module = subject.model.specification.name
            answers[name] = stopped(module, by_name[name], done.task.seconds) if done.stopped else done.result
    return {name: Proof(answers[name], name, answers[name].verdict, answers[name].sentence) for name in by_name}
