"""What the agent wrote of a failover is a behaviour of spec/core/TracedRun.tla; altered in one place it is refused with
the line."""

from __future__ import annotations

import json
import tarfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rmqproof.conformance.runs.event import Event, RunError
from rmqproof.conformance.runs.event_order import order_of
from rmqproof.conformance.runs.folded_prefix import Kept
from rmqproof.conformance.runs.folding import NO_OFFSET, Pace
from rmqproof.conformance.runs.mapping import RunMapping
from rmqproof.conformance.runs.model import RunModel, open_run_model
from rmqproof.conformance.runs.pattern import NOTHING
from rmqproof.conformance.runs.report import rejection
from rmqproof.conformance.runs.search import validate
from rmqproof.conformance.runs.validate import validate_runs
from rmqproof.conformance.runs.validation import Answer, Bounds, Validation
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.values import Function, record
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import ModelFiles, find_models
from rmqproof.rocketmq.processes.chaos import Chaos, judge_steps
from rmqproof.rocketmq.processes.history import Finding
from rmqproof.rocketmq.processes.judging import steps_until_now
from rmqproof.rocketmq.runs.format import TRACED
from rmqproof.rocketmq.runs.traced import CONTROLLER, config_of, read_traced
from rmqproof.rocketmq.runs.traced_folding import traced_folding
from rmqproof.rocketmq.runs.traced_parts import refine
from rmqproof.rocketmq.tracing.rules import PROMISED, config_of_release
from tests.at_length import all_but

RECORDED = Path(__file__).parents[1] / "traced-5.5.0.tar.xz"
"""`rmqproof rocketmq failover 5.5.0 --controllers 1 --trace`, with three puts at a time."""
EVENTS = 153


@dataclass(frozen=True, slots=True)
class Run:
    """`model` knows the numbers of alterations, too."""

    texts: dict[str, str]
    model: RunModel

    def judged(self, folder: Path, texts: dict[str, str], bounds: Bounds | None = None, **changed: Any) -> Validation:
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        events, _ = TRACED.read([folder / name for name in texts], None)
        order, folding = TRACED.refine(self.model, events, order_of(events), bounds or Bounds())
        self.model.check(order.events)
        return validate(self.model, replace(order, **changed), bounds, folding=folding)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    folder = tmp_path_factory.mktemp("traced")
    with tarfile.open(RECORDED) as archive:
        archive.extractall(folder, filter="data")
    paths = sorted((folder / "traces").iterdir())
    _, mapping = read_traced(paths)
    more = {name: sorted({x + by for x in mapping.constants[name] for by in (0, 1)}) for name in ("Ends", "Sums")}
    (files,) = find_models([bundled(TRACED.config)])
    model = open_run_model(files, replace(mapping, constants={**mapping.constants, **more}), "")
    yield Run({path.name: path.read_text(encoding="utf-8") for path in paths}, model)


def test_what_was_recorded_is_a_behaviour(run: Run, tmp_path: Path) -> None:
    found = run.judged(tmp_path, run.texts)
    assert found.answer is Answer.YES, rejection(found)
    assert found.explained == len(found.order.events) == EVENTS
    assert found.tried < 2 * EVENTS, "next to no other order was tried"
    told = {event.action for event in found.order.events}
    assert {"MessageIsAppended", "BytesAreCopied", "ProducerIsTold", "LogIsRecovered", "EntryIsCopied"} <= told


def stopped_at(found: Validation) -> list[str]:
    """The lines of which one would have to come next."""
    return [str(event.origin) for events in found.next_events.values() for event in events]


ALTERED = {
    "the place of a message": ("b1.ndjson", "put", '"offset":', 1),
    "what a slave has": ("b1.ndjson", "copy", '"messages":[[0,208,', 1),
    "a confirmOffset": ("b2.ndjson", "confirm", '"offset":208', 1),
    "the epoch of a packet": ("b2.ndjson", "send", '"epoch":1,"start":', 1),
    "an acknowledgement": ("b2.ndjson", "ack", '"value":208', 1),
    "the start of an entry": ("b1.ndjson", "epochs", '"entry":[2,', 1),
    "a SyncStateSet": ("c1.ndjson", "apply", '"members":[1, ', 1),
    "a status": ("b1.ndjson", "answer", '"status":"PUT_OK"', '"status":"FLUSH_SLAVE_TIMEOUT"'),
}


def altered(text: str, step: str, what: str, now: int | str) -> tuple[str, int]:
    """The last number of `what`, or the one that follows it, in the first line of this step that has it; and which."""
    lines = text.splitlines()
    number = next(n for n, line in enumerate(lines) if f'"step":"{step}"' in line and what in line)
    line = lines[number]
    end = line.index(what) + len(what)
    if isinstance(now, str):
        lines[number] = line.replace(what, now, 1)
    else:
        while line[end].isdigit():
            end += 1
        begin = end
        while line[begin - 1].isdigit():
            begin -= 1
        lines[number] = f"{line[:begin]}{int(line[begin:end]) + now}{line[end:]}"
    assert lines[number] != line
    return "\n".join(lines) + "\n", number + 1


@pytest.mark.parametrize("name", all_but(ALTERED, "what a slave has"))
def test_a_run_that_is_altered_in_one_place_is_refused_with_the_line(name: str, run: Run, tmp_path: Path) -> None:
    file, step, what, now = ALTERED[name]
    text, number = altered(run.texts[file], step, what, now)
    found = run.judged(tmp_path, {**run.texts, file: text})
    assert found.answer is Answer.NO
    assert f"{tmp_path / file}:{number}" in stopped_at(found)


def test_the_answer_does_not_depend_on_what_is_said_of_steps_that_commute(run: Run, tmp_path: Path) -> None:
    unknown = (None,) * EVENTS
    assert run.judged(tmp_path, run.texts, accesses=unknown).answer is Answer.YES
    text, _ = altered(run.texts["b1.ndjson"], "copy", '"messages":[[0,208,', 1)
    assert run.judged(tmp_path, {**run.texts, "b1.ndjson": text}, accesses=unknown).answer is Answer.NO


# --- the rules of a release -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def removal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`rmqproof rocketmq chaos 5.5.1 --trace --minutes 1 --seed 7 --brokers 2`, up to where the slave was killed and
    three producers were told PUT_OK for what it had not."""
    folder = tmp_path_factory.mktemp("removal")
    with tarfile.open(RECORDED.with_name("traced-removal-5.5.1.tar.xz")) as archive:
        archive.extractall(folder, filter="data")
    return folder / "steps"


def test_what_a_release_does_and_nobody_promised_is_told(removal: Path) -> None:
    found = Chaos()
    judge_steps(found, removal, "5.5.1")
    assert found.steps is not None and found.steps.answer is Answer.YES
    (told,) = found.findings
    assert told.kind == "unpromised" and "b2.ndjson:280: this is the behaviour of InsufficientRemoval" in told.text
    assert told.text.startswith("3 times")


def test_by_what_is_promised_it_is_refused_at_the_line(removal: Path) -> None:
    (files,) = find_models([bundled(PROMISED)])
    found = validate_runs(sorted(removal.iterdir()), files, TRACED)
    assert found.answer is Answer.NO and f"{removal}/b2.ndjson:280" in stopped_at(found)


def test_what_was_cut_is_there_again_after_a_kill(tmp_path: Path) -> None:
    """`rmqproof rocketmq chaos 5.5.1 --trace --minutes 1 --seed 7 --brokers 2`, up to where b2 has loaded 18,145 bytes,
    which its log had been cut by to 5,956 before it was killed."""
    with tarfile.open(RECORDED.with_name("traced-killed-5.5.1.tar.xz")) as archive:
        archive.extractall(tmp_path, filter="data")
    paths = sorted((tmp_path / "steps").iterdir())
    (files,) = find_models([bundled(config_of(paths))])
    assert validate_runs(paths, files, TRACED).answer is Answer.YES
    path = paths[1]
    text = path.read_text(encoding="utf-8")
    assert text.count('"end":18145,"confirm"') == 1
    path.write_text(text.replace('"end":18145,"confirm"', '"end":5956,"confirm"'), encoding="utf-8")
    found = validate_runs(paths, files, TRACED)
    assert found.answer is Answer.NO and f"{path}:430" in stopped_at(found)


def test_the_release_of_a_run_is_in_its_first_lines(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("b1", "b2")]
    for version, config in (("5.1.4", "TracedUpTo51"), ("5.3.3", "TracedUpTo53"), ("5.5.1", "TracedSince54")):
        for path in files:
            path.write_text(line(path.name, "start", 0, 0, release=version) + "\n")
        assert config_of(files) == f"{config}.cfg" == config_of_release(version)
    files[0].write_text(line("b1", "start", 0, 0, release="5.3.3") + "\n")
    assert config_of(files) == PROMISED, "of two releases"
    files[0].write_text(line("b1", "start", 0, 0) + "\n")
    assert config_of(files) == PROMISED, "which the line does not tell"


# --- what is settled --------------------------------------------------------------------------------------------------


def test_states_forget_what_all_logs_have(run: Run, tmp_path: Path) -> None:
    soon = Bounds(pace=Pace(ahead=8, gain=1, every=8))
    found = run.judged(tmp_path, run.texts, soon)
    assert found.answer is Answer.YES and max(step.folded for step in found.steps) > 1_500
    text, number = altered(run.texts["b1.ndjson"], "copy", '"messages":[[0,208,', 1)
    found = run.judged(tmp_path, {**run.texts, "b1.ndjson": text}, soon)
    assert found.answer is Answer.NO and f"{tmp_path / 'b1.ndjson'}:{number}" in stopped_at(found)


def test_a_state_is_whole_again(run: Run, tmp_path: Path) -> None:
    found = run.judged(tmp_path, run.texts)
    folding, bases = traced_folding(run.model), set()
    for step in list(found.steps)[::10]:
        folded, bindings = folding.fold(step.state, NOTHING, Kept(700))
        more, again = folding.fold(folded, bindings, Kept(10**9))
        for state, known in ((folded, bindings), (more, again)):
            assert folding.unfold(state, known) == (step.state, NOTHING)
            bases.add(known.prefix.base)
    assert len(bases) > 2


def test_a_broker_that_is_away_keeps_no_log_long(run: Run) -> None:
    """Each log begins where it ends in what was taken out, and where they differ nothing is."""
    system = run.model.subject.system
    initial = next(iter(system.initial_states()))
    place = list(system.variables).index("log")

    def log(*sums: int) -> tuple[Any, ...]:
        return tuple(record(**{"from": at, "to": at + 1, "end": at + 1, "sum": crc}) for at, crc in enumerate(sums))

    def state_with(one: tuple[Any, ...], other: tuple[Any, ...]) -> Any:
        values = list(system.values(initial))
        values[place] = Function((values[place][0], one, other))
        return system.state(values)

    folding = traced_folding(run.model)
    short, long, other = log(1, 2), log(1, 2, 3, 4, 5, 6, 7, 8, 9), log(1, 7, 3)
    for one, left, base in ((short, 1, 1), (other, 2, 2), ((), 0, 0)):
        state = state_with(one, long)
        folded, bindings = folding.fold(state, NOTHING, Kept(6))
        assert list(map(len, folded[place][1:])) == [left, 3] and bindings.prefix.base == 6
        assert folding.unfold(folded, bindings) == (state, NOTHING)
        lost = state_with(folded[place][1], ())  # a disk: what only it had is not kept
        again, known = folding.fold(lost, bindings, Kept(6))
        assert known.prefix.base == base
        assert folding.unfold(again, known)[0] == state_with(one, ())


def test_what_stays_is_planned_from_what_events_look_at() -> None:
    nothing = (NO_OFFSET, NO_OFFSET)
    ranges = [*[nothing] * 2, (5, 9), *[nothing] * 9, (20, 22), (7, 8), *[nothing] * 8]
    planned = Pace(ahead=2, gain=1, every=2).plan(ranges)
    near, far, idle = Kept(4, ((5, 9),)), Kept(6, ((7, 8), (20, 22))), Kept(6)
    assert planned == [near] * 4 + [idle] * 6 + [far] * 4 + [idle] * 9
    # a broker copies everything from 0 on afterwards
    planned = Pace(ahead=2, gain=1, every=2).plan([(5, 9), *[nothing] * 9, (0, 3)])
    assert planned == [near] * 2 + [Kept(4)] * 6 + [Kept(0, ((0, 3),))] * 4
    assert Pace().plan([nothing] * 3) == [Kept()] * 4


def test_one_piece_stands_for_many_that_nobody_looks_at(run: Run) -> None:
    system = run.model.subject.system
    initial = next(iter(system.initial_states()))
    place = list(system.variables).index("log")
    long = tuple(record(**{"from": at, "to": at + 1, "end": at + 1, "sum": at % 7}) for at in range(1_000))
    values = list(system.values(initial))
    values[place] = Function((values[place][0], long[:300], long))
    state = system.state(values)
    folding = traced_folding(run.model)
    kept = Kept(199, ((200, 210), (230, 240), (900, 910)))
    folded, bindings = folding.fold(state, NOTHING, kept)
    ends = [[dict(piece.items())["to"] for piece in log] for log in folded[place][1:]]
    assert ends[0] == [*range(200, 241), *range(241, 301)], "59 are too few"
    assert ends[1] == [*range(200, 241), 899, *range(900, 911), 999, 1_000]
    assert bindings.prefix.base == 199 and bindings.prefix.runs == ((240, 899), (910, 999))
    assert folding.unfold(folded, bindings) == (state, NOTHING)
    for low, high, hidden in (
        (200, 240, False),
        (240, 241, True),
        (899, 910, False),
        (950, None, True),
        (999, None, False),
    ):
        assert bindings.prefix.hides(low, high) is hidden, (low, high)
    assert not bindings.prefix.is_beyond(kept) and bindings.prefix.is_beyond(Kept(199, ((500, 501),)))
    # a line that says of one message what no checksum is
    values[place] = Function(
        (values[place][0], long[:300], (*long, record(**{"from": 1_000, "to": 1_001, "end": 1_001, "sum": -1})))
    )
    odd = system.state(values)
    assert folding.unfold(*folding.fold(odd, NOTHING, kept)) == (odd, NOTHING)
    again, others = folding.fold(folded, bindings, Kept(250, ((251, 300),)))
    assert others.prefix.runs == ((300, 999),) and folding.unfold(again, others) == (state, NOTHING)


# --- which steps commute ----------------------------------------------------------------------------------------------


def steps_of(system: Any, state: Any) -> dict[tuple[str, str], tuple[Event, Any]]:
    """The steps from a state, as a line would tell of them, with where they lead."""
    found = {}
    for number, arguments, target in system.successors(state):
        action = system.actions[number]
        said = tuple(str(x) if type(x).__name__ == "ModelValue" else to_itf(x) for x in arguments)
        ours = action in ("TracedElects", "TracedElectsNobody", "TracedStores")
        after = to_itf(target[system.variables.index("controller")]) if ours else {}
        shown = {name: after[name] for name in ("masterEpoch", "sss", "sssEpoch", "master") if ours}
        found[action, repr(said)] = Event(CONTROLLER if ours else str(said[0]), action, said, shown), target
    return found


def test_a_slave_that_serves_a_slave_has_the_confirm_offset_that_it_was_sent() -> None:
    """Seen in ten minutes of chaos on 5.5.1: a broker that led serves its slave for 67 s after the election of another,
    and marks it as caught up by its own confirmOffset, which is not the end of its log any more."""
    constants = {"Broker": ["b1", "b2"], "Lines": [1], "Ends": [0, 1], "Sums": [1], "MaxEpoch": 3, "MaxAlters": 3}
    files = ModelFiles(bundled("TracedRun.tla"), bundled("TracedSince54.cfg"))
    system = open_run_model(files, RunMapping(constants=constants)).subject.system
    one, both = {"#set": ["b1"]}, {"#set": ["b1", "b2"]}
    mark = ("SlaveIsMarked", ("b1", "b2", 0, both))
    state = next(iter(system.initial_states()))

    def enabled() -> list[tuple[str, tuple[Any, ...]]]:
        return [(event.action or "", event.arguments) for event, _ in steps_of(system, state).values()]

    def take(action: str, *said: Any) -> None:
        nonlocal state
        wanted = [
            target
            for event, target in steps_of(system, state).values()
            if event.action == action and event.arguments == said
        ]
        assert wanted, (action, said, [arguments for name, arguments in enabled() if name == action])
        state = wanted[0]

    take("TracedElects", "b1")
    take("TracedMaster", "b1", 0, 1)
    take("TracedLearnsSet", "b1", one)
    take("EntryIsWritten", "b1", 1, 0, True)
    take("MessageIsAppended", "b1", 0, 1, 1)
    take("ConnectionOpens", "b1", 1)
    take("SlaveIsNamed", "b1", 1, "b2")
    take("HandshakeIsAnswered", "b1", 1, 1)
    take("AnswerIsHeard", "b2", 1)
    take("OffsetIsReported", "b2", 0)
    take("AckArrives", "b1", 1, 0)
    assert mark not in enabled(), "alone in its set the log of a master is confirmed to its end"
    take("SetIsProposed", "b1", both, 1, 1)
    take("TracedStores", both)
    take("TracedElects", "b2")
    take("TracedSlave", "b1", 1, "b2", 2)
    assert mark in enabled()


def test_what_accesses_different_parts_commutes() -> None:
    """By random walks: of two steps that touch different parts each leaves the other possible, and both orders end
    alike."""
    names = {name: f"controller.{name}" for name in ("masterEpoch", "sss", "sssEpoch", "master")}
    constants = {"Broker": ["b1", "b2"], "Lines": [1, 2], "Ends": [0, 1], "Sums": [1], "MaxEpoch": 2, "MaxAlters": 2}
    files = ModelFiles(bundled("TracedRun.tla"), bundled("TracedSince54.cfg"))
    model = open_run_model(files, RunMapping(state=names, constants=constants))
    system, pairs, seen = model.subject.system, 0, set()
    for seed in range(3):
        random = Random(seed)
        state = next(iter(system.initial_states()))
        for _ in range(20):
            enabled = list(steps_of(system, state).values())
            some = random.sample(enabled, min(6, len(enabled)))
            order = order_of([replace(event, stream=str(place)) for place, (event, _) in enumerate(some)])
            told, _ = refine(model, (), order, Bounds())
            after = [steps_of(system, target) for _, target in some]
            for one, other in combinations(range(len(some)), 2):
                mine, theirs = told.events[one].accesses, told.events[other].accesses
                starts = "TracedStarts" in (some[one][0].action, some[other][0].action)
                if mine is None or theirs is None or mine.conflicts(theirs) or starts:
                    continue  # a process begins after all steps of the one before
                pairs += 1
                keys = [(event.action or "", repr(event.arguments)) for event, _ in (some[one], some[other])]
                assert keys[1] in after[one] and keys[0] in after[other], keys
                assert after[one][keys[1]][1] == after[other][keys[0]][1], keys
                seen.update(key[0] for key in keys)
            # the first actions by name have many arguments: each action is as likely
            action = random.choice(sorted({event.action or "" for event, _ in enabled}))
            state = random.choice([target for event, target in enabled if event.action == action])
    assert pairs > 100 and len(seen) > 15, (pairs, seen)


# --- reading ----------------------------------------------------------------------------------------------------------


def line(node: str, step: str, began: int, ended: int, thread: str = "main#1", **said: Any) -> str:
    known = {"node": node, "number": 1, "step": step, "began": began, "ended": ended, "thread": thread}
    return json.dumps(known | said)


def read(folder: Path, **lines: Sequence[str]) -> list[tuple[str | None, tuple[str, ...], tuple[str, ...]]]:
    for name, texts in lines.items():
        (folder / f"{name}.ndjson").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    events, _ = read_traced([folder / f"{name}.ndjson" for name in lines])
    return [(event.action, event.sent, event.received) for event in events]


START = (line("b1", "start", 0, 0), line("b1", "identity", 1, 2, id=7))


def test_a_step_comes_after_those_that_were_over_when_it_began(tmp_path: Path) -> None:
    others = (
        line("b1", "close", 10, 20, "one#2"),
        line("b1", "closedAll", 15, 30, "two#3"),
        line("b1", "examine", 25, 40, "three#4", cut=-1),
    )
    (tmp_path / "b1.ndjson").write_text("".join(f"{text}\n" for text in (*START, *others)), encoding="utf-8")
    events, _ = read_traced([tmp_path / "b1.ndjson"])
    order = order_of(events)
    names = [event.action for event in order.events]
    before = {name: {names[place] for place in needs} for name, needs in zip(names, order.needs, strict=True)}
    assert before["AllConnectionsClose"] == {"TracedStarts"}, "not after `close`, which was not over"
    assert before["LogIsLookedThrough"] == {"SlaveCloses"}
    assert len(set(order.nodes)) == 2, "threads that come one after another are one"


def test_a_role_comes_before_the_steps_within(tmp_path: Path) -> None:
    inside = line("b1", "closedAll", 12, 13, **{"in": "slave", "since": 10})
    role = line("b1", "slave", 10, 20, epoch=2, was=1, master=1)
    assert [action for action, *_ in read(tmp_path, b1=(*START, inside, role))] == [
        "TracedStarts",
        "TracedSlave",
        "AllConnectionsClose",
    ]


def test_a_message_can_be_in_the_log_after_the_method_that_wrote_it(tmp_path: Path) -> None:
    """Seen in ten minutes of chaos on 5.5.1: data was sent while the end of the log was moved."""
    puts = [
        line("b1", "put", 10, 20, "one#2", offset=0, size=9, crc=1, number=3),
        line("b1", "put", 40, 50, "two#3", offset=9, size=9, crc=2, number=5),
        line("b1", "connect", 60, 61, "two#3", number=6),
    ]
    between = line("b1", "closedAll", 30, 31, "three#4", number=4)
    after = line("b1", "close", 62, 63, "three#4", number=7)
    (tmp_path / "b1.ndjson").write_text(
        "".join(f"{text}\n" for text in (*START, *puts[:2], between, puts[2], after)), encoding="utf-8"
    )
    order = order_of(read_traced([tmp_path / "b1.ndjson"])[0])
    before = [{order.events[place].arguments[2:3] for place in needs} for needs in order.needs]
    names = [event.action for event in order.events]
    assert (9,) not in before[names.index("AllConnectionsClose")], "the first may come after it"
    assert (9,) in before[names.index("MessageIsAppended", names.index("MessageIsAppended") + 1)], (
        "but before the second"
    )
    assert (18,) in before[names.index("SlaveCloses")], "a thread has put when it does something else"


def test_a_confirm_offset_that_was_overtaken_is_computed_and_set_apart(tmp_path: Path) -> None:
    """Seen 48 times in ten minutes of chaos on 5.5.1: two threads compute, and the one that was first sets last."""
    early = line("b1", "confirm", 40, 41, "one#2", offset=480, computed=10, number=4)
    later = line("b1", "confirm", 20, 21, "two#3", offset=720, computed=15, number=3)
    (tmp_path / "b1.ndjson").write_text("".join(f"{text}\n" for text in (*START, later, early)), encoding="utf-8")
    events, _ = read_traced([tmp_path / "b1.ndjson"])
    told = [(event.action, event.received) for event in events]
    assert [action for action, _ in told] == [
        "TracedStarts", "ConfirmIsComputed", "OvertakenConfirmIsSet", "MasterConfirms"
    ]  # fmt: skip
    order = order_of(events)
    names = [event.action for event in order.events]
    before = {name: {names[place] for place in needs} for name, needs in zip(names, order.needs, strict=True)}
    assert before["OvertakenConfirmIsSet"] >= {"MasterConfirms"}
    again = line("b1", "confirm", 40, 41, "one#2", offset=480, computed=22, number=4)
    assert "ConfirmIsComputed" not in [action for action, *_ in read(tmp_path, b1=(*START, later, again))]


def test_a_role_that_another_thread_has_taken_meanwhile(run: Run, tmp_path: Path) -> None:
    """As two threads of 5.2.0 had it: both had seen epoch 0 before they waited for each other."""
    name, lines = next((name, text.splitlines()) for name, text in run.texts.items() if '"step":"master"' in text)
    place = next(place for place, text in enumerate(lines) if '"step":"master"' in text)
    again = json.loads(lines[place])
    again["thread"], again["ended"] = "ReplicasManager_ExecutorService_1#74", again["ended"] + 1
    text = "\n".join([*lines[: place + 1], json.dumps(again), *lines[place + 1 :]]) + "\n"
    assert run.judged(tmp_path, {**run.texts, name: text}).answer is Answer.YES
    again["epoch"] += 7
    text = "\n".join([*lines[: place + 1], json.dumps(again), *lines[place + 1 :]]) + "\n"
    assert run.judged(tmp_path, {**run.texts, name: text}).answer is Answer.NO


def test_a_process_that_is_killed_between_two_lines_has_done_what_the_other_tells(run: Run, tmp_path: Path) -> None:
    """What wakes a waiting producer is written after the answer: seen of a broker that was killed in between."""
    name, place = next(
        (name, place)
        for name, text in sorted(run.texts.items())
        for place, told in enumerate(text.splitlines())
        if '"step":"wake"' in told and '"status":"PUT_OK"' in told
    )
    lines = run.texts[name].splitlines(keepends=True)
    wakes = [at for at, told in enumerate(lines) if '"step":"wake"' in told]
    assert run.judged(tmp_path, {**run.texts, name: "".join(without(lines, wakes[-1]))}).answer is Answer.YES
    assert run.judged(tmp_path, {**run.texts, name: "".join(without(lines, place))}).answer is Answer.NO


def without(lines: list[str], place: int) -> list[str]:
    return [*lines[:place], *lines[place + 1 :]]


def applied(node: str, at: int, epoch: int) -> str:
    after = {"masterEpoch": epoch, "number": epoch, "members": [7], "master": 7}
    return line(node, "apply", at, at + 1, event="ElectMasterEvent", elected=True, master=7, after=after)


def test_what_controllers_apply_is_one_log(tmp_path: Path) -> None:
    c1 = (line("c1", "start", 0, 0), applied("c1", 30, 1), applied("c1", 40, 2))
    c2 = (line("c2", "start", 0, 0), applied("c2", 20, 1), line("c2", "start", 50, 50), applied("c2", 60, 1))
    told = [action for action, *_ in read(tmp_path, b1=START, c1=c1, c2=c2)]
    assert told.count("TracedElects") == 2
    with pytest.raises(RunError, match=r"c1\.ndjson:2: controllers applied different events"):
        read(tmp_path, b1=START, c1=(c1[0], applied("c1", 30, 3)), c2=c2)


def test_lines_that_cannot_be_judged_are_told(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"b1\.ndjson:3: the agent did not understand what it saw of put: no such field"):
        read(tmp_path, b1=(*START, line("b1", "failed", 3, 3, what="put", why="no such field")))
    with pytest.raises(RunError, match=r"b1\.ndjson:2: this is no line of the agent"):
        read(tmp_path, b1=(START[0], "{", START[1]))
    with pytest.raises(RunError, match="b7 has no connection 4"):
        read(tmp_path, b1=(*START, line("b1", "ack", 3, 4, connection=4, value=0)))
    assert len(read(tmp_path, b1=(*START, '{"node":"b1","nu'))) == 1, "its process ended while it wrote"


def test_of_nodes_that_go_on_only_what_has_begun_is_judged(tmp_path: Path) -> None:
    """An acknowledgement in a file that is read later than the one of its report would be told by nobody."""
    traces, later = tmp_path / "traces", time.monotonic_ns() + 10**15
    traces.mkdir()
    seen = [
        ("send", 1, later), ("ack", later, later), ("wake", 2, 3),
        ("answer", 1, 4), ("answer", 1, later),  # it waited from the beginning: what wakes it can begin later
    ]  # fmt: skip
    lines = [f'{{"step":"{step}","began":{began},"ended":{ended}}}\n' for step, began, ended in seen]
    (traces / "b1.ndjson").write_text("".join(lines) + '{"step":"se')
    found = steps_until_now(traces, tmp_path / "steps", written=0)
    assert [path.name for path in found.iterdir()] == ["b1.ndjson"]
    assert (found / "b1.ndjson").read_text() == lines[0] + lines[2] + lines[3]


def test_steps_that_cannot_be_read_are_a_finding_beside_the_others(tmp_path: Path) -> None:
    (tmp_path / "b1.ndjson").write_text("this is no line\nnor this\n")
    found = Chaos(findings=[Finding("lost", "a message")])
    judge_steps(found, tmp_path, "5.5.1")
    assert [each.kind for each in found.findings] == ["lost", "unexplained"] and found.steps is None
    assert "b1.ndjson:1" in found.findings[1].text
