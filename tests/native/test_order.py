"""In which order the elements of a set come: the compiled program as the Python engine, for values of every kind.

VIEW keeps the first of the states that it does not tell apart, and a simulation draws the n-th successor.
"""

from __future__ import annotations

from array import array
from pathlib import Path
from random import Random

import pytest

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.engine import NativeModel
from rmqproof.model.native.kernel import kernel_of
from rmqproof.model.tla.model import load_model
from tests.native.differential import FAST, interpreted, native, outcome

LEAVES = {
    "numbers": ["1", "2", "3"],
    "strings": ['"q"', '"p"', '"aa"'],
    "model values": ["b", "a", "c"],
    "booleans": ["TRUE", "FALSE"],
}


def value(random: Random, shape: tuple[str, ...], leaf: list[str]) -> str:
    """A value of this shape, outermost first."""
    if not shape:
        return random.choice(leaf)
    inside = [value(random, shape[1:], leaf) for _ in range(random.randrange(4))]
    match shape[0]:
        case "set":
            return "{" + ", ".join(inside) + "}"
        case "sequence":
            return "<<" + ", ".join(inside) + ">>"
        case "record":
            named = [value(random, shape[1:], leaf) for _ in range(2)]
            return f"[zz |-> {named[0]}, f |-> {named[1]}]"
        case "function of numbers":
            domain = random.sample(["1", "2", "3", "4"], random.randrange(1, 4))
            return f"[i{len(shape)} \\in {{{', '.join(domain)}}} |-> {value(random, shape[1:], leaf)}]"
        case "function of names":
            domain = random.sample(["c", "a", "b"], random.randrange(1, 4))
            return f"[i{len(shape)} \\in {{{', '.join(domain)}}} |-> {value(random, shape[1:], leaf)}]"
    domain = [value(random, ("set",), ["1", "2", "3"]) for _ in range(random.randrange(1, 3))]
    return f"[i{len(shape)} \\in {{{', '.join(domain)}}} |-> {value(random, shape[1:], leaf)}]"


SHAPES = ("set", "sequence", "record", "function of numbers", "function of names", "function of sets")


def model_text(random: Random) -> tuple[str, list[str]]:
    """One variable for each kind of value, which takes each element of a set of them; y does not tell which."""
    names, kinds, starts, steps = [], [], [], []
    for number in range(4):
        shape = tuple(random.choice(SHAPES) for _ in range(random.randrange(1, 3)))
        leaf = LEAVES[random.choice(list(LEAVES))]
        values = [value(random, shape, leaf) for _ in range(5)]
        kinds.append(f"K{number} == {{{', '.join(values)}}}")
        names.append(f"x{number}")
        starts.append(f"x{number} = {values[0]}")
        steps.append(f"n = {number} /\\ \\E v \\in K{number} : x{number}' = v /\\ n' = {number + 1}")
        steps[-1] += "".join(f" /\\ x{other}' = x{other}" for other in range(4) if other != number)
    wholes = " /\\ ".join(starts)
    text = ["---- MODULE Ordered ----", "EXTENDS Naturals, Sequences", "CONSTANTS c, a, b"]
    text += [f"VARIABLES n, {', '.join(names)}", *kinds, f"Init == n = 0 /\\ {wholes}"]
    text += ["Next == " + "\n        ".join(f"\\/ {step}" for step in steps), "View == n", "===="]
    return "\n".join(text), names


@pytest.mark.parametrize("seed", range(4))
def test_elements_come_in_one_order(seed: int, tmp_path: Path) -> None:
    text, _ = model_text(Random(seed))
    (tmp_path / "Ordered.tla").write_text(text)
    config = tmp_path / "Ordered.cfg"
    for view in ("", "VIEW View\n"):
        config.write_text(f"INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\nCONSTANTS c = c a = a b = b\n{view}")
        model = load_model(tmp_path / "Ordered.tla", config)
        expected = interpreted(model)
        found = native(model)
        assert found.states == expected.states, text
        assert outcome(found.result) == outcome(expected.result)


@pytest.mark.parametrize("seed", range(100, 103))
def test_a_seed_gives_the_same_behaviours(seed: int, tmp_path: Path) -> None:
    (tmp_path / "Ordered.tla").write_text(model_text(Random(seed))[0])
    config = tmp_path / "Ordered.cfg"
    config.write_text("INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\nCONSTANTS c = c a = a b = b\n")
    model = load_model(tmp_path / "Ordered.tla", config)
    system = system_of(model)
    compiled = NativeModel(model, False, flags=FAST)
    compiled.compile()
    with kernel_of(compiled) as kernel:
        for start in (
            system.initial_states(),
            [step.state for step in system.successors(next(iter(system.initial_states())))],
        ):
            for state in start:
                found = kernel.expand(bytes(memoryview(array("Q", kernel.encode(system.values(state)))).cast("B")))
                values = [kernel.decode(found.state(i)) for i in range(found.count)]
                assert values == [system.values(step.state) for step in system.successors(state)]
