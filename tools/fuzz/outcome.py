"""What each checker said of a specification, and who of them says something else."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from rmqproof.model.evaluate.comparison import is_about_kinds
from tools.fuzz.permute import differs
from tools.fuzz.verdict import ERROR, SUCCESS, Report

CRASH, RENAMED, PERMUTED = "crash", "renamed", "permuted"
TLC, REFERENCE, NATIVE = "tlc", "reference", "native"
LIMITS = (
    "Overflow when computing",  # its integers have 32 bits
    "mismatch in operator application",  # \\E <<a, b>> \\in S, where a pair in S is written [i \\in 1..2 |-> …]
    "Attempted to access record by a non-string",  # EXCEPT of a record at what is no string, which changes nothing
    "Attempted to access tuple at a non integral",  # the same of a tuple
    "The first argument of BagOfAll should be an operator",  # a parameter that stands for one is none for it
    "Attempted to compare record",  # with another function in a set, which depends on the one that is asked
    "Cannot find source file for module Bitwise",  # a TLC without the community's modules
    "Temporal formulas containing actions must be of forms",  # <>[]A and []<>A alone
    "TLC cannot handle the temporal formula",
    "Temporal formula is a tautology",
    "Attempted to check if the non-enumerable value",  # m \\in SUBSET S of a model value m, which is in no other set
)
"""Errors of TLC that an engine need not have; the engines have to agree all the same."""

INTERVAL_BESIDE_MODEL_VALUE = re.compile(r"ompare (an )?integer with non-integer:?\s+\w+\.")
"""[k \\in 1..1 |-> v] = [k \\in {m} |-> v], which is FALSE here, as it is in TLC with {1} in the place of 1..1."""

NO_SET = ("needs sets, and is given", "SUBSET needs a set, and is given", "is no set", "BagUnion needs a function")
"""Errors of the engines that TLC has only when somebody looks for an element."""


@dataclass(slots=True)
class Outcome:
    """`reports`: the first is TLC's where it was asked, the next of the engine that the others are held to."""

    seed: int
    reports: dict[str, Report] = field(default_factory=dict)
    times: dict[str, float] = field(default_factory=dict)
    """Seconds, by engine."""
    without_properties: Report | None = None
    """What TLC says of invariants and [][A]_v alone, where it has an error and an engine has not: TLC evaluates what
    another property asks of a state as it meets the state, the engines when the search has ended."""

    silent: bool = False
    """TLC did not come to its end in time."""

    @property
    def different(self) -> list[str]:
        """Engines that say something else than TLC; or than the first engine, without TLC and beyond its `LIMITS`."""
        engines = [name for name in self.reports if name != TLC]
        judge = engines[0] if self.limited and engines else next(iter(self.reports), "")
        crashed = {name for name in engines if self.reports[name].verdict == CRASH}
        return [name for name in engines if name in crashed or self._differs(name, judge)]

    def _differs(self, name: str, judge: str) -> bool:
        expected, report = self.reports[judge], self.reports[name]
        compare: Callable[[Report, Report], bool] = differs if name == PERMUTED else Report.differs
        if not compare(expected, report) or self._orders(name, expected) or self._wants_a_set(name):
            return False
        safe = self.without_properties
        return safe is None or self.limited or report.verdict == SUCCESS or safe.differs(report)

    def _orders(self, name: str, expected: Report) -> bool:
        """Whether one of the two has an error since values of two kinds in a set have no order, and the other one needs
        none: an engine beside TLC, or the reference evaluator beside TLC and an engine. Never does it excuse an engine
        that has a value where TLC, or the first engine, has an error."""
        if name != REFERENCE:
            return _is_about_order(self.reports[name])
        engines = (report for other, report in self.reports.items() if other not in (TLC, REFERENCE))
        mine = self.reports[REFERENCE]
        of_kinds = mine.verdict == ERROR and "cannot be compared" in mine.detail
        return (expected.verdict == ERROR or of_kinds) and any(map(_is_about_order, engines))

    def _wants_a_set(self, name: str) -> bool:
        """Whether the engine's error is that a part of a set is no set, and another one that is written apart from it
        has an error, too: `{1} \\cap ({1} \\cup 5)`, where TLC does not look at 5."""
        failed = {other for other, each in self.reports.items() if other != TLC and each.verdict == ERROR}
        told = name in failed and any(words in self.reports[name].detail for words in NO_SET)
        apart = {REFERENCE, NATIVE}
        return told and bool(failed & apart) and bool(failed - apart)

    @property
    def asks_for_a_second(self) -> bool:
        """Whether the first engine has such an error beside a value of TLC."""
        judge, first = (*self.reports.values(), Report(ERROR), Report(ERROR))[:2]
        return judge.verdict != ERROR and first.verdict == ERROR and any(words in first.detail for words in NO_SET)

    @property
    def excused(self) -> bool:
        """Whether somebody says something else, which is let pass since it is about the order or the parts of a set."""
        expected = next(iter(self.reports.values()))
        others = (name for name, report in self.reports.items() if expected.differs(report))
        return not self.limited and any(self._orders(name, expected) or self._wants_a_set(name) for name in others)

    @property
    def limited(self) -> bool:
        """Whether TLC has come to one of its `LIMITS`."""
        judge = self.reports.get(TLC)
        if judge is None or judge.verdict != ERROR:
            return False
        return any(limit in judge.detail for limit in LIMITS) or bool(INTERVAL_BESIDE_MODEL_VALUE.search(judge.detail))


def _is_about_order(report: Report) -> bool:
    return report.verdict == ERROR and is_about_kinds(report.detail)
