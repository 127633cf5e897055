"""Every model of the protocol in machine code: the Python engine's result, to the last count, and its states."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.checking.expectation import read_expectation
from rmqproof.model.cli.models import ModelFiles, find_models
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch, permutations_of
from rmqproof.model.native.errors import NotCompilable
from rmqproof.model.tla.model import load_model
from tests.native.differential import interpreted, native, outcome

SPEC = Path(__file__).parents[2] / "spec"
QUICK = ("AsDesignedAckedDurability", "LogHeads", "QuorumLock")
"""Small ones, of several modules, that every run of the tests compares."""
COMPARED = 100_000
"""States of the largest model that is searched by the Python engine, too; of a larger one the counts are known."""
MOST = 10_000_000
REFUSED = {"ReplicatedLog": "a set of functions that cannot be enumerated"}
"""What is left to the Python engine: a UNION of sets of functions, of which the compiled form would build the whole."""


def models() -> list[object]:
    marks = [pytest.mark.large]
    return [
        pytest.param(files, id=str(files.config.relative_to(SPEC)), marks=[] if files.name in QUICK else marks)
        for files in find_models([SPEC])
        if files.config is not None
    ]


@pytest.mark.parametrize("files", models())
def test_engines_agree(files: ModelFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled as for a user, not as tests are."""
    monkeypatch.delenv("RMQPROOF_CFLAGS", raising=False)
    assert files.config is not None
    model = load_model(files.spec, files.config)
    known = read_expectation(files.config.read_text(encoding="utf-8"))
    refused = REFUSED.get(files.name) if model.initial is not None else "without Init or Next"
    if refused is not None:  # a module of assumptions has no states to compare
        with pytest.raises(NotCompilable, match=refused):
            native(model)
        return
    system = system_of(model)
    counts = dict(known.counts) if known is not None else {}
    if counts.get("distinct", 0) > MOST:
        pytest.skip("an exploration of its own: `make check-large`")
    if counts.get("distinct", 0) > COMPARED:
        compiled = NativeModel(model, model.check_deadlock, group=permutations_of(system))
        compiled.compile()
        result = NativeSearch(compiled, system).run()
        assert result.engine == "native"
        assert counts == {"distinct": result.distinct, "total": result.total, "depth": result.depth}
        return
    expected, found = interpreted(model, system=system), native(model, 2, flags=(), system=system)
    assert outcome(found.result) == outcome(expected.result)
    assert found.states == expected.states
