"""Every engine comes to the same liveness verdict, by the same behaviour, explained alike."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.checking.check import check
from rmqproof.model.checking.liveness_graphs import CompiledGraphs
from rmqproof.model.checking.options import Options, SparkOptions
from rmqproof.model.checking.outcome import Outcome
from rmqproof.model.cli.models import ModelFiles, find_models
from rmqproof.model.native.labels import NativeLabels
from rmqproof.model.native.run import Run
from rmqproof.model.search.control import Tuning
from rmqproof.model.search.result import FindingKind, Result
from rmqproof.model.tla.library import bundled
from tests.at_length import every
from tests.spec.test_liveness import asks_about_the_end

ROOT = Path(__file__).parents[2]
MODELS = [model for model in find_models([ROOT / "spec"]) if asks_about_the_end(model)]
MODELS += find_models([bundled(name) for name in ("RefinesServingLog.cfg", "RefinesServingLogUnfair.cfg")])
HERE = 10**9
"""States of a level from which on Spark would take over: never."""
NATIVE_FILL, WHOLE_GRAPH, GO = NativeLabels.fill, CompiledGraphs.graph, Run.go
ENGINES = {
    "native": Options("native", workers=1),
    "native, spilled": Options("native", workers=1, memory=1 << 20),
    "auto": Options("auto", workers=1),
    "spark": Options("spark", spark=SparkOptions(partitions=3, hand_over=HERE)),
}

SMALL = """---- MODULE Turns ----
EXTENDS Naturals, TLC
CONSTANT Process
VARIABLES turn, work, shown
vars == <<turn, work, shown>>
Symmetric == Permutations(Process)
Seen == <<turn, work>>
Init == turn \\in Process /\\ work = [p \\in Process |-> 0] /\\ shown = 0
Do(p) == turn = p /\\ work[p] < 2 /\\ work' = [work EXCEPT ![p] = @ + 1] /\\ UNCHANGED <<turn, shown>>
Pass(p) == turn = p /\\ turn' \\in Process \\ {p} /\\ work' = [work EXCEPT ![p] = 0] /\\ UNCHANGED shown
Show == shown' = 1 - shown /\\ UNCHANGED <<turn, work>>
Next == Show \\/ \\E p \\in Process : Do(p) \\/ Pass(p)
Fair == /\\ Init /\\ [][Next]_vars
        /\\ \\A p \\in Process : SF_vars(Do(p)) /\\ SF_vars(Pass(p))
Lazy == /\\ Init /\\ [][Next]_vars
        /\\ \\A p \\in Process : WF_vars(Pass(p))
Unfair == Init /\\ [][Next]_vars
Few == \\A p \\in Process : work[p] < 2
EachWorks == \\A p \\in Process : []<>(turn = p)
SomeWork == <>(\\E p \\in Process : work[p] = 1)
FirstDoes == \\A p \\in Process : turn = p ~> work[p] > 0
NeverQuiet == []<><<Show>>_vars
====
"""
CASES = [
    ("Fair", "SomeWork", "CONSTANT Process = {p, q}", "success"),
    ("Fair", "EachWorks", "CONSTANT Process = {p, q}", "success"),
    ("Fair", "EachWorks", "CONSTANT Process = {p, q, r}", "liveness failure"),
    ("Lazy", "SomeWork", "CONSTANT Process = {p, q}", "liveness failure"),
    ("Unfair", "FirstDoes", "CONSTANT Process = {p, q}", "liveness failure"),
    ("Fair", "NeverQuiet", "CONSTANT Process = {p, q}", "liveness failure"),
    ("Fair", "SomeWork", "CONSTANT Process = {p, q}\nCONSTRAINT Few", "success"),
    ("Fair", "EachWorks", "CONSTANT Process = {p, q}\nSYMMETRY Symmetric", "success"),
    ("Fair", "EachWorks", "CONSTANT Process = {p, q, r}\nSYMMETRY Symmetric", "liveness failure"),
    ("Fair", "NeverQuiet", "CONSTANT Process = {p, q}\nVIEW Seen", "liveness failure"),
]


def judged(files: ModelFiles, options: Options) -> Outcome:
    return check(files, options)


def said(outcome: Outcome) -> tuple[Any, ...]:
    """All that an engine has to say the same."""
    result: Result = outcome.result
    return (
        result.verdict,
        (result.distinct, result.total, result.depth),
        [(v.kind, v.name, v.behaviour, v.loop, v.fairness) for v in result.violations],
        list(result.findings),
        result.message,
        outcome.behaviour,
    )


@pytest.fixture(autouse=True)
def compiled_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests compile more than they run."""
    monkeypatch.setenv("RMQPROOF_CFLAGS", "-O0")


def compare(files: ModelFiles, monkeypatch: pytest.MonkeyPatch) -> Outcome:
    expected = judged(files, Options("python", workers=1))

    def not_here(*_: Any) -> None:
        raise AssertionError("the Python engine explored the graph")

    labelled: list[int] = []

    def fill(labels: NativeLabels, *given: Any) -> Any:
        found = NATIVE_FILL(labels, *given)
        labelled.append(len(found))
        return found

    monkeypatch.setattr("rmqproof.model.checking.liveness.behaviour_graph", not_here)
    monkeypatch.setattr(NativeLabels, "fill", fill)
    for name, options in ENGINES.items():
        labelled.clear()
        found = judged(files, options)
        assert said(found) == said(expected), name
        asked = expected.result.verdict != "safety failure"  # which ends a search before liveness is asked about
        assert any(labelled) == asked or name == "auto", f"{name}: the Python engine evaluated the predicates"
    compare_regions(files, monkeypatch, expected)
    return expected


def compare_regions(files: ModelFiles, monkeypatch: pytest.MonkeyPatch, expected: Outcome) -> None:
    """Without the steps of the whole graph, where nothing needs them: other behaviours, as long."""
    explored: list[Any] = []

    def graph(graphs: CompiledGraphs, *given: Any) -> Any:
        explored.append(given)
        return WHOLE_GRAPH(graphs, *given)

    monkeypatch.setattr(CompiledGraphs, "graph", graph)
    options = replace(ENGINES["native"], tuning=Tuning(regions=0, again=0))
    found, result = judged(files, options).result, expected.result
    assert (found.verdict, found.distinct, found.total) == (result.verdict, result.distinct, result.total)
    assert [v.name for v in found.violations] == [v.name for v in result.violations]
    assert [v.depth for v in found.violations] == [v.depth for v in result.violations]
    assert [finding for finding in found.findings if finding.kind != FindingKind.NOTHING_FAIR] == list(result.findings)
    assert bool(explored) == needs_the_whole_graph(files), "the steps of the whole graph"


def needs_the_whole_graph(files: ModelFiles) -> bool:
    """SYMMETRY and VIEW, and that some step is taken again and again."""
    text = files.config.read_text() if files.config is not None else ""
    return any(word in text for word in ("SYMMETRY", "VIEW", "NeverQuiet"))


@pytest.mark.parametrize(("specification", "formula", "config", "verdict"), every(2, CASES))
def test_small_specifications(tmp_path, monkeypatch, specification, formula, config, verdict):
    (tmp_path / "Turns.tla").write_text(SMALL)
    path = tmp_path / "Turns.cfg"
    path.write_text(f"{config}\nSPECIFICATION {specification}\nPROPERTY {formula}\nCHECK_DEADLOCK FALSE\n")
    expected = compare(ModelFiles(tmp_path / "Turns.tla", path), monkeypatch)
    assert expected.result.verdict == verdict


@pytest.mark.parametrize("edges", [True, False], ids=["with edges", "without"])
def test_a_search_on_spark_that_was_stopped_and_goes_on(tmp_path, edges):
    """The store of the first part has steps, or not: then it was begun with --ignore-liveness."""
    (tmp_path / "Turns.tla").write_text(SMALL)
    path = tmp_path / "Turns.cfg"
    path.write_text("CONSTANT Process = {p, q, r}\nSPECIFICATION Fair\nPROPERTY EachWorks\nCHECK_DEADLOCK FALSE\n")
    files = ModelFiles(tmp_path / "Turns.tla", path)
    spark = SparkOptions(partitions=2, hand_over=HERE, store=str(tmp_path / "store"))
    options = Options("spark", max_states=5, ignore_liveness=not edges, spark=spark)
    assert judged(files, options).result.stopped is not None
    found = judged(files, Options("spark", spark=replace(spark, resume=True)))
    assert said(found) == said(judged(files, Options("python", workers=1)))
    assert found.result.verdict == "liveness failure"
    again = judged(files, Options("spark", spark=replace(spark, resume=True)))
    assert said(again) == said(found), "a store of a search that has ended can be asked again"


def test_a_search_ends_when_its_states_are_enough(tmp_path):
    """Eight thousand states, of which the first one is already where nothing need ever happen."""
    (tmp_path / "Wide.tla").write_text(
        """---- MODULE Wide ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\\ y = 0
Next == \\/ x < 90 /\\ x' = x + 1 /\\ y' = y
        \\/ y < 90 /\\ y' = y + 1 /\\ x' = x
Spec == Init /\\ [][Next]_<<x, y>>
Ends == []<>(x = 90)
====
"""
    )
    (tmp_path / "Wide.cfg").write_text("SPECIFICATION Spec\nPROPERTY Ends\nCHECK_DEADLOCK FALSE\n")
    files = ModelFiles(tmp_path / "Wide.tla", tmp_path / "Wide.cfg")
    options = replace(ENGINES["native"], tuning=Tuning(watched=1000, slice=0))
    found = judged(files, options).result
    assert found.verdict == "liveness failure" and not found.exhaustive and found.distinct < 8_281
    assert [(v.name, v.depth, v.loop) for v in found.violations] == [("Ends", 1, 0)]
    whole = judged(files, replace(options, tuning=Tuning(watched=1 << 30, slice=0))).result
    assert whole.exhaustive and whole.distinct == 8_281
    assert [(v.name, v.depth, v.loop) for v in whole.violations] == [("Ends", 1, 0)]


@pytest.mark.large
@pytest.mark.parametrize("files", MODELS, ids=lambda files: files.config.stem)
def test_models_of_the_protocol(files, monkeypatch):
    compare(files, monkeypatch)
