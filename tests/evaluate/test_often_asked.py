"""A set of records that is asked often is listed, and answers as before."""

from __future__ import annotations

import pytest

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy_sets import Interval, Records
from rmqproof.model.evaluate.values import TRUE, Function, domain_of


def record(**fields: object) -> Function:
    domain = domain_of(frozenset(fields))
    return Function((domain, *(fields[name] for name in domain.keys)))


@pytest.mark.parametrize("large", [False, True])
def test_answers_stay(large: bool) -> None:
    items = Records(("a", "b"), (Interval(1, 1000 if large else 3), frozenset({"x", "y"})))
    for _ in range(200):
        assert record(a=1, b="y") in items
        assert record(a=0, b="y") not in items
        assert record(a=1) not in items
        with pytest.raises(Fault):
            assert record(a=TRUE, b="x") in items
        with pytest.raises(Fault):
            assert 1 in items
    assert ("frozen" in vars(items)) is not large
