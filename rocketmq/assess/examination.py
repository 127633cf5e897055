"""Put every question to a broker set under every class of faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache

from rmqproof.model.report.behaviour import Behaviour
from rmqproof.rocketmq.assess.broker_set import BrokerSet
from rmqproof.rocketmq.assess.faults import Faults
from rmqproof.rocketmq.assess.plan import bounds_of, plans, property_for, raised
from rmqproof.rocketmq.assess.questions import QUESTIONS, Question


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
class Finding:
    """`yes` None: the search did not come to an end. `behaviour` is a shortest one to a yes, `distinct` the states of
    the search that answered."""

    yes: bool | None
    distinct: int
    behaviour: Behaviour | None = None
    message: str = ""


Explore = Callable[[BrokerSet, Faults, Sequence[Question]], tuple[Finding, ...]]
"""Answer questions about a broker set under a class of faults, in their order; picklable and hashable."""


@dataclass(frozen=True, slots=True)
class OneByOne:
    """Answer by searches that end at a violation, and are repeated without what failed until the rest holds."""

    check: Check

    def __call__(self, broker_set: BrokerSet, faults: Faults, questions: Sequence[Question]) -> tuple[Finding, ...]:
        found: dict[str, Finding] = {}
        for plan in plans(broker_set, faults, questions):
            left = list(plan.questions)
            while left:
                properties = {question: property_for(broker_set, question) for question in left}
                checked = _checked(self.check, plan.module, _bare(plan.configuration(list(properties.values()))))
                if checked.violated is None:
                    no = Finding(False if checked.exhaustive else None, checked.distinct, None, checked.message)
                    found |= {question.name: no for question in left}
                    break
                hit = next(question for question in left if properties[question] == checked.violated)
                found[hit.name] = Finding(True, checked.distinct, checked.behaviour, checked.message)
                left.remove(hit)
        return tuple(found[question.name] for question in questions)


@lru_cache(maxsize=256)
def _checked(check: Check, module: str, text: str) -> Checked:
    """The search, once for each process: a change of settings need not change what is searched."""
    return check(module, text)


def _bare(configuration: str) -> str:
    """Without comments, which name settings that the module does not know."""
    return "".join(line for line in configuration.splitlines(True) if not line.startswith("\\*"))


@dataclass(frozen=True, slots=True)
class Answer:
    """`yes` None: the search did not come to an end, so the question is open. `behaviour` is a shortest one."""

    question: Question
    deployment: BrokerSet
    faults: Faults
    bounds: str
    yes: bool | None
    distinct: int
    behaviour: Behaviour | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """Some questions about one deployment under one class of faults. Picklable."""

    explore: Explore
    deployment: BrokerSet
    faults: Faults
    questions: tuple[Question, ...] = QUESTIONS

    def __call__(self) -> tuple[Answer, ...]:
        """An answer to each question that these faults raise, in their order."""
        asked = tuple(question for question in self.questions if raised(question, self.deployment, self.faults))
        findings = _explored(self.explore, self.deployment, self.faults, asked)
        return tuple(
            Answer(
                question,
                self.deployment,
                self.faults,
                bounds_of(self.deployment, self.faults, question),
                finding.yes,
                finding.distinct,
                finding.behaviour,
                finding.message,
            )
            for question, finding in zip(asked, findings, strict=True)
        )


@lru_cache(maxsize=1024)
def _explored(
    explore: Explore, deployment: BrokerSet, faults: Faults, questions: tuple[Question, ...]
) -> tuple[Finding, ...]:
    """The findings, once for each process."""
    return explore(deployment, faults, questions)


def run_task(task: Task) -> tuple[Answer, ...]:
    return task()


def examine(
    explore: Explore,
    deployment: BrokerSet,
    faults: Sequence[Faults],
    executor: Executor,
    questions: Sequence[Question],
) -> Iterator[tuple[Answer, ...]]:
    """The answers class by class, in the order of `faults`, worked out side by side."""
    return executor.map(run_task, [Task(explore, deployment, each, tuple(questions)) for each in faults])
