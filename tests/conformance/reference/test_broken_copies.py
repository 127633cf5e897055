"""Every deliberately broken copy of the implementation is caught, each by the check that is named in `caught`, and the
right one by none."""

from __future__ import annotations

import pytest

from rmqproof.conformance.reference import ReferenceAdapter
from tests.at_length import all_but, every
from tests.conformance.reference.broken import COPIES, BrokenCopy
from tools.mutation.caught import CAUGHT
from tools.mutation.grounds import EVERY_ACTION, first_difference, ground

CONFIGS = sorted({caught.config for caught in CAUGHT.values()} - set(EVERY_ACTION))
"""Those in which the right one is not seen by test_every_action already."""

LONG = (
    "oldest common entry instead of the newest",
    "batch across the end of an epoch",
    "recovery keeps the whole epoch file",
)
"""Those for which thousands of edges are performed."""


@pytest.mark.parametrize("copy", every(2, all_but(COPIES, *LONG)), ids=lambda copy: copy.name.replace(" ", "-"))
def test_a_broken_copy_is_caught(copy: BrokenCopy) -> None:
    caught = CAUGHT[copy.name]
    with copy.patched():
        found = first_difference(caught.config, copy.make)
    assert found.difference is not None, f"not caught after {found.edges} edges"
    assert (found.caught_by, found.difference.kind.name) == (caught.action, caught.kind)
    assert found.edges <= 2 * caught.edges + 10


@pytest.mark.parametrize(
    "config",
    [pytest.param(config, marks=[pytest.mark.large] * (config != CONFIGS[0])) for config in CONFIGS],
    ids=lambda config: config.replace("/", "-"),
)
def test_the_right_one_is_not(config: str) -> None:
    found = first_difference(config, ReferenceAdapter)
    assert found.difference is None, found.difference
    assert found.states == len(ground(config).steps)
    assert found.edges == sum(len(steps) for steps in ground(config).steps.values())


def test_there_are_enough() -> None:
    assert len(COPIES) >= 25
    assert sorted(copy.name for copy in COPIES) == sorted(CAUGHT)
