"""The whole answer to an operator: what was read, every verdict, stories, advice."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from rmqproof.rocketmq.assess.advice import Advice, advise
from rmqproof.rocketmq.assess.broker_set import BrokerSet
from rmqproof.rocketmq.assess.by_release import ByRelease
from rmqproof.rocketmq.assess.examination import Answer, Explore, Task
from rmqproof.rocketmq.assess.faults import Fault, Faults
from rmqproof.rocketmq.assess.plan import program_of
from rmqproof.rocketmq.assess.questions import Question
from rmqproof.rocketmq.assess.reading import Reading, Remark


@dataclass(frozen=True, slots=True)
class Assessment:
    """`answers` holds one for each question and class of faults, the classes in order inside each question."""

    readings: tuple[Reading, ...]
    remarks: tuple[Remark, ...]
    deployment: BrokerSet
    answers: tuple[Answer, ...]
    advice: tuple[Advice, ...]
    by_release: ByRelease | None = None

    def about(self, question: Question) -> tuple[Answer, ...]:
        return tuple(answer for answer in self.answers if answer.question == question)

    def shortest(self, question: Question) -> Answer | None:
        """The yes with the shortest behaviour."""
        told = [answer for answer in self.about(question) if answer.behaviour is not None]
        return min(told, key=_length, default=None)

    def advice_on(self, answer: Answer) -> Advice | None:
        key = (answer.question.name, answer.faults)
        return next((a for a in self.advice if (a.answer.question.name, a.answer.faults) == key), None)

    @property
    def open(self) -> bool:
        """Whether a question has no answer."""
        return any(answer.yes is None for answer in self.answers)


@dataclass(frozen=True, slots=True)
class Job:
    """Classes of faults that one process works out, since one compiled program serves them. Picklable."""

    explore: Explore
    deployment: BrokerSet
    faults: tuple[Faults, ...]
    questions: tuple[Question, ...]
    with_advice: bool

    def __call__(self) -> list[tuple[tuple[Answer, ...], tuple[Advice, ...]]]:
        """By class of faults its answers, and the advice on each yes."""
        worked_out = []
        for faults in self.faults:
            answers = Task(self.explore, self.deployment, faults, self.questions)()
            worked_out.append((answers, advise(self.explore, answers) if self.with_advice else ()))
        return worked_out


def run_job(job: Job) -> list[tuple[tuple[Answer, ...], tuple[Advice, ...]]]:
    return job()


def assess(
    explore: Explore,
    readings: Sequence[Reading],
    remarks: Sequence[Remark],
    deployment: BrokerSet,
    faults: Sequence[Faults],
    questions: Sequence[Question],
    executor: Executor,
    with_advice: bool = True,
) -> Assessment:
    """Answer `questions`; where an answer is yes and `with_advice`, look for the smallest change that makes it no."""
    together: dict[object, list[Faults]] = {}
    for each in faults:
        together.setdefault(program_of(deployment, each), []).append(each)
    # the longest first
    jobs = [
        Job(explore, deployment, tuple(classes), tuple(questions), with_advice)
        for classes in sorted(together.values(), key=lambda classes: Fault.POWER_LOSS not in classes[0].classes)
    ]
    by_class: dict[Faults, tuple[Answer, ...]] = {}
    advice: list[Advice] = []
    for job, results in zip(jobs, executor.map(run_job, jobs), strict=True):
        for each, (answers, given) in zip(job.faults, results, strict=True):
            by_class[each] = answers
            advice += given
    ordered = tuple(
        answer for question in questions for each in faults for answer in by_class[each] if answer.question == question
    )
    return Assessment(tuple(readings), tuple(remarks), deployment, ordered, tuple(advice))


def _length(answer: Answer) -> int:
    return len(answer.behaviour.steps) if answer.behaviour is not None else 0
