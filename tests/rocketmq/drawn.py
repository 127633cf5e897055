"""`python -m tests.rocketmq.drawn`, in a JVM of its own: each comparison with what Hypothesis draws, so that a
difference comes with the smallest input that shows it. Standard input: a release and the comparisons, pickled; standard
output: a line for each comparison, how many pairs were compared."""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rmqproof.rocketmq import jvm
from rmqproof.rocketmq.comparing import Pair
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.schedules.bench import Bench

Comparison = Callable[[Bench, Random, int], Iterator[Pair]]


def compared(bench: Bench, comparison: Comparison) -> int:
    """How many pairs were compared. Raise `AssertionError` for one that differs without a reason."""
    count = 0

    @settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=False))
    def drawn(random: Random) -> None:
        nonlocal count
        for pair in comparison(bench, random, 2):
            count += 1
            assert pair.theirs == pair.ours or pair.reason, f"{pair.what}: {pair.given}"

    drawn()
    return count


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what Java prints must not come between
    release, comparisons = pickle.load(sys.stdin.buffer)
    with tempfile.TemporaryDirectory(prefix="rmqproof-jvm-", ignore_cleanup_errors=True) as home:
        bench = Bench(jvm.start(release, find_java(None), Path(home)))
        for name, comparison in comparisons.items():
            print(name, compared(bench, comparison), sep=": ", file=answers, flush=True)
    os._exit(0)


if __name__ == "__main__":
    try:
        main()
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        os._exit(1)
