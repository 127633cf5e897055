"""Domains of functions: one object for a set of keys, however it was found."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmqproof.model.evaluate.values import Function, domain_of, function, model_value, record, with_argument

KEYS: st.SearchStrategy[Any] = st.recursive(
    st.integers(-3, 3) | st.sampled_from(["a", "b", "c", model_value("m"), model_value("n")]),
    lambda inner: (
        st.lists(inner, max_size=2).map(tuple)
        | st.frozensets(inner, max_size=2)
        | st.builds(lambda a, b: record(a=a, b=b), inner, inner)
    ),
    max_leaves=6,
)


@given(st.dictionaries(KEYS, st.integers(0, 3), min_size=1, max_size=6), KEYS, st.integers(0, 3))
def test_one_argument_more(pairs: dict[Any, int], key: Any, value: int) -> None:
    f = function(pairs)
    if key in pairs or type(f) is not Function:
        return
    more = with_argument(f, key, value)
    assert more == function({**pairs, key: value})
    if type(more) is Function:
        assert more.domain is domain_of(frozenset([*pairs, key]))
        assert more.domain.at == {each: place for place, each in enumerate(more.domain.keys, 1)}
        assert dict(more.items()) == {**pairs, key: value}
        assert pickle.loads(pickle.dumps(more)) == more


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process forks here")
def test_a_forked_worker_makes_domains_whatever_other_threads_are_at() -> None:
    over = threading.Event()

    def make() -> None:
        for number in count():
            function({("thread", number): 1, "a": 2})
            if over.is_set():
                return

    threads = [threading.Thread(target=make) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for number in range(20):
            child = os.fork()
            if not child:
                function({("worker", number): 1, "a": 2})
                os._exit(0)
            assert _ends(child)
    finally:
        over.set()
        for thread in threads:
            thread.join()


def _ends(child: int) -> bool:
    """Whether a process ends; it has a minute, which it needs only if it never does."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if os.waitpid(child, os.WNOHANG)[0]:
            return True
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False
