"""The queue is a first-in-first-out queue, however much of it is on disk."""

from __future__ import annotations

from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from rmqproof.model.search.state_queue import StateQueue

operations = st.lists(st.one_of(st.just("pop"), st.integers(1, 9), st.tuples(st.just("first"), st.integers(1, 9))))


@given(operations, st.integers(1, 4), st.integers(1, 4))
def test_same_as_a_deque(operations, in_memory, chunk):
    queue = StateQueue(in_memory=in_memory, chunk=chunk)
    plain: deque[int] = deque()
    number = 0
    for operation in operations:
        match operation:
            case "pop":
                if plain:
                    assert queue.popleft() == plain.popleft()
            case ("first", count):
                assert queue.first(count) == list(plain)[:count]
            case count:
                for _ in range(count):
                    queue.append(number)
                    plain.append(number)
                    number += 1
        assert len(queue) == len(plain)
        assert list(queue) == list(plain)


def test_a_long_queue_is_on_disk():
    queue = StateQueue(range(100), in_memory=10, chunk=10)
    assert queue.spilled == 9
    assert [queue.popleft() for _ in range(100)] == list(range(100))
    assert queue.spilled == 0
