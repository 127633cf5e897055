"""Traces and values that several tests use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from rmqproof.model.report.behaviour import Behaviour, Origin, Step
from rmqproof.model.report.itf import read_itf
from rmqproof.model.report.value import canonical

DATA = Path(__file__).parent / "data"
TRACES = sorted(path.name.removesuffix(".itf.json") for path in DATA.glob("*.itf.json"))


def sample(name: str) -> Behaviour:
    """A trace of `data/`."""
    return read_itf(DATA / f"{name}.itf.json")


def behaviour(*states: dict[str, Any], actions: tuple[str, ...] = (), **rest: Any) -> Behaviour:
    """Steps named A1, A2, ... or by `actions`."""
    names = actions or tuple(f"A{index}" for index in range(1, len(states)))
    steps = [Step(0, None, (), states[0])]
    steps += [Step(i, names[i - 1], (), state) for i, state in enumerate(states[1:], 1)]
    return Behaviour(tuple(states[0]), tuple(steps), origin=rest.pop("origin", Origin()), **rest)


_names = st.from_regex(r"[a-z][A-Za-z0-9_]{0,8}", fullmatch=True)
_scalars = st.one_of(
    st.booleans(),
    st.integers(-(2**53) + 1, 2**53 - 1),
    st.integers().map(lambda number: {"#bigint": str(number)}),
    st.text(max_size=8).filter(lambda text: not any("\ud800" <= character <= "\udfff" for character in text)),
    st.text(alphabet="SetOfThings ", max_size=8).map(lambda text: {"#unserializable": text}),
)


@st.composite
def _values(draw: st.DrawFn, depth: int) -> Any:
    if depth == 0 or draw(st.booleans()):
        return draw(_scalars)
    child = _values(depth - 1)
    shape = draw(st.sampled_from(["array", "record", "#set", "#tup", "#map"]))
    if shape == "record":
        return draw(st.dictionaries(_names, child, max_size=3))
    if shape == "#map":
        pairs = st.lists(st.tuples(child, child), max_size=3, unique_by=lambda pair: canonical(pair[0]))
        return {"#map": [list(pair) for pair in draw(pairs)]}
    items = draw(st.lists(child, max_size=4))
    return items if shape == "array" else {shape: items}


values = _values(3)
"""Any ITF value."""


@st.composite
def behaviours(draw: st.DrawFn) -> Behaviour:
    """Any behaviour."""
    names = tuple(draw(st.lists(_names, min_size=1, max_size=3, unique=True)))
    length = draw(st.integers(1, 4))
    steps = []
    for index in range(length):
        action = draw(st.none() | _names) if index else None
        arguments = tuple(draw(st.lists(values, max_size=2))) if action else ()
        steps.append(Step(index, action, arguments, {name: draw(values) for name in names}))
    return Behaviour(
        names,
        tuple(steps),
        loop=draw(st.none() | st.integers(0, length - 1)),
        violated=draw(_names),
        sentence=draw(st.text(max_size=20)),
        origin=Origin("Spec.tla", "Spec.cfg", "rmqproof check S.tla", "rmqproof 1", frozenset(draw(st.sets(_names)))),
    )
