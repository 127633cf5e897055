"""What the compiler makes of the C text: what it may leave out without changing what a program does."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from rmqproof.model.native import graph_code
from rmqproof.model.native.build import compiled, find_compiler
from rmqproof.model.native.engine import NativeModel
from rmqproof.model.tla.model import load_model

SPECS = Path(__file__).parents[1] / "specs"
PREFETCHES = {"x86_64": "prefetch", "AMD64": "prefetch", "aarch64": "prfm", "arm64": "prfm"}


def assembly(source: str) -> str:
    """Of the C text, as the compiler that makes programs writes it."""
    return compiled(source, ("-S",)).read_text(encoding="utf-8")


@pytest.mark.skipif(platform.machine() not in PREFETCHES, reason="how this processor's assembly fetches is not known")
def test_what_is_fetched_ahead_is_not_left_out() -> None:
    """GCC leaves out the call of a function that does nothing else."""
    model = load_model(SPECS / "DieHard.tla", SPECS / "DieHard.cfg")
    native = NativeModel(model, model.check_deadlock)
    native.compile()
    fetch = PREFETCHES[platform.machine()]
    assert assembly(native.program.source).count(fetch) >= 4, "initial states, successors, new states, known ones"
    assert assembly(graph_code._text()).count(fetch) >= 3, "numbers of states"


def test_gcc_is_told_to_call_for_large_structures() -> None:
    """Clang is not: it refuses the option."""
    compiler = find_compiler()
    if compiler.tuning:
        assert "clang" not in compiler.version.lower()
        structure = "typedef struct { long w[60]; } S; void use(S *); void copy(S *a) { S b = *a; use(&b); }"
        assert "rep" not in assembly(structure).split()
