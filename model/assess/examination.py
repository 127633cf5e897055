"""Put every question to a broker set under every class of faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from rmqproof.model.assess.deployment import Deployment
from rmqproof.model.assess.faults import Faults
from rmqproof.model.assess.questions import QUESTIONS, Question
from rmqproof.model.assess.scenario import Bounds, bounds_under, configuration, module_of
from rmqproof.model.report.behaviour import Behaviour


@dataclass(frozen=True, slots=True)
class Checked:
    """What one search found. `violated` None and `exhaustive`: the properties hold in every state in the bounds."""

    violated: str | None
    behaviour: Behaviour | None
    distinct: int
    exhaustive: bool
    message: str = ""


Check = Callable[[str, str], Checked]
"""Check a module of `spec/` with a configuration given as text; picklable."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`yes` None: the search did not come to an end, so the question is open. `behaviour` is a shortest one."""

    question: Question
    deployment: Deployment
    faults: Faults
    bounds: Bounds
    yes: bool | None
    distinct: int
    behaviour: Behaviour | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """Some questions about one deployment under one class of faults. Picklable."""

    check: Check
    deployment: Deployment
    faults: Faults
    questions: tuple[Question, ...] = QUESTIONS

    def __call__(self) -> tuple[Answer, ...]:
        """An answer to each question, in their order.

        A search ends at a violation, so it is repeated without the property that failed until the rest holds.
        """
        bounds = bounds_under(self.faults)
        left = list(self.questions)
        found: dict[str, Answer] = {}
        while left:
            text = configuration(self.deployment, self.faults, [question.property for question in left], bounds)
            checked = self.check(module_of(self.deployment), text)
            if checked.violated is None:
                for question in left:
                    found[question.name] = self._answer(
                        question, bounds, False if checked.exhaustive else None, checked
                    )
                break
            hit = next(question for question in left if question.property == checked.violated)
            found[hit.name] = self._answer(hit, bounds, True, checked)
            left.remove(hit)
        return tuple(found[question.name] for question in self.questions)

    def _answer(self, question: Question, bounds: Bounds, yes: bool | None, checked: Checked) -> Answer:
        return Answer(
            question,
            self.deployment,
            self.faults,
            bounds,
            yes,
            checked.distinct,
            checked.behaviour if yes else None,
            checked.message,
        )


def run_task(task: Task) -> tuple[Answer, ...]:
    return task()


def examine(
    check: Check, deployment: Deployment, faults: Sequence[Faults], executor: Executor, questions: Sequence[Question]
) -> Iterator[tuple[Answer, ...]]:
    """The answers class by class, in the order of `faults`, worked out side by side."""
    tasks: Iterable[Task] = [Task(check, deployment, each, tuple(questions)) for each in faults]
    return executor.map(run_task, tasks)
