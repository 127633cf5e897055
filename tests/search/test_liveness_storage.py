"""Columns in memory and in files, and the numbers of fingerprints."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.model.native.graph_code import graph_code
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


@dataclass
class Successors:
    """What a kernel gives of successors of one word, of which all are inside."""

    fingerprint_numbers: list[int]
    rows: list[int]

    def __post_init__(self) -> None:
        self.count = len(self.rows)
        self.fingerprints = self.states = array("Q", self.fingerprint_numbers).tobytes()
        self.parents = array("I", self.rows).tobytes()
        self.inside, self.verdicts, self.outcomes = b"\1" * self.count, bytes(self.count), b"\0"


@settings(max_examples=50, deadline=None)
@given(st.lists(st.one_of(st.integers(0, 40), st.integers(0, 2**64 - 1)), max_size=3_000))
def test_states_are_numbered_as_they_come(fingerprints):
    """Also 0 and what falls on one slot of the table."""
    numbering = graph_code().numbering(1)
    fingerprints += [number << 32 for number in fingerprints[:100] if number < 41]
    block = numbering.initial(Successors(fingerprints, [0] * len(fingerprints)))
    expected = {fingerprint: number for number, fingerprint in enumerate(dict.fromkeys(fingerprints))}
    assert block.heads.cast("I").tolist() == [expected[fingerprint] for fingerprint in fingerprints]
    assert block.states.cast("Q").tolist() == list(expected) and len(numbering) == len(expected)


def test_steps_are_each_once_and_stuttering_last():
    numbering = graph_code().numbering(1)
    numbering.initial(Successors([7, 8], [0, 0]))
    block = numbering.take(Successors([8, 9, 8, 5, 8, 7], [0, 0, 0, 2, 2, 2]), 3, 0, 100)
    assert block.heads.cast("I").tolist() == [1, 2, 0, 1, 3, 1, 0, 2]
    assert block.ends.cast("Q").tolist() == [103, 104, 108] and block.states.cast("Q").tolist() == [9, 5]
