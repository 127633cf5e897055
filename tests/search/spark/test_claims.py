"""What goes through the shuffle, and who expands what."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmqproof.model.search.spark.claims import (
    claims_from_blob,
    claims_to_blob,
    numbers_from_blob,
    numbers_to_blob,
    together,
)
from rmqproof.model.search.spark.plan import balanced
from rmqproof.model.search.spark.report import Expanded, Granted, Kept, complete
from rmqproof.model.search.spark.rows import Rows
from rmqproof.model.search.spark.spool import Spool
from rmqproof.model.search.statistics import Counters

from ..toys import Graph
from .local import search_of

WORDS = st.integers(0, 2**64 - 1)


@given(st.lists(WORDS))
def test_numbers_in_any_order(numbers):
    assert numbers_from_blob(numbers_to_blob(np.array(numbers, np.uint64))).tolist() == numbers


@given(st.lists(st.tuples(WORDS, WORDS)), st.integers(0, 2**31 - 1))
def test_claims(claims, part):
    columns = np.array(claims, np.uint64).reshape(-1, 2)
    fingerprints, orders = (np.ascontiguousarray(columns[:, i]) for i in (0, 1))
    found = claims_from_blob(claims_to_blob(fingerprints, orders, part))
    assert list(zip(found.fingerprints.tolist(), found.orders.tolist(), strict=True)) == claims
    assert found.parts.tolist() == [part] * len(claims)


def test_orders_that_rise_take_few_bytes():
    """Claims of a level of a hundred thousand states: eight bytes of fingerprint, and less than three of order."""
    orders = np.cumsum(np.random.default_rng(1).integers(1, 2000, 100_000)).astype(np.uint64)
    assert len(numbers_to_blob(orders)) < 3 * len(orders)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=9))
def test_slices_are_all_rows_once_in_equal_shares(rows):
    slices = balanced(rows)
    taken = [(piece.file, row) for part in slices for piece in part for row in range(piece.start, piece.stop)]
    assert taken == [(file, row) for file, count in enumerate(rows) for row in range(count)]
    shares = [sum(piece.stop - piece.start for piece in part) for part in slices]
    assert len(shares) == len(rows) and max(shares) - min(shares) <= 1


def test_of_two_files_the_smaller_order_is_claimed(tmp_path):
    """The orders of a part's slices lie among each other: what the first has claimed may come earlier in the second."""
    search = search_of(Graph(initial=[0, 1], edges=[[(0, 2)], [(0, 3)], [], []]).toy(), tmp_path, 1)
    assert search._start() is None
    plan = search._plan(1, 1)
    (stored,) = search._worker.stored(plan, 1, plan.slices[0])

    def rows(orders, states):
        return replace(stored.take(np.array(states)), orders=np.array(orders, np.uint64))

    portions = [rows([1, 9], [0, 1]), rows([5], [1])]
    writer = search._worker.spool.writer("job", 1, 0)
    claims = search._worker.expansions(plan, 1, 0, portions).claims(writer)
    found = together([claims_from_blob(blob) for _, blob in claims])
    assert (found.orders >> np.uint64(plan.bits)).tolist() == [1, 9, 5]


def test_a_state_that_was_granted_and_not_kept_is_missed():
    old = [Expanded(4, part, Counters.of(1)) for part in (0, 1)]
    owners = [Granted(5, 0, rows=3), Granted(5, 1, rows=2)]
    complete(old, owners, [Kept(5, 0, rows=1), Kept(5, 1, rows=4)], 2)
    with pytest.raises(RuntimeError, match="of 5 new states 4 were kept"):
        complete(old, owners, [Kept(5, 0, rows=1), Kept(5, 1, rows=3)], 2)
    with pytest.raises(RuntimeError, match="each of 2 should report once"):
        complete(old, owners[:1], [Kept(5, 0, rows=1), Kept(5, 1, rows=4)], 2)


def test_a_spool_without_room_has_nothing(tmp_path):
    """Where it cannot be written, and where the writer was stopped in the middle."""
    numbers = np.arange(3, dtype=np.uint64)
    rows = Rows(numbers, numbers, numbers, numbers.astype(np.int16), numbers.reshape(-1, 1), numbers.reshape(-1, 1))
    (tmp_path / "file").write_text("no folder")
    for spool in (Spool(tmp_path / "file"), Spool(tmp_path / "file" / "below")):
        with spool.writer("job", 1, 0) as writer:
            writer.add(rows)
        assert spool.rows("job", 1, 0) is None
    spool = Spool(tmp_path / "spool")
    with pytest.raises(KeyError), spool.writer("job", 1, 0) as writer:
        writer.add(rows)
        raise KeyError
    assert spool.rows("job", 1, 0) is None and list(spool.folder.iterdir()) == []
    with spool.writer("job", 1, 0) as writer:
        writer.add(rows)
    assert spool.rows("job", 1, 1) is None and spool.rows("job", 2, 0) is None
    assert [found.orders.tolist() for found in spool.rows("job", 1, 0)] == [[0, 1, 2]]
