"""The kernel's columns: against the Python engine, state by state, and in another process."""

from __future__ import annotations

import subprocess
import sys
from array import array
from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.native.description import DescriptionError, read_description, type_from_json, type_to_json
from rmqproof.model.native.encode import DoesNotFit
from rmqproof.model.native.engine import NativeModel, permutations_of
from rmqproof.model.native.kernel import Kernel, kernel_of
from rmqproof.model.native.representation import Capacity
from rmqproof.model.search.kernel import Code
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.model import load_model
from tests.at_length import all_but
from tests.native.differential import FAST, interpreted

TESTS = Path(__file__).parents[1]
OWN = Path(__file__).parent / "specs"


def opened(spec: Path, config: Path | None = None, capacity: Capacity | None = None) -> tuple[PythonSystem, Kernel]:
    model = load_model(spec, config or spec.with_suffix(".cfg"))
    system = system_of(model)
    capacity = capacity if capacity is not None else Capacity()
    native = NativeModel(model, model.check_deadlock, flags=FAST, group=permutations_of(system), capacity=capacity)
    native.compile()
    return system, kernel_of(native)


def explore(kernel: Kernel) -> tuple[dict[int, tuple[int, ...]], int]:
    """States by fingerprint, and the number of states generated: the smallest search that uses the columns."""
    seen: dict[int, tuple[int, ...]] = {}
    batch, total = kernel.initial(), 0
    while batch.count:
        total += batch.count
        assert set(batch.verdicts) == {Code.HOLDS} and set(batch.outcomes) <= {Code.HOLDS, Code.NO_SUCCESSOR}
        new = array("Q")
        for i, fingerprint in enumerate(memoryview(batch.fingerprints).cast("Q")):
            if batch.inside[i] and fingerprint not in seen:
                seen[fingerprint] = batch.state(i)
                new.extend(batch.state(i))
        assert kernel.check(new).broken == 0
        batch = kernel.expand(new)
    return seen, total


MODELS = [
    (TESTS / "specs" / "Paxos.tla", TESTS / "specs" / "Paxos.cfg"),
    (OWN / "Structures.tla", OWN / "Structures.cfg"),
    (OWN / "Operators.tla", OWN / "Operators.cfg"),
    (TESTS / "specs" / "PaxosSymmetric.tla", TESTS / "specs" / "PaxosSymmetric.cfg"),
    (TESTS / "evaluate" / "specs" / "Lock.tla", TESTS / "evaluate" / "specs" / "LockConstrained.cfg"),
]


@pytest.mark.parametrize(("spec", "config"), all_but(MODELS, "Paxos"), ids=lambda path: path.stem)
def test_a_search_over_columns_finds_what_the_python_engine_finds(spec: Path, config: Path) -> None:
    assert_the_columns_agree(spec, config)


def assert_the_columns_agree(spec: Path, config: Path, capacity: Capacity | None = None) -> None:
    system, kernel = opened(spec, config, capacity)
    expected = interpreted(load_model(spec, config))
    assert expected.result.verdict is Verdict.SUCCESS, "the little search above has no verdicts"
    seen, total = explore(kernel)
    assert (len(seen), total) == (expected.result.distinct, expected.result.total)
    if system.symmetry is None:
        assert {kernel.decode(words) for words in seen.values()} == set(expected.states)
    for words in list(seen.values())[:500]:
        assert kernel.encode(kernel.decode(words)) == words
        successors = [system.values(step.state) for step in system.successors(system.state(kernel.decode(words)))]
        batch = kernel.expand(array("Q", words))
        assert [kernel.decode(batch.state(i)) for i in range(batch.count)] == successors
        assert list(memoryview(batch.ordinals).cast("I")) == list(range(len(successors)))


def test_the_columns_are_the_same_in_another_process(tmp_path: Path) -> None:
    _, kernel = opened(TESTS / "specs" / "Paxos.tla")
    kernel.description.write(tmp_path / "model.json")
    script = (
        "import sys; from pathlib import Path; from rmqproof.model.native.kernel import Kernel\n"
        "k = Kernel.open(Path(sys.argv[1])); b = k.expand(k.initial().states)\n"
        "print(b.count, b.states.hex(), b.fingerprints.hex())"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "model.json")], capture_output=True, text=True, check=True
    )
    batch = kernel.expand(kernel.initial().states)
    assert run.stdout.split() == [str(batch.count), batch.states.hex(), batch.fingerprints.hex()]


def test_verdicts_name_the_property(tmp_path: Path) -> None:
    (tmp_path / "M.tla").write_text(
        "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\n"
        "Next == x < 5 /\\ x' \\in {x + 1, x + 2}\nSmall == x # 4\nTypeOK == x \\in 0..6\n"
        "Slow == [][x' = x + 1]_x\nSpec == Init /\\ [][Next]_x\n====\n"
    )
    (tmp_path / "M.cfg").write_text("SPECIFICATION Spec\nINVARIANTS TypeOK Small\nPROPERTY Slow\n")
    _, kernel = opened(tmp_path / "M.tla")
    description = kernel.description
    batch = kernel.expand(array("Q", [*kernel.encode((0,)), *kernel.encode((5,))]))
    assert list(batch.verdicts) == [Code.HOLDS, Code.BROKEN_STEP_PROPERTY]
    assert description.step_properties[memoryview(batch.properties).cast("h")[1]] == "Slow"
    assert list(batch.outcomes) == [Code.HOLDS, Code.NO_SUCCESSOR]
    checked = kernel.check(array("Q", [*kernel.encode((2,)), *kernel.encode((4,))]))
    assert list(checked.verdicts) == [Code.HOLDS, Code.BROKEN_INVARIANT]
    assert description.invariants[memoryview(checked.properties).cast("h")[1]] == "Small"
    with pytest.raises(DoesNotFit):
        kernel.encode((99,))


def test_bad_files_are_told(tmp_path: Path) -> None:
    _, kernel = opened(TESTS / "specs" / "DieHard.tla")
    path = tmp_path / "model.json"
    kernel.description.write(path)
    assert read_description(path).layout.types == kernel.description.layout.types
    with pytest.raises(DescriptionError, match="compile the model again"):
        Kernel.open(path, tmp_path / "missing.so")
    path.write_text("{}")
    with pytest.raises(DescriptionError, match="compile it again"):
        Kernel.open(path)
    with pytest.raises(ValueError, match="whole number"):
        kernel.expand(b"abc")


def test_types_survive_json() -> None:
    for spec in ("Structures", "Operators"):
        _, kernel = opened(OWN / f"{spec}.tla")
        for type_ in kernel.description.layout.types:
            assert type_from_json(type_to_json(type_)) == type_


def test_a_layout_that_is_too_small_is_told_and_widened() -> None:
    model = load_model(OWN / "Wide.tla", OWN / "Wide.cfg")
    native = NativeModel(model, model.check_deadlock, flags=FAST)
    native.compile()
    widened = 0
    while True:
        kernel = kernel_of(native)
        states, seen = kernel.initial().states, set[int]()
        batch = kernel.expand(states)
        while batch.count and Code.TOO_SMALL not in batch.outcomes:
            fresh = array("Q")
            for i, fingerprint in enumerate(memoryview(batch.fingerprints).cast("Q")):
                if fingerprint not in seen:
                    seen.add(fingerprint)
                    fresh.extend(batch.state(i))
            batch = kernel.expand(fresh)
        if Code.TOO_SMALL not in batch.outcomes:
            break
        native.grow(kernel.narrow())
        widened += 1
    assert widened and len(seen) >= interpreted(model).result.distinct - 1
