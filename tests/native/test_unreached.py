"""Parts of invariants without a form in C: while those before them hold, machine code searches."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.checking.check import check
from rmqproof.model.checking.opening import open_subject
from rmqproof.model.checking.options import Options
from rmqproof.model.search.control import Tuning
from rmqproof.model.search.result import Result, Verdict
from rmqproof.model.tla.model_files import ModelFiles

MODULE = """---- MODULE Parts ----
EXTENDS Integers, Sequences, TLC, TLCExt, Json
VARIABLES x, y
vars == <<x, y>>
Init == x \\in 0..1 /\\ y = 0
Next == \\/ x' = (x + 1) % 90 /\\ y' = y
        \\/ y' = (y + x) % 70 /\\ x' = x
Spec == Init /\\ [][Next]_vars /\\ WF_vars(Next)
Below(n) == x + y < n
Under == Below(200)
Export == JsonSerialize("trace.json", Trace) /\\ TLCSet("exit", TRUE)
Exported == \\/ Under:: Under
            \\/ Export:: Export
Told == Below(100) \\/ PrintT(<<x, y>>)
Said == Below(100) \\/ Print(<<x, y>>, FALSE)
Implied == /\\ y >= 0
           /\\ x + y = 120 => \\/ y < 60
                             \\/ Print(y, FALSE)
Chosen == IF x < 80 THEN TRUE ELSE IF y = 69 THEN x < 85 \\/ Print("last", FALSE) ELSE Print("other", TRUE)
Levels == TLCGet("level") < 40 \\/ Print("deep", x < 0)
Many == x < 60 \\/ TLCGet("distinct") > 1000
Counted == x < 88 \\/ TLCSet(1, TLCGet(1) + 1)
Often == x < 89 \\/ TLCGet(1) < 100
Always == PrintT(x) \\/ y = 0
Later == <>(x = 3)
ASSUME TLCSet(1, 0)
======================
"""
BY_TLC = {
    "Exported": (Verdict.SUCCESS, 12_602, 6_300, 91),
    "Told": (Verdict.SUCCESS, 12_602, 6_300, 91),
    "Said": (Verdict.SAFETY, 4_215, 2_186, 34),
    "Implied": (Verdict.SAFETY, 6_969, 3_557, 53),
    "Chosen": (Verdict.SAFETY, 11_657, 5_899, 86),
    "Levels": (Verdict.SAFETY, 5_059, 2_601, 40),
    "Many": (Verdict.SUCCESS, 12_602, 6_300, 91),
}
"""What TLC says: generated, distinct, depth."""
IN_MACHINE_CODE = {"Exported", "Said", "Implied", "Levels"}
"""What is never reached, or is false where it is."""


def files_of(folder: Path, *asked: str, spec: str = "INIT Init\nNEXT Next") -> ModelFiles:
    (folder / "Parts.tla").write_text(MODULE)
    config = folder / "Parts.cfg"
    config.write_text(f"{spec}\nCHECK_DEADLOCK FALSE\n" + "".join(f"INVARIANT {name}\n" for name in asked))
    return ModelFiles(folder / "Parts.tla", config)


def counts(result: Result) -> tuple[object, ...]:
    depth = result.violation.depth if result.violation is not None else result.depth
    return result.verdict, result.total, result.distinct, depth


@pytest.mark.parametrize("name", sorted(BY_TLC))
@pytest.mark.parametrize("workers", [1, 2])
def test_counts_are_those_of_tlc(
    name: str, workers: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = files_of(tmp_path, name)
    expected = check(files, Options(engine="python", workers=1)).result
    printed = capsys.readouterr().out
    for options in ({}, {"memory": 200_000}, {"tuning": Tuning(first_look=0.0)}):
        engine = "auto" if "tuning" in options else "native"
        found = check(files, Options(engine=engine, workers=workers, **options)).result
        assert counts(found) == counts(expected) == BY_TLC[name]
        assert found.violations == expected.violations
        assert capsys.readouterr().out == printed
        if engine == "native":
            assert (found.engine == "native") == (name in IN_MACHINE_CODE)


def test_what_is_set_is_set_once(tmp_path: Path) -> None:
    """Python begins, machine code goes on, and Python takes it over: registers are as they were at the start."""
    files = files_of(tmp_path, "Counted", "Often")
    expected = check(files, Options(engine="python")).result
    for options in (Options(engine="native"), Options(tuning=Tuning(first_look=0.0))):
        assert counts(check(files, options).result) == counts(expected)


def test_it_is_resumed(tmp_path: Path) -> None:
    files, saved = files_of(tmp_path, "Said"), tmp_path / "saved"
    stopped = check(files, Options(engine="native", checkpoint=saved, max_states=2_000)).result
    assert stopped.verdict is Verdict.ERROR and stopped.distinct < 3_000
    found = check(files, Options(engine="native", checkpoint=saved, resume=True)).result
    assert counts(found) == BY_TLC["Said"] and found.engine == "native"


def test_what_every_state_asks_for_is_refused(tmp_path: Path) -> None:
    found = check(files_of(tmp_path, "Always"), Options(engine="native")).result
    assert found.engine == "python" and found.distinct == 6_300


def test_with_liveness_invariants_may_ask_for_levels(tmp_path: Path) -> None:
    files = files_of(tmp_path, "Levels", spec="SPECIFICATION Spec\nPROPERTY Later")
    assert open_subject(files).native is not None
    assert counts(check(files, Options(engine="native")).result) == BY_TLC["Levels"]
    files.spec.write_text(MODULE.replace("< 40", "< 99"))
    for engine in ("python", "native"):
        found = check(files, Options(engine=engine)).result
        assert (found.verdict, found.distinct, found.engine) == (Verdict.LIVENESS, 6_300, engine)
    files.spec.write_text(MODULE.replace("< 40", "< 99").replace("<>(x = 3)", "[]<>(y >= 0)"))
    for engine in ("python", "native"):
        found = check(files, Options(engine=engine)).result
        assert (found.verdict, found.distinct, found.engine) == (Verdict.SUCCESS, 6_300, engine)
    assert files.config is not None
    files.config.write_text(files.config.read_text().replace("INVARIANT", "CONSTRAINT"))
    assert open_subject(files).native is None, "then the graph depends on levels"
