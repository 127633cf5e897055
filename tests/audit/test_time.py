"""No search of an audit is given more time than is left for everything."""

from __future__ import annotations

from time import monotonic

from rmqproof.model.audit.searching import LONGEST, Deadline


def test_a_search_has_what_is_left() -> None:
    assert Deadline(monotonic() + 1_000_000).search == LONGEST
    assert Deadline(monotonic() + LONGEST / 2).search <= LONGEST / 2
    over = Deadline(monotonic() - 1)
    assert over() and over.search < 1
