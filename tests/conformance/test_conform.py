"""An implementation performs every edge of its model; every broken copy is caught, by the check that is named."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.conformance.abstraction import AbstractionError
from rmqproof.conformance.adapter import Answer, Value
from rmqproof.conformance.difference import Kind
from rmqproof.conformance.exploration import Conformance, Options, conform
from rmqproof.conformance.report import behaviour_of, difference_text, to_json, verdict, write_files
from rmqproof.conformance.subject import ModelSubject, open_model
from rmqproof.model.cli import main
from rmqproof.model.report.itf import read_itf
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.control import Control
from tests.conformance.examples import broken
from tests.conformance.examples.adapter import TwoPhaseAdapter
from tests.conformance.examples.choices import ChoosingDraw, Draw, HalfChoosingDraw
from tests.conformance.examples.two_phase import Coordinator, Participant

EXAMPLES = Path(__file__).parent / "examples"
ONE = Options(workers=1, paths=20)


@pytest.fixture(scope="module")
def two() -> ModelSubject:
    return open_model(EXAMPLES / "TwoPhase.tla", EXAMPLES / "TwoPhase.cfg")


@pytest.fixture(scope="module")
def three() -> ModelSubject:
    return open_model(EXAMPLES / "TwoPhase.tla", EXAMPLES / "TwoPhaseThree.cfg")


def test_every_edge_is_performed_and_no_more(three: ModelSubject) -> None:
    checked = BreadthFirst(three.system, workers=1).run()
    result = conform(three, TwoPhaseAdapter, ONE)
    assert result.conforms, verdict(result)
    assert result.states == result.expanded == checked.distinct == 288
    assert result.edges == checked.total - checked.initial == 761
    assert result.depth == checked.depth == 11
    assert set(result.tally.edges) == set(result.actions) == {
        "Prepare", "GiveUp", "VoteArrives", "Decide", "DecisionArrives"
    }  # fmt: skip
    assert sum(result.tally.asked.values()) > 3000
    assert result.paths == 20 and result.tally.probes > 500


def test_workers_do_not_change_the_result(three: ModelSubject) -> None:
    few = replace(ONE, worth_sharing=4)
    one, two = (conform(three, TwoPhaseAdapter, replace(few, workers=n)) for n in (1, 2))
    assert two.workers == 2 and two.conforms
    assert (one.tally, one.states, one.depth) == (two.tally, two.states, two.depth)
    bad = [conform(three, broken.with_parts(broken.ForgetfulCoordinator), replace(few, workers=n)) for n in (1, 2)]
    texts = [[difference_text(result, d, count) for d, count in result.groups()] for result in bad]
    assert texts[0] == texts[1] and texts[0]


def coordinator(kind: type[Coordinator]) -> Callable[[], TwoPhaseAdapter]:
    return broken.with_parts(kind)


def participant(kind: type[Participant]) -> Callable[[], TwoPhaseAdapter]:
    return broken.with_parts(participant=kind)


CAUGHT: list[tuple[Any, Kind, str]] = [
    (coordinator(broken.HastyCoordinator), Kind.PERFORMED, "Decide"),
    (coordinator(broken.FickleCoordinator), Kind.PERFORMED, "Decide"),
    (coordinator(broken.ForgetfulCoordinator), Kind.STATE, "VoteArrives"),
    (coordinator(broken.SilentlyChangingCoordinator), Kind.CHANGED, "VoteArrives"),
    (coordinator(broken.TiredCoordinator), Kind.HIDDEN, "VoteArrives"),
    (coordinator(broken.OrderlyCoordinator), Kind.HIDDEN, "Decide"),
    (participant(broken.UnfaithfulParticipant), Kind.PERFORMED, "GiveUp"),
    (participant(broken.EagerParticipant), Kind.PERFORMED, "Prepare"),
    (participant(broken.StubbornParticipant), Kind.REFUSED, "DecisionArrives"),
    (participant(broken.CrashingParticipant), Kind.CRASHED, "DecisionArrives"),
    (participant(broken.ReadyParticipant), Kind.INITIAL, "Init"),
    (broken.ForgettingAdapter, Kind.SNAPSHOT, "(restore)"),
    (broken.HalfBlindAdapter, Kind.INITIAL, "Init"),
]


@pytest.mark.parametrize(
    ("make", "kind", "action"), CAUGHT, ids=[f"{c[1].name}-{c[2]}-{i}" for i, c in enumerate(CAUGHT)]
)
def test_a_broken_copy_is_caught(two: ModelSubject, make: Any, kind: Kind, action: str) -> None:
    result = conform(two, make, ONE)
    assert not result.conforms
    first, _ = result.groups()[0]
    assert (first.kind, first.asked.action) == (kind, action)
    assert {difference.asked.action for difference in result.differences} == {action}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (broken.SharingAdapter, "restore() does not bring back what snapshot() took"),
        (broken.UnaccountedFieldAdapter, "coordinator.rounds of the implementation is neither mapped nor elided"),
        (broken.StaleFieldAdapter, "mapped() names the field coordinator.log"),
        (broken.BlindAdapter, "The variable messages is neither observed nor elided"),
        (broken.UnreasonableAdapter, "no reason for messages"),
        (broken.InventingAdapter, "leader, which is no variable"),
    ],
)
def test_an_adapter_that_hides_something_is_refused(two: ModelSubject, make: Any, words: str) -> None:
    with pytest.raises(AbstractionError) as raised:
        conform(two, make, ONE)
    assert words in str(raised.value)


def test_what_is_not_performed_is_said_and_needs_a_reason(two: ModelSubject) -> None:
    result = conform(two, broken.UnsupportedAdapter, ONE)
    assert not result.conforms and not result.differences
    assert "GiveUp is UNSUPPORTED" in verdict(result)

    class Excused(broken.UnsupportedAdapter):
        def elided(self) -> dict[str, str]:
            return {**super().elided(), "GiveUp": "our participants never give up"}

    result = conform(two, Excused, ONE)
    assert result.conforms
    assert result.states < result.model.states
    assert result.tally.left["GiveUp", "our participants never give up"] == 18


def test_no_edge_is_a_failure(two: ModelSubject) -> None:
    result = conform(two, broken.IdleAdapter, ONE)
    assert not result.conforms and "No edge was performed" in verdict(result)


def test_a_limit_is_no_success(three: ModelSubject) -> None:
    result = conform(three, TwoPhaseAdapter, replace(ONE, max_states=10))
    assert not result.conforms and result.expanded == 10 and "Stopped" in verdict(result)


def test_an_interruption_ends_in_order(three: ModelSubject) -> None:
    control = Control(progress_seconds=0)

    def report(what: str, done: int, all_: int, rate: float) -> None:
        if what == "performing" and done > 50:
            control.interrupt()

    result = conform(three, TwoPhaseAdapter, ONE, control, report)
    assert 50 < result.edges < 761 and result.stopped == "interrupted" and not result.conforms


def test_wrong_answers_are_errors(two: ModelSubject) -> None:
    class Talkative(TwoPhaseAdapter):
        def perform(self, action: str, arguments: tuple[Value, ...]) -> Answer:
            return True  # type: ignore[return-value]

    result = conform(two, Talkative, ONE)
    assert "no Answer" in result.differences[0].message


# --- steps with a choice -----------------------------------------------------------------------------------------


def test_an_implementation_may_take_one_of_several_steps() -> None:
    subject = open_model(EXAMPLES / "Draw.tla", EXAMPLES / "Draw.cfg")
    result = conform(subject, Draw, ONE)
    assert result.conforms
    assert result.tally.left["Take", "the implementation took another of the steps allowed"] > 0
    every = conform(subject, ChoosingDraw, ONE)
    assert every.conforms and not every.tally.left and every.edges == sum(every.model.edges.values())
    half = conform(subject, HalfChoosingDraw, ONE)
    assert half.differences[0].kind is Kind.UNREACHED


# --- the report --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def forgetful(two: ModelSubject) -> Conformance:
    return conform(two, broken.with_parts(broken.ForgetfulCoordinator), ONE)


def test_a_difference_as_text(forgetful: Conformance) -> None:
    difference, count = forgetful.groups()[0]
    text = difference_text(forgetful, difference, count)
    assert 'VoteArrives([from |-> p2, type |-> "vote"]): another state.' in text
    assert "coordinator.votes  {p1, p2}  {p2}" in text
    assert "Prepare(p1)" in text and "messages  " not in text


def test_values_are_shown_as_they_are(two: ModelSubject) -> None:
    """Text of an implementation is neither a mark of colours nor the name of a picture."""

    class Marked(TwoPhaseAdapter):
        def observe(self) -> Mapping[str, Value]:
            state = dict.fromkeys(self.cluster.participants, ":x: [bold]low[/bold]")
            return {**super().observe(), "state": state}

    result = conform(two, Marked, ONE)
    difference, count = result.groups()[0]
    assert '":x: [bold]low[/bold]"' in difference_text(result, difference, count)


def test_a_difference_as_itf_and_picture(forgetful: Conformance, tmp_path: Path) -> None:
    written, problem = write_files(forgetful, tmp_path)
    names = {path.name for path in written}
    assert "difference-1.txt" in names and names & {"difference-1.svg", "difference-1.dot"}
    assert bool(problem) is ("difference-1.dot" in names)
    model, shown = (read_itf(tmp_path / f"difference-1.{side}.itf.json") for side in ("model", "implementation"))
    assert model.steps[:-1] == shown.steps[:-1]
    assert model.steps[-1].action == shown.steps[-1].action == "VoteArrives"
    assert model.steps[-1].state["coordinator"]["votes"] == {"#set": ["p1", "p2"]}
    assert shown.steps[-1].state["coordinator"]["votes"] == {"#set": ["p2"]}


def test_hidden_state_is_shown_with_both_paths(two: ModelSubject) -> None:
    result = conform(two, broken.with_parts(broken.OrderlyCoordinator), ONE)
    difference, count = result.groups()[0]
    text = difference_text(result, difference, count)
    assert "another path, after which it does as the model says" in text
    assert behaviour_of(result, difference, observed=False).steps[-1].action == "Decide"


def test_json(forgetful: Conformance) -> None:
    document = json.loads(json.dumps(to_json(forgetful)))
    assert document["result"] == "differs"
    (found,) = document["differences"]
    assert found["rows"] == [{"part": "coordinator.votes", "model": "{p1, p2}", "implementation": "{p2}"}]
    assert len(found["path"]) == 4


# --- the command -------------------------------------------------------------------------------------------------


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["conform", str(EXAMPLES / "TwoPhase.tla"), "--workers", "1", *arguments])


def test_command() -> None:
    done = run("--adapter", "tests.conformance.examples.adapter:TwoPhaseAdapter")
    assert done.exit_code == 0, done.output
    assert "105 of 105 edges" in done.output and "performs every edge of TwoPhase" in done.output
    assert "left out: coordinator.rounds" in done.output


def test_command_with_a_broken_copy(tmp_path: Path) -> None:
    done = run(
        *("--adapter", "tests.conformance.examples.broken:ForgettingAdapter", "--out", str(tmp_path / "out")),
        *("--json", str(tmp_path / "r.json")),
    )
    assert done.exit_code == 1 and "differs from TwoPhase" in done.output
    assert (tmp_path / "out" / "difference-1.txt").is_file()
    assert json.loads((tmp_path / "r.json").read_text())["result"] == "differs"


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("--adapter", "nowhere"), 2, "write package.module:Name"),
        (("--adapter", "no.such.module:X"), 2, "no module"),
        (("--adapter", "tests.conformance.examples.adapter:Nobody"), 2, "has no Nobody"),
        (("--adapter", "tests.conformance.examples.two_phase:Cluster"), 2, "is no adapter: it has no start"),
        (("--adapter", "tests.conformance.examples.broken:BlindAdapter"), 1, "neither observed nor elided"),
        (("--adapter", "tests.conformance.examples.adapter:TwoPhaseAdapter", "--max-states", "3"), 152, "Stopped"),
    ],
)
def test_command_errors(arguments: tuple[str, ...], status: int, words: str) -> None:
    done = run(*arguments)
    assert done.exit_code == status, done.output
    assert words in " ".join(done.output.split())
