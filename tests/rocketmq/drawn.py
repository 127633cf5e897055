"""`python -m tests.rocketmq.drawn`, in a JVM of its own: each comparison with what Hypothesis draws, so that a
difference comes with the smallest input that shows it. Standard input: a release and the comparisons, pickled; standard
output: a line for each comparison, how many pairs were compared."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import TextIO

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rmqproof.rocketmq.comparing import Pair, bench_of, in_own_jvm
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


def main(answers: TextIO) -> None:
    release, comparisons = pickle.load(sys.stdin.buffer)
    with bench_of(release, None) as bench:
        for name, comparison in comparisons.items():
            print(name, compared(bench, comparison), sep=": ", file=answers, flush=True)


if __name__ == "__main__":
    in_own_jvm(main)
