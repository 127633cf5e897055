"""Columns in memory and in files, and the numbers of fingerprints."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.model.search.liveness.numbering import Compact, Dictionary
from rmqproof.model.search.liveness.storage import Storage


@pytest.mark.parametrize(("limit", "filed"), [(None, False), (0, True), (3 << 20, True)])
def test_a_column_has_its_numbers_wherever_it_lies(tmp_path, limit, filed):
    storage = Storage(limit, tmp_path)
    column = storage.column("I")
    count = 1_000_000
    for start in range(0, count, 10_000):
        column.extend(range(start, start + 10_000))
    column.append(7)
    assert column.read(count - 2, count + 1) == array("I", [count - 2, count - 1, 7]).tobytes()
    assert column.read(300_000, 300_002) == array("I", [300_000, 300_001]).tobytes()
    numbers = column.finished()
    assert len(numbers) == len(column) == count + 1
    assert list(numbers[:3]) == [0, 1, 2] and numbers[count - 1] == count - 1 and numbers[count] == 7
    assert bool(storage.filed) is filed
    assert not list(tmp_path.iterdir()), "files without a name"


@pytest.mark.parametrize("limit", [None, 10])
def test_bytes_that_are_zero(limit):
    found = Storage(limit).zeros(100)
    found[99] = 2
    assert len(found) == 100 and (found[0], found[99]) == (0, 2)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.one_of(st.integers(0, 40), st.integers(0, 2**64 - 1)), max_size=3_000))
def test_numberings_agree(fingerprints):
    plain, compact = Dictionary(), Compact()
    for fingerprint in fingerprints:
        known = plain.known(fingerprint)
        assert compact.known(fingerprint) == known
        if known is None:
            assert compact.add(fingerprint) == plain.add(fingerprint)
    assert len(compact) == len(plain)


def test_compact_numbering_grows():
    compact = Compact()
    for number in range(5_000):
        assert compact.add(number << 32) == number
    assert [compact.known(number << 32) for number in (0, 700, 4_999)] == [0, 700, 4_999]
    assert compact.known(1) is None
