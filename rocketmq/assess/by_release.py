"""The same questions with the rules of a release, and what an upgrade changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from rmqproof.rocketmq.assess.deployment import Deployment
from rmqproof.rocketmq.assess.examination import Answer, Explore, examine
from rmqproof.rocketmq.assess.faults import Faults
from rmqproof.rocketmq.assess.questions import Question
from rmqproof.rocketmq.release_rules import NEWEST, Rules, changes_after, rules_of

NOT_STARTING = {"5.1.2": "its brokers do not start in controller mode (#6926), take 5.1.3"}
"""Releases that nobody should run in controller mode, as their authors say."""

WORDS = {True: "yes", False: "no", None: "open"}


@dataclass(frozen=True, slots=True)
class Change:
    """An answer that is another one than before."""

    question: str
    faults: str
    before: bool | None
    after: bool | None

    def __str__(self) -> str:
        return f"{self.question} under {self.faults}: {WORDS[self.before]} to {WORDS[self.after]}"


@dataclass(frozen=True, slots=True)
class ByRelease:
    """`named`: the user named the version; `otherwise`: answers that are others than those with the repaired rules,
    None where only the release's were asked for; `upgrades`: by newer release with other rules, what it changes
    against the one before."""

    version: str
    named: bool
    answers: tuple[Answer, ...]
    otherwise: tuple[Change, ...] | None
    upgrades: tuple[tuple[str, tuple[Change, ...]], ...]

    def __str__(self) -> str:
        return self.version if self.named else f"{self.version}, the newest release that is known here"


def by_release(
    explore: Explore,
    answers: Sequence[Answer],
    version: str | None,
    faults: Sequence[Faults],
    questions: Sequence[Question],
    executor: Executor,
) -> ByRelease | None:
    """`answers`: those with the repaired rules, or with those of the release already. Without a version that of the
    newest release that is known. None for a broker set without a controller, whose rules are not known by release.

    Raise `RocketmqError`."""
    deployment = answers[0].deployment if answers else None
    if not isinstance(deployment, Deployment):
        return None

    def with_rules(rules: Rules) -> tuple[Answer, ...]:
        shipped = replace(deployment, shipped_rules=rules)
        return tuple(answer for each in examine(explore, shipped, faults, executor, questions) for answer in each)

    wanted = version if version is not None else NEWEST
    there = bool(deployment.shipped_rules)
    found = last = tuple(answers) if there else with_rules(rules_of(wanted))
    upgrades = []
    for newer, rules in changes_after(wanted):
        now = with_rules(rules)
        upgrades.append((newer, changes(last, now)))
        last = now
    return ByRelease(wanted, version is not None, found, None if there else changes(answers, found), tuple(upgrades))


def changes(before: Sequence[Answer], after: Sequence[Answer]) -> tuple[Change, ...]:
    known = {(answer.question.name, str(answer.faults)): answer.yes for answer in before}
    return tuple(
        Change(answer.question.name, str(answer.faults), known[key], answer.yes)
        for answer in after
        if (key := (answer.question.name, str(answer.faults))) in known and known[key] != answer.yes
    )


def release_lines(found: ByRelease) -> Iterator[str]:
    """For people."""
    if found.version in NOT_STARTING:
        yield f"{found.version}: {NOT_STARTING[found.version]}"
    if found.otherwise is not None:
        said = "these answers are others:" if found.otherwise else "the answers are the same."
        yield f"With the rules of {found} (--rules shipped tells their stories) {said}"
        yield from (f"  {each}" for each in found.otherwise)
    for version, changed in found.upgrades:
        yield f"An upgrade to {version} changes {'these answers:' if changed else 'none of them.'}"
        yield from (f"  {each}" for each in changed)
