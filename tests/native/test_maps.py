"""Functions over universes too large for a place for each argument, which are vectors of pairs: bags of messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch, permutations_of
from rmqproof.model.native.representation import Capacity, is_map
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.core import Model
from rmqproof.model.tla.model import load_model
from rmqproof.model.types.domain import Function, all_parts
from tests.native.differential import FAST, interpreted, native, outcome
from tests.native.sanitized import MOVING, SANITIZERS, searched

SPECS = Path(__file__).parent / "specs"
EVALUATE = Path(__file__).parents[1] / "evaluate" / "specs"
ALWAYS = Capacity(domain=0)
"""A function with places for all arguments is total."""
SMALL_SPECS = [
    SPECS / f"{name}.cfg"
    for name in (
        "Bag", "CommunityModules", "ConstantTables", "CountedThings", "FunctionsInside", "GrowingFunctions",
        "KnownFunctions", "MessageKinds", "MixedIndices", "NoTypes", "PointedAt", "Replaced", "Structures",
        "TakenAtOnce", "TupleKeys",
    )
]  # fmt: skip


def mail(folder: Path, more: str, terms: int = 1, copies: int = 1) -> Model:
    """The model of messages, with what else the configuration says of it."""
    config = folder / "Mail.cfg"
    config.write_text(
        f"CONSTANTS Node = {{a, b}} Terms = {terms} Copies = {copies}\n"
        f"INIT Init NEXT Next CONSTRAINT Few CHECK_DEADLOCK FALSE\n{more}\n",
        encoding="utf-8",
    )
    return load_model(SPECS / "Mail.tla", config)


def assert_agree(model: Model, capacity: Capacity | None = None) -> Verdict:
    """Both engines find the same; the verdict."""
    expected, found = interpreted(model), native(model, capacity=capacity)
    assert outcome(found.result) == outcome(expected.result)
    assert found.states == expected.states
    return found.result.verdict


def test_messages_lie_in_pairs() -> None:
    model = load_model(SPECS / "Mail.tla", SPECS / "Mail.cfg")
    compiled = NativeModel(model, False)
    compiled.generate()
    assert any(is_map(part) for part in all_parts(compiled.program.layout.types[0]))
    result = native(model).result
    assert (result.distinct, result.total, result.depth) == (989, 5103, 23)  # TLC's


@pytest.mark.parametrize(
    ("more", "verdict"),
    [
        ("INVARIANTS NoneKept FirstAsked", Verdict.SUCCESS),
        ("SYMMETRY Alike", Verdict.SUCCESS),
        ("VIEW Shown", Verdict.SUCCESS),
        ("SYMMETRY Alike VIEW Shown", Verdict.SUCCESS),
        ("INVARIANT NoneTwice", Verdict.SAFETY),
        ("INVARIANT NoneTwice SYMMETRY Alike", Verdict.SAFETY),
    ],
)
def test_engines_agree_on_messages(tmp_path: Path, more: str, verdict: Verdict) -> None:
    assert assert_agree(mail(tmp_path, more)) is verdict


def test_symmetric_messages_are_counted_as_by_tlc(tmp_path: Path) -> None:
    result = native(mail(tmp_path, "SYMMETRY Alike", terms=2)).result
    assert (result.distinct, result.total, result.depth) == (17677, 100084, 36)


def test_a_map_applied_outside_of_its_domain(tmp_path: Path) -> None:
    assert assert_agree(mail(tmp_path, "INVARIANT Known")) is Verdict.ERROR


def test_a_map_outgrows_its_room(tmp_path: Path) -> None:
    model = mail(tmp_path, "INVARIANT Counted")
    system = system_of(model)
    compiled = NativeModel(model, False, flags=FAST, group=permutations_of(system), capacity=Capacity(vector=1))
    compiled.compile()
    assert room(compiled) == 1
    result = NativeSearch(compiled, system, workers=1).run()
    assert (result.distinct, result.total, result.depth) == (989, 5103, 23)
    assert room(compiled) == 4


def test_many_pairs(tmp_path: Path) -> None:
    """So many that they are packed in a loop."""
    assert assert_agree(mail(tmp_path, "INVARIANTS Counted NoneKept"), Capacity(vector=12)) is Verdict.SUCCESS


def test_an_argument_without_a_value(tmp_path: Path) -> None:
    """The type of such arguments has no values: a number was divided by how many there are."""
    (tmp_path / "NoKey.tla").write_text(
        """---- MODULE NoKey ----
EXTENDS Integers, TLC
VARIABLES f, n
Empty == [k \\in {} |-> 0]
Init == f = Empty /\\ n = 0
Put == f' = ([k |-> "a", at |-> n, of |-> <<n, n>>] :> n) @@ f
PutNone == f' = ([k |-> "c", at |-> Empty[n], of |-> <<>>] :> 1) @@ f
Next == n < 3 /\\ n' = n + 1 /\\ (Put \\/ PutNone)
Inv == \\A k \\in DOMAIN f : k.at < 100
====
""",
        encoding="utf-8",
    )
    config = tmp_path / "NoKey.cfg"
    config.write_text("INIT Init NEXT Next INVARIANT Inv\n", encoding="utf-8")
    assert assert_agree(load_model(tmp_path / "NoKey.tla", config)) is Verdict.ERROR


def room(compiled: NativeModel) -> int | None:
    held = compiled.program.layout.types[0]
    assert isinstance(held, Function)
    return held.most


@pytest.mark.parametrize("config", [*SMALL_SPECS, EVALUATE / "LockView.cfg"], ids=lambda path: path.stem)
def test_every_partial_function_in_pairs(config: Path) -> None:
    spec = EVALUATE / "Lock.tla" if config.parent == EVALUATE else config.with_suffix(".tla")
    assert_agree(load_model(spec, config), ALWAYS)


def test_no_error_of_memory() -> None:
    run = searched([SPECS / "Mail.cfg"], 10_000, f"-O0 {SANITIZERS} {MOVING}", sanitized=True)
    assert run.returncode == 0, run.stderr[-3000:]
    assert run.stdout == "Mail: success, 989 distinct, 5103 total, depth 23\n"


def test_few_arguments_of_many_lie_in_pairs_where_their_values_are_large() -> None:
    model = load_model(SPECS / "WideKeys.tla", SPECS / "WideKeys.cfg")
    compiled = NativeModel(model, False)
    compiled.generate()
    log, seen, _ = compiled.program.layout.types
    assert isinstance(log, Function) and is_map(log)
    assert isinstance(seen, Function) and is_map(seen) and not any(map(is_map, all_parts(seen.value)))
