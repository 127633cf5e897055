"""The whole answer to an operator: what was read, every verdict, stories, advice."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from rmqproof.model.assess.advice import Advice, Advise, run_advise
from rmqproof.model.assess.deployment import Deployment
from rmqproof.model.assess.examination import Answer, Check, examine
from rmqproof.model.assess.faults import Faults
from rmqproof.model.assess.questions import Question
from rmqproof.model.assess.reading import Reading, Remark


@dataclass(frozen=True, slots=True)
class Assessment:
    """`answers` holds one for each question and class of faults, the classes in order inside each question."""

    readings: tuple[Reading, ...]
    remarks: tuple[Remark, ...]
    deployment: Deployment
    answers: tuple[Answer, ...]
    advice: tuple[Advice, ...]

    def about(self, question: Question) -> tuple[Answer, ...]:
        return tuple(answer for answer in self.answers if answer.question == question)

    def shortest(self, question: Question) -> Answer | None:
        """The yes with the shortest behaviour."""
        told = [answer for answer in self.about(question) if answer.behaviour is not None]
        return min(told, key=_length, default=None)

    def advice_on(self, answer: Answer) -> Advice | None:
        return next((advice for advice in self.advice if advice.answer is answer), None)

    @property
    def open(self) -> bool:
        """Whether a question has no answer."""
        return any(answer.yes is None for answer in self.answers)


def assess(
    check: Check,
    readings: Sequence[Reading],
    remarks: Sequence[Remark],
    deployment: Deployment,
    faults: Sequence[Faults],
    questions: Sequence[Question],
    executor: Executor,
    with_advice: bool = True,
) -> Assessment:
    """Answer `questions`; where an answer is yes and `with_advice`, look for the smallest change that makes it no."""
    by_class = list(examine(check, deployment, faults, executor, questions))
    advice: list[Advice] = []
    if with_advice:
        asked = [Advise(check, answer, answers) for answers in by_class for answer in answers if answer.yes]
        for advise, given in zip(asked, executor.map(run_advise, asked), strict=True):
            # the answer came back as a copy
            advice.append(Advice(advise.answer, given.adjustments, given.opened, given.tried))
    answers = tuple(by_class[i][j] for j in range(len(questions)) for i in range(len(by_class)))
    return Assessment(tuple(readings), tuple(remarks), deployment, answers, tuple(advice))


def _length(answer: Answer) -> int:
    return len(answer.behaviour.steps) if answer.behaviour is not None else 0
