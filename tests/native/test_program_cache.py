"""A model that was compiled to C before is not compiled to C again, unless something about it has changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rmqproof.model.cache import keep, kept
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.evaluate.values import Value
from rmqproof.model.native import build
from rmqproof.model.native.engine import NativeSearch
from rmqproof.model.native.errors import Cancelled
from rmqproof.model.native.layout import Layout
from rmqproof.model.native.native_model import NativeModel
from rmqproof.model.native.representation import Capacity
from rmqproof.model.native.room import narrow
from rmqproof.model.native.saved import Folder
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Result, Verdict
from rmqproof.model.tla.core import Model
from rmqproof.model.tla.model import load_model
from tests.native.differential import FAST

SPECS = Path(__file__).parents[1] / "specs"
KEPT = "/* kept */"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path))
    return tmp_path


def test_a_program_is_remembered(cache: Path) -> None:
    model = load_model(SPECS / "TwoPhaseCommit.tla", SPECS / "TwoPhaseCommit.cfg")
    first = NativeModel(model, True, identity="this text", arguments=True)
    first.generate()

    (file,) = cache.glob("*.json")
    content = json.loads(kept(file.name) or "")
    keep(file.name, json.dumps({**content, "source": content["source"] + KEPT}))
    again = NativeModel(model, True, identity="this text", arguments=True)
    again.generate()
    assert again.program.source == first.program.source + KEPT
    assert again.program.actions == first.program.actions
    assert again.program.signatures == first.program.signatures
    assert again.program.layout.spans == first.program.layout.spans
    assert again.program.layout.types == first.program.layout.types
    for other in (
        NativeModel(model, False, identity="this text", arguments=True),
        NativeModel(model, True, identity="this text"),
        NativeModel(model, True, identity="another text", arguments=True),
        NativeModel(model, True),
        NativeModel(model, True, identity="this text", arguments=True, capacity=Capacity(universe=2)),
    ):
        other.generate()
        assert not other.program.source.endswith(KEPT)


def test_what_is_damaged_is_made_again(cache: Path) -> None:
    model = load_model(SPECS / "DieHard.tla", SPECS / "DieHard.cfg")
    first = NativeModel(model, True, identity="this text")
    first.generate()
    (kept,) = cache.glob("*.json")
    kept.write_text(kept.read_text()[:-40])
    again = NativeModel(model, True, identity="this text")
    again.generate()
    assert again.program.source == first.program.source


def growing(folder: Path) -> Model:
    """Of which a sequence leaves its first bounds."""
    (folder / "Grow.tla").write_text(
        "---- MODULE Grow ----\nEXTENDS Integers, Sequences\nVARIABLES q, n\nInit == q = <<>> /\\ n = 0\n"
        "Next == n < 60 /\\ n' = n + 1 /\\ q' = (IF Len(q) < 40 THEN Append(q, n) ELSE Tail(q))\n====\n"
    )
    (folder / "Grow.cfg").write_text("INIT Init\nNEXT Next\n")
    return load_model(folder / "Grow.tla", folder / "Grow.cfg")


def test_a_program_with_wider_bounds_is_there_without_types(cache: Path) -> None:
    model = growing(cache)
    NativeModel(model, False, flags=FAST, identity="this text").widen([0])
    again = NativeModel(model, False, flags=FAST, identity="this text")
    again.widen([0])
    assert again._report is None  # they are inferred when the bounds are to grow further
    again.grow(0)
    whole = NativeModel(model, False)
    whole.growths = [0, 0]
    whole.generate()
    assert again.growths == [0, 0] and again.program.source == whole.program.source


def test_a_saved_search_goes_on_with_its_own_bounds(cache: Path, tmp_path: Path) -> None:
    """Once they were added to those that were kept for the next time, and --resume was refused."""
    model = growing(tmp_path)
    folder, system = Folder(tmp_path / "saved", "this text"), system_of(model)

    def search(states: int | None, resume: bool) -> tuple[Result, list[int]]:
        compiled = NativeModel(model, False, flags=FAST, identity="this text")
        compiled.compile()
        control = Control(max_states=states)
        return NativeSearch(compiled, system, folder=folder, control=control, resume=resume).run(), compiled.growths

    stopped, saved = search(50, resume=False)
    result, growths = search(None, resume=True)
    assert stopped.stopped is not None and saved and growths == saved
    assert (result.verdict, result.distinct) == (Verdict.SUCCESS, 61)


def test_what_another_search_has_met_has_room(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before something is compiled, and when it is met meanwhile."""
    states: list[tuple[Value, ...]] = [(tuple(range(10)), 10)]
    made: list[Layout] = []

    def built(source: str, options: object, leave: threading.Event, say: object) -> Path:
        made.append(native.program.layout)
        if len(made) == 1:
            assert not leave.is_set()
            states.append((tuple(range(20)), 20))
        if leave.is_set():
            raise Cancelled
        return cache

    monkeypatch.setattr(build, "compiled", built)
    native = NativeModel(growing(cache), False, met=lambda: states)
    native.compile()
    assert native.growths == [0, 0] and [narrow(layout, states) for layout in made] == [0, None]
    states.append((("no number",), 1))
    native = NativeModel(growing(cache), False, met=lambda: states)
    native.compile()
    assert native.growths == [], "what never fits is left to the search"


SYMMETRIC = """---- MODULE Symmetric ----
EXTENDS TLC
CONSTANTS N, M
VARIABLES f, g
vars == <<f, g>>
Init == f = {} /\\ g = {}
Next == (\\E n \\in N : f' = f \\cup {n} /\\ g' = g) \\/ (\\E m \\in M : g' = g \\cup {m} /\\ f' = f)
Sym == Permutations(N) \\cup Permutations(M)
====
"""
TEXT_OF = """
import sys
from pathlib import Path
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.choice import native_model
from rmqproof.model.tla.core import Model
from rmqproof.model.tla.model import load_model

model = load_model(Path(sys.argv[1], "Symmetric.tla"), Path(sys.argv[1], "Symmetric.cfg"))
native = native_model(model, system_of(model), print)
native.generate()
print(native._key(), native.program.source)
"""


@pytest.mark.parametrize("sizes", ((3, 2), (3, 4)), ids=("listed", "many"))
def test_each_process_writes_the_same_text(tmp_path: Path, sizes: tuple[int, int]) -> None:
    """Once permutations were in the order of a set: a model with SYMMETRY was compiled in every run, and a saved search
    of it was not resumed."""
    (tmp_path / "Symmetric.tla").write_text(SYMMETRIC)
    sets = [", ".join(f"{name.lower()}{n}" for n in range(size)) for name, size in zip("NM", sizes, strict=True)]
    constants = "".join(f"{name} = {{{values}}}\n" for name, values in zip("NM", sets, strict=True))
    (tmp_path / "Symmetric.cfg").write_text(f"INIT Init\nNEXT Next\nSYMMETRY Sym\nCONSTANTS\n{constants}")
    texts = set()
    for seed in "123":
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", TEXT_OF, str(tmp_path)]
        texts.add(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(texts) == 1
