"""Fingerprints under SYMMETRY without trying all permutations: the same states are one as when all are tried."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.model.evaluate.fingerprint import digest_tables
from rmqproof.model.evaluate.symmetry import Images, Symmetry, generated
from rmqproof.model.evaluate.values import BY_NAME, FALSE, TRUE, ModelValue, Value, function, model_value
from rmqproof.model.tla.core import Definition

NODES = [model_value(f"n{i}") for i in range(4)]
ITEMS = [model_value(f"i{i}") for i in range(2)]
SETS = [NODES, ITEMS]
"""48 permutations."""
OTHER = model_value("other")


def values() -> st.SearchStrategy[Value]:
    """Of a set all elements are of one kind: others cannot be in a state."""
    moved = st.sampled_from([*NODES, *NODES, *ITEMS, OTHER])
    several = st.frozensets(moved, max_size=3)
    records = st.fixed_dictionaries({"f": moved, "g": st.sampled_from([0, 1])}).map(function)
    parts = st.one_of(
        moved,
        st.sampled_from([0, 1, "a", TRUE, FALSE]),
        several,
        *(st.frozensets(each, max_size=3) for each in (several, st.tuples(moved, moved), records)),
    )
    return st.recursive(
        parts,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3).map(tuple),
            st.dictionaries(st.sampled_from([*NODES, *ITEMS]), inner, max_size=3).map(function),
            st.dictionaries(st.sampled_from(["f", "g"]), inner, max_size=2).map(function),
        ),
        max_leaves=4,
    )


def permutation(draw: st.DrawFn) -> dict[Value, Value]:
    return {value: image for each in SETS for value, image in zip(each, draw(st.permutations(each)), strict=True)}


@st.composite
def pairs(draw: st.DrawFn) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
    """Two states of three variables: often one is an image of the other, sometimes with a value of its own."""
    state = tuple(draw(values()) for _ in range(3))
    images = Images(permutation(draw))
    other = [images[value] for value in state]
    if draw(st.booleans()):
        other[draw(st.integers(0, 2))] = draw(values())
    return state, tuple(other)


def symmetry(listed: int) -> Symmetry:
    def group() -> list[dict[Value, Value]]:
        swaps: list[dict[Value, Value]] = []
        for each in SETS:
            swaps += [{each[0]: value, value: each[0]} for value in each[1:]]
        return generated(swaps, DEFINITION)

    return Symmetry(group, SETS, digest_tables(3), listed)


DEFINITION: Definition = None  # type: ignore[assignment]  # a place, for a message that does not come
LISTED, UNLISTED = symmetry(1000), symmetry(0)


@given(pairs())
@settings(max_examples=40)
def test_two_states_are_one_exactly_if_one_is_an_image_of_the_other(
    states: tuple[tuple[Value, ...], tuple[Value, ...]],
) -> None:
    first, second = states
    same = LISTED.fingerprint(first) == LISTED.fingerprint(second)
    assert (UNLISTED.fingerprint(first) == UNLISTED.fingerprint(second)) == same


@given(pairs())
@settings(max_examples=40)
def test_the_least_image_is_least_in_the_first_variable_in_which_images_differ(
    states: tuple[tuple[Value, ...], tuple[Value, ...]],
) -> None:
    for state in states:
        images = [Images(permutation) for permutation in LISTED.group]
        all_of_them = [state, *[tuple(each[value] for value in state) for each in images]]
        least = min(all_of_them, key=lambda image: [BY_NAME.key(value) for value in image])
        assert LISTED.least(state, BY_NAME, range(3)) == least


def test_a_ring_is_told_from_two_pairs() -> None:
    """Each value occurs alike in both, so colours tell nothing; and in the ring nobody is a twin."""

    def arrows(*ends: tuple[int, int]) -> tuple[Value, ...]:
        return (frozenset((NODES[a], NODES[b]) for a, b in ends), 0, 0)

    ring, other_ring = arrows((0, 1), (1, 2), (2, 3), (3, 0)), arrows((0, 2), (2, 1), (1, 3), (3, 0))
    two = arrows((0, 1), (1, 0), (2, 3), (3, 2))
    assert UNLISTED.fingerprint(ring) == UNLISTED.fingerprint(other_ring) != UNLISTED.fingerprint(two)
    assert all(isinstance(node, ModelValue) for node in NODES)
