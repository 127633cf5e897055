"""Recorded runs: what is a behaviour is found to be one, what is not is rejected with the reason."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.conformance.runs.event import Accesses, Event, Origin, RunError
from rmqproof.conformance.runs.event_order import order_of
from rmqproof.conformance.runs.explanation import explain
from rmqproof.conformance.runs.mapping import RunMapping
from rmqproof.conformance.runs.model import RunModel, open_run_model
from rmqproof.conformance.runs.pattern import NOTHING
from rmqproof.conformance.runs.reading import read_runs
from rmqproof.conformance.runs.report import last_layers, rejection, summary, to_json, write_files
from rmqproof.conformance.runs.search import validate
from rmqproof.conformance.runs.validation import Answer, Bounds, Validation
from rmqproof.model.cli import main
from rmqproof.model.report.itf import read_itf
from rmqproof.model.tla.model_files import ModelFiles
from tests.conformance.recording import Line, record, text, two_phase

EXAMPLES = Path(__file__).parent / "examples"
SPEC, TWO, THREE = EXAMPLES / "TwoPhase.tla", EXAMPLES / "TwoPhase.cfg", EXAMPLES / "TwoPhaseThree.cfg"
LOGGED = frozenset(("Prepare", "GiveUp", "Decide", "DecisionArrives"))


@pytest.fixture(scope="module")
def three() -> RunModel:
    return open_run_model(ModelFiles(SPEC, THREE), RunMapping(logged=LOGGED))


def events_of(lines: Sequence[Line], tmp_path: Path) -> list[Event]:
    path = tmp_path / "run.ndjson"
    path.write_text(text(lines), encoding="utf-8")
    return read_runs([path], RunMapping())


def answer(model: RunModel, lines: Sequence[Line], tmp_path: Path, bounds: Bounds | None = None) -> Validation:
    order = order_of(events_of(lines, tmp_path))
    model.check(order.events)
    return validate(model, order, bounds)


def behaviour(seed: int, model: RunModel, steps: int = 14) -> list[Line]:
    weights = {"GiveUp": 1, "Prepare": 6, "VoteArrives": 6, "Decide": 1, "DecisionArrives": 6}
    return record(model.subject, steps, seed, two_phase, weights)


# --- runs that are behaviours --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_a_recorded_run_is_a_behaviour(seed: int, three: RunModel, tmp_path: Path) -> None:
    lines = behaviour(seed, three)
    result = answer(three, lines, tmp_path)
    assert result.answer is Answer.YES and result.explained == len(lines)
    check_witness(result)
    silent = [line for line in lines if line["action"] != "VoteArrives"]
    for line in silent:
        line.pop("sequence")
    result = answer(three, silent, tmp_path)
    assert result.answer is Answer.YES
    check_witness(result)


def check_witness(result: Validation) -> None:
    """The explanation is a behaviour, tells of every event, and keeps the orders that must be kept."""
    system, model = result.model.subject.system, result.model
    assert result.steps[0].state in set(system.initial_states())
    for before, after in zip(result.steps, result.steps[1:], strict=False):
        if after.action is None:
            assert before.state == after.state
            continue
        steps = [(system.actions[a], arguments, target) for a, arguments, target in system.successors(before.state)]
        assert (after.action, after.arguments, after.state) in steps
        assert after.event is not None or after.action in result.hidden or result.lost
    told = [step.event for step in result.steps if step.event is not None]
    assert sorted(told, key=id) == sorted(result.order.events, key=id)
    place = {id(event): number for number, event in enumerate(told)}
    for event, needs in zip(result.order.events, result.order.needs, strict=True):
        assert all(place[id(result.order.events[need])] < place[id(event)] for need in needs)
    for step in result.steps:
        if step.event is not None:
            assert step.event.action == step.action
            assert step.action is not None
            assert list(model.arguments_match(step.action, step.event.arguments, step.arguments, NOTHING))
            assert list(model.state_matches(step.event, step.state, NOTHING))


@given(seed=st.integers(0, 10_000), order=st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_the_order_of_the_lines_of_different_nodes_means_nothing(
    seed: int, order: Any, three: RunModel, tmp_path_factory: Any
) -> None:
    lines = behaviour(seed, three)
    order.shuffle(lines)
    result = answer(three, lines, tmp_path_factory.mktemp("run"))
    assert result.answer is Answer.YES
    check_witness(result)


def test_lines_that_the_counting_says_are_lost(three: RunModel, tmp_path: Path) -> None:
    lines = behaviour(1, three)
    position = next(i for i, line in enumerate(lines) if line["action"] == "Prepare" and line["sequence"] == 1)
    node = lines[position]["node"]
    assert any(line["node"] == node for line in lines[position + 1 :])
    del lines[position]
    result = answer(three, lines, tmp_path)
    assert result.answer is Answer.YES and result.lost == result.order.lost == 1
    check_witness(result)
    for line in lines:
        line.pop("sequence")
    assert answer(three, lines, tmp_path).answer is Answer.NO
    assert answer(three, lines, tmp_path, Bounds(lost=1)).answer is Answer.YES


def test_partial_lines(three: RunModel, tmp_path: Path) -> None:
    lines = behaviour(2, three)
    names = [{"node": line["node"], "action": line["action"]} for line in lines]
    result = answer(three, names, tmp_path, Bounds(thorough=True))
    assert result.answer is Answer.YES and max(result.widths) > 1
    by_name = [{**line, "arguments": {"p": line["arguments"][0]}} for line in lines if line["action"] == "Prepare"][:1]
    assert answer(three, by_name, tmp_path).answer is Answer.YES
    looks = [{"node": "p1", "state": {"state": {"p1": "committed"}}}]
    result = answer(replace(three, mapping=RunMapping(logged=frozenset())), looks, tmp_path, Bounds(hidden=12))
    assert result.answer is Answer.YES and len(result.steps) > 8  # all of the commit without a line


def test_replicas_of_a_node_write_the_same_event(three: RunModel, tmp_path: Path) -> None:
    lines = behaviour(3, three)
    result = answer(three, [*lines, *(line for line in lines if line["node"] == "coordinator")], tmp_path)
    assert result.answer is Answer.YES and len(result.order.events) == len(lines)
    other = [{**line, "action": "Decide"} for line in lines if line["action"] == "VoteArrives"][:1]
    with pytest.raises(RunError, match="written in two ways"):
        answer(three, [*lines, *other], tmp_path)


# --- mutated runs --------------------------------------------------------------------------------------------------


@st.composite
def mutations(draw: Any) -> tuple[str, int, int]:
    kind = draw(st.sampled_from(("drop", "double", "swap", "alter", "rename")))
    return kind, draw(st.integers(0, 30)), draw(st.integers(0, 30))


def mutated(lines: list[Line], kind: str, one: int, other: int) -> list[Line]:
    """A run in which one thing is wrong, without the nodes' counting."""
    lines = [{key: value for key, value in line.items() if key != "sequence"} for line in lines]
    one, other = one % len(lines), other % len(lines)
    if kind == "drop":
        return lines[:one] + lines[one + 1 :]
    if kind == "double":
        return [*lines[: one + 1], lines[one], *lines[one + 1 :]]
    if kind == "swap":
        lines[one], lines[other] = lines[other], lines[one]
        return lines
    line = dict(lines[one])
    if kind == "rename":
        line["action"] = {"Prepare": "GiveUp", "GiveUp": "Prepare"}.get(line["action"], line["action"])
    elif "state" in line["state"]:
        wrong = ("working", "prepared", "aborted", "committed")[other % 4]
        line["state"] = {"state": {line["node"]: wrong}}
    else:
        line["state"] = {"coordinator": {"decision": ("none", "abort", "commit")[other % 3]}}
    return [*lines[:one], line, *lines[one + 1 :]]


def possible(model: RunModel, order: Any, hidden: frozenset[str]) -> bool:
    """The same question, asked without any cleverness."""
    system = model.subject.system
    start = [(state, 0) for state in system.initial_states()]
    seen, stack = set(start), start
    while stack:
        state, done = stack.pop()
        if done == (1 << len(order.events)) - 1:
            return True
        for action, arguments, target in system.successors(state):
            name = system.actions[action]
            following = [(target, done)] if name in hidden else []
            for index, event in enumerate(order.events):
                if event.action != name or done >> index & 1 or not all(done >> n & 1 for n in order.needs[index]):
                    continue
                if any(True for _ in model.arguments_match(name, event.arguments, arguments, NOTHING)) and any(
                    True for _ in model.state_matches(event, target, NOTHING)
                ):
                    following.append((target, done | 1 << index))
            for found in following:
                if found not in seen:
                    seen.add(found)
                    stack.append(found)
    return False


def with_accesses(event: Event) -> Event:
    """With what its step reads and writes, so that only one order of what commutes is tried."""
    action, node, arguments = event.steps[0][0], event.node, list[Any](event.steps[0][1])
    asked = arguments[0]["from"] if action == "VoteArrives" else node
    found = {
        "Prepare": Accesses(writes=frozenset((f"state {node}", f"vote {node}"))),
        "GiveUp": Accesses(writes=frozenset((f"state {node}",))),
        "VoteArrives": Accesses(writes=frozenset(("coordinator", f"vote {asked}"))),
        "Decide": Accesses(writes=frozenset(("coordinator", "decision"))),
        "DecisionArrives": Accesses(frozenset(("decision",)), frozenset((f"state {node}",))),
    }
    return replace(event, accesses=found[action])


FORGETFUL = Bounds(recent=3, pinned=2, ahead=1)
"""A search that settles what is behind it at once."""


@given(seed=st.integers(0, 10_000), mutation=mutations(), commuting=st.booleans(), forgetful=st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_mutated_run_is_rejected_or_explained(
    seed: int, mutation: tuple[str, int, int], commuting: bool, forgetful: bool, three: RunModel, tmp_path_factory: Any
) -> None:
    lines = mutated(behaviour(seed, three, 9), *mutation)
    try:
        events = events_of(lines, tmp_path_factory.mktemp("run"))
        order = order_of(list(map(with_accesses, events)) if commuting else events)
        three.check(order.events)
        result = validate(three, order, FORGETFUL if forgetful else None)
    except RunError as error:
        # a run without lines, or a message that is received before it was sent
        assert not lines or "comes before itself" in str(error)
        return
    assert result.answer is not Answer.UNKNOWN
    assert (result.answer is Answer.YES) == possible(three, result.order, result.hidden)
    if result.answer is Answer.YES:
        check_witness(result)
    else:
        assert result.explained < len(result.order.events) and explain(result) and rejection(result)


def test_mutations_are_often_rejected(three: RunModel, tmp_path: Path) -> None:
    """What is accepted is another behaviour; a check that accepts everything would accept these."""
    answers: dict[str, list[Answer | None]] = {}
    for seed in range(12):
        for kind in ("drop", "double", "alter", "rename"):
            try:
                result = answer(three, mutated(behaviour(seed, three, 12), kind, seed, seed + 1), tmp_path)
                answers.setdefault(kind, []).append(result.answer)
            except RunError:
                answers.setdefault(kind, []).append(None)
    rejected = {kind: sum(a is not Answer.YES for a in found) for kind, found in answers.items()}
    assert rejected["double"] == 12 and rejected["drop"] >= 3 and rejected["alter"] >= 6, rejected


# --- the reasons ---------------------------------------------------------------------------------------------------


def test_a_reason_is_found_where_an_action_has_more_arguments_than_can_be_asked_for(tmp_path: Path) -> None:
    (tmp_path / "Far.tla").write_text(
        "---- MODULE Far ----\nEXTENDS Naturals\nVARIABLE at\nInit == at = 0\n"
        "Move(a, b, c) == at = a /\\ b = a + 1 /\\ c = a + 2 /\\ at' = b\nBack == at > 5 /\\ at' = 0\n"
        "Next == \\/ \\E a, b, c \\in 0..20000 : Move(a, b, c)\n        \\/ Back\n====\n"
    )
    (tmp_path / "Far.cfg").write_text("INIT Init\nNEXT Next\n")
    model = open_run_model(
        ModelFiles(tmp_path / "Far.tla", tmp_path / "Far.cfg"), RunMapping(logged=frozenset(("Move", "Back")))
    )
    lines: list[Line] = [{"node": "n", "sequence": 1, "action": "Move", "arguments": [0, 1, 2]}]
    lines.append({"node": "n", "sequence": 2, "action": "Move", "arguments": [1, 7, 3]})
    result = answer(model, lines, tmp_path)
    assert result.answer is Answer.NO and result.explained == 1
    ((nearest, *_),) = [before.candidates for before in explain(result)]
    assert nearest.arguments == (1, 7, 3) and nearest.blame is not None


def lines_of(*steps: str) -> list[Line]:
    """`p1 Prepare`, or `coordinator Decide commit`: node, action, argument."""
    found = []
    for step in steps:
        node, action, *rest = step.split()
        argument = rest[0] if rest else node
        found.append({"node": node, "action": action, "arguments": [argument]})
    return found


def test_the_first_false_conjunct_is_named_with_its_value(three: RunModel, tmp_path: Path) -> None:
    result = answer(three, lines_of("p1 Prepare", "p2 Prepare", "coordinator Decide commit"), tmp_path)
    assert result.answer is Answer.NO and result.explained == 2
    (before, *_) = explain(result)
    assert (before.event.origin.line, before.event.action) == (3, "Decide")
    nearest = before.candidates[0]
    assert nearest.meant and nearest.blame is not None
    assert nearest.blame.text == 'd = "commit" => coordinator.votes = Participant'
    assert nearest.blame.passed == 1
    assert dict(nearest.blame.values)["Participant"] == "{p1, p2, p3}"
    assert nearest.blame.at is not None and nearest.blame.at.source.name.endswith("TwoPhase.tla")
    said = "\n".join(rejection(result))
    assert 'run.ndjson:3: Decide("commit")' in said
    assert "coordinator.votes is {p1, p2}" in said
    assert "2. Prepare(p1)" in said and "run.ndjson:1" in said


def test_a_wrong_state_is_shown_beside_the_model_s(three: RunModel, tmp_path: Path) -> None:
    lines = lines_of("p1 Prepare")
    lines[0]["state"] = {"state": {"p1": "aborted"}}
    result = answer(three, lines, tmp_path)
    (before,) = explain(result)[:1]
    assert [(row.path, row.model, row.implementation) for row in before.candidates[0].rows] == [
        ("state[p1]", '"prepared"', '"aborted"')
    ]
    others = [c for c in before.candidates if not c.meant]
    assert [(c.action, str(c.arguments)) for c in others] == [("GiveUp", "(p1,)")]
    assert "GiveUp(p1) would explain what the line says of the state" in "\n".join(rejection(result))


def test_an_action_without_any_argument_that_fits(three: RunModel, tmp_path: Path) -> None:
    result = answer(three, lines_of("p1 DecisionArrives"), tmp_path)
    assert result.answer is Answer.NO
    assert rejection(result)


def test_a_bound_in_the_way_is_unknown_never_yes(tmp_path: Path) -> None:
    model = open_run_model(ModelFiles(SPEC, THREE), RunMapping(logged=frozenset(("DecisionArrives",))))
    lines = [{"node": "p1", "action": "DecisionArrives", "state": {"state": {"p1": "committed"}}}]
    assert answer(model, lines, tmp_path, Bounds(hidden=12)).answer is Answer.YES
    few = answer(model, lines, tmp_path, Bounds(hidden=3))
    assert (few.answer, few.bound) == (Answer.UNKNOWN, "hidden")
    assert "--hidden-steps" in summary(few)[0]
    narrow = answer(model, lines, tmp_path, Bounds(hidden=12, width=4))
    assert (narrow.answer, narrow.bound) == (Answer.UNKNOWN, "width")


def test_files(three: RunModel, tmp_path: Path) -> None:
    result = answer(three, lines_of("p1 Prepare", "coordinator Decide commit"), tmp_path)
    written, problem = write_files(result, tmp_path / "out")
    names = {path.name for path in written}
    assert {"validation.txt", "explained.itf.json"} <= names and len(names) == 3
    assert bool(problem) is ("last-layers.dot" in names)
    assert read_itf(tmp_path / "out" / "explained.itf.json").steps[-1].action == "Prepare"
    graph = last_layers(result)
    assert graph.violating and any(edge.action.startswith("Prepare") for edge in graph.edges)
    document = json.loads(json.dumps(to_json(result)))
    assert document["result"] == "no" and document["notExplained"][0]["line"] == 2


# --- the command ---------------------------------------------------------------------------------------------------


def run(path: Path, *more: str) -> Any:
    return CliRunner().invoke(main, ["validate", str(path), "--spec", str(SPEC), "--config", str(TWO), *more])


@pytest.mark.parametrize(
    ("content", "status", "words"),
    [
        (text(lines_of("p1 Prepare", "p2 GiveUp")), 0, "Yes: the run is a behaviour of TwoPhase"),
        (text(lines_of("p1 Prepare", "p1 Prepare")), 1, 'state[p] = "working"'),
        ("", 2, "The run is empty"),
        ("\n\n", 2, "The run is empty"),
        (text(lines_of("p1 Explode")), 2, "run.ndjson:1: there is no action Explode"),
        ("{", 2, "run.ndjson:1: this is no JSON"),
        ("[]\n", 2, "an event is a JSON object"),
        ('{"action": "Prepare"}\n', 2, "must say which node"),
        ('{"node": "p1", "state": {"nothing": 1}}\n', 2, "the field nothing of the state is unknown"),
        ('{"node": "p1", "action": "Prepare", "arguments": [1, 2]}\n', 2, "has 1 arguments, and here are 2"),
        ('{"node": "p1", "action": "Prepare", "arguments": {"q": 1}}\n', 2, "has no argument q"),
    ],
)  # fmt: skip
def test_command(content: str, status: int, words: str, tmp_path: Path) -> None:
    path = tmp_path / "run.ndjson"
    path.write_text(content, encoding="utf-8")
    done = run(path)
    assert done.exit_code == status, done.output
    assert words in done.output


# --- foreign logs --------------------------------------------------------------------------------------------------

FOREIGN = """\
{"host": "alpha", "ev": "prepared", "st": "PREPARED", "tx": "t"}
{"host": "boss", "ev": "heard", "who": "alpha"}
{"host": "alpha", "ev": "ping"}
{"host": "boss", "ev": "outcome", "result": "abort"}
{"host": "alpha", "ev": "over", "st": "ABORTED"}
"""
MAPPING = """\
[fields]
node = "host"
action = "ev"
[actions]
prepared = { action = "Prepare", arguments = ["host"], state = ["st"] }
heard = { action = "VoteArrives", arguments = [] }
outcome = { action = "Decide", arguments = ["result"] }
over = { action = "DecisionArrives", arguments = ["host"], state = ["st"] }
[state]
st = "state[node]"
[ignore]
ping = "the model has no pings"
[values]
alpha = "p1"
beta = "p2"
PREPARED = "prepared"
ABORTED = "aborted"
"""


def test_a_foreign_log_with_a_mapping(tmp_path: Path) -> None:
    log, mapping = tmp_path / "run.ndjson", tmp_path / "m.toml"
    log.write_text(FOREIGN, encoding="utf-8")
    mapping.write_text(MAPPING, encoding="utf-8")
    done = run(log, "--mapping", str(mapping))
    assert done.exit_code == 0, done.output
    assert "4 of 5 actions" in done.output
    log.write_text(FOREIGN.replace("ABORTED", "PREPARED"), encoding="utf-8")
    done = run(log, "--mapping", str(mapping))
    assert done.exit_code == 1 and 'st: the model has "aborted", the run "prepared"' in done.output


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[nonsense]\n", "there is no section [nonsense]"),
        ("[fields]\nwho = 'x'\n", "[fields] knows no who"),
        ("[run]\nlost = 1\n", "[run] knows no lost"),
        ("[run]\nsymbols = '('\n", "no regular expression"),
        ("[ignore]\nping = ' '\n", "[ignore] ping must be a text"),
        ("[actions]\nx = 3\n", "[actions] x must be a text or a table"),
        ("[run]\nlogged = ['Nobody']\n", "there is no such action"),
        ("x = ", "m.toml"),
        ("[state]\nst = 'state[node'\n", '[state] "st"'),
    ],
)
def test_wrong_mappings(content: str, words: str, tmp_path: Path) -> None:
    log, mapping = tmp_path / "run.ndjson", tmp_path / "m.toml"
    log.write_text(text(lines_of("p1 Prepare")), encoding="utf-8")
    mapping.write_text(content, encoding="utf-8")
    done = run(log, "--mapping", str(mapping))
    assert done.exit_code != 0 and words in done.output, done.output


def read_words(path: Path) -> list[Event]:
    """A reader of its own: a line is `node action argument`."""
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        node, action, argument = line.split()
        found.append(Event(node, action, (argument,), origin=Origin(str(path), number)))
    return found


def test_a_reader_of_one_s_own(tmp_path: Path) -> None:
    log = tmp_path / "words.log"
    log.write_text("p1 Prepare p1\np1 Prepare p1\n", encoding="utf-8")
    done = run(log, "--reader", "tests.conformance.test_validate:read_words")
    assert done.exit_code == 1 and "words.log:2" in done.output
