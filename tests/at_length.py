"""Which cases every run of the tests has, and which `make check-large` alone: those that show the same for more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def _long(case: Any) -> ParameterSet:
    if isinstance(case, ParameterSet):
        return case._replace(marks=[*case.marks, pytest.mark.large])
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.large)


def first(count: int, cases: Iterable[Any]) -> list[Any]:
    """The first `count` of these cases always, the others at length."""
    return [case if number < count else _long(case) for number, case in enumerate(cases)]


def every(step: int, cases: Iterable[Any]) -> list[Any]:
    """One in `step` of these cases always, the others at length."""
    return [_long(case) if number % step else case for number, case in enumerate(cases)]


def all_but(cases: Iterable[Any], *long: str) -> list[Any]:
    """All of these cases always, but at length those that are named: a case, a part of it, or the stem of its file."""

    def names(case: Any) -> set[Any]:
        parts = case.values if isinstance(case, ParameterSet) else case if isinstance(case, tuple) else (case,)
        return {name for part in parts for name in (getattr(part, "stem", None), getattr(part, "name", None), part)}

    cases = list(cases)
    unknown = set(long) - {name for case in cases for name in names(case)}
    assert not unknown, f"there are no such cases: {unknown}"
    return [_long(case) if names(case) & set(long) else case for case in cases]
