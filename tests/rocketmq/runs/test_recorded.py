"""Logs of real clusters, each minor release once and a run of chaos, are behaviours of spec/core/RecordedRun.tla;
altered in one place they are refused with the line."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.conformance.runs.event import Event, RunError
from rmqproof.conformance.runs.event_order import order_of
from rmqproof.conformance.runs.formats import LogFormat
from rmqproof.conformance.runs.mapping import RunMapping
from rmqproof.conformance.runs.model import open_run_model
from rmqproof.conformance.runs.validate import validate_runs
from rmqproof.conformance.runs.validation import Answer, Bounds
from rmqproof.model.cli import main
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.rocketmq.processes.judging import judged, lines_of
from rmqproof.rocketmq.runs.recorded import begins_with_processes, read_recorded
from rmqproof.rocketmq.runs.recorded_parts import refine
from rmqproof.rocketmq.tracing.rules import config_of_release
from tests.at_length import every, first
from tests.rocketmq.conftest import rolled_over

RECORDED = Path(__file__).parents[1]
RUNS = {
    "failover-5.1.4": 41, "failover-5.2.0": 41, "failover-5.3.3": 38, "failover-5.4.0": 41, "failover-5.5.0": 38,
    "jraft-5.5.0": 40, "jraft-three-5.5.0": 136, "power-loss-5.5.0": 70, "alone-5.5.0": 130,
    "connected-early-5.5.1": 84,
}  # fmt: skip
"""With how many events: `rmqproof rocketmq failover VERSION`, `rocketmq chaos 5.5.0`, thrice, and with 5.5.1; of
`jraft-three`, with three controllers, the controllers' lines that tell of something, of `connected-early` such lines of
the first minute."""


def unpacked(name: str, folder: Path) -> Path:
    with tarfile.open(RECORDED / f"{name}.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder / "logs"


def version_of(name: str) -> str:
    return name.rpartition("-")[2]


@pytest.mark.parametrize("name", every(2, RUNS))
def test_what_was_recorded_is_a_behaviour(name: str, tmp_path: Path) -> None:
    found = judged(unpacked(name, tmp_path), version_of(name))
    assert found.answer is Answer.YES, lines_of(found)
    assert len(found.order.events) == found.explained == RUNS[name]
    assert found.tried < 2 * len(found.order.events), "next to no other order was tried"


ALTERED = [
    ("broker-2/store.log", "newMasterEpoch:10, startOffset:846930", "newMasterEpoch:10, startOffset:846931",
     "broker-2/store.log:211"),
    ("broker-1/store.log", "truncateOffset is 846930", "truncateOffset is 846931", "broker-1/store.log:140"),
    ("broker-2/store.log", "changed into [2].", "changed into [1].", "broker-2/store.log:226"),
    ("broker-2/broker.log", "new Epoch:10", "new Epoch:11", "broker-2/broker.log:712"),
    ("controller.log", "masterEpoch=14, sync", "masterEpoch=15, sync", "broker-1/broker.log:2531"),
    ("controller.log", "newSyncStateSetEpoch=8", "newSyncStateSetEpoch=9", "broker-2/broker.log:1059"),
]  # fmt: skip


QUICK = ("newMasterEpoch",)
"""One of a broker's line; the others belong to the tests that take long."""


@pytest.mark.parametrize(
    ("file", "was", "now", "line"),
    [
        pytest.param(*each, id=each[1][:30], marks=[] if each[1].startswith(QUICK) else [pytest.mark.large])
        for each in ALTERED
    ],
)
def test_a_run_that_is_altered_in_one_place_is_refused(
    file: str, was: str, now: str, line: str, tmp_path: Path
) -> None:
    logs = unpacked("alone-5.5.0", tmp_path)
    path = logs / file
    text = path.read_text()
    assert was in text
    path.write_text(text.replace(was, now, 1))
    found = judged(logs, "5.5.0")
    assert found.answer is Answer.NO, lines_of(found)
    assert any(line in each for each in lines_of(found) if each.startswith("Not explained")), lines_of(found)


def with_proposal(logs: Path, line: int, was: str, now: str) -> Path:
    """What broker-2 proposed is another set; nothing: it is not told."""
    path = logs / "broker-2" / "store.log"
    lines = path.read_text().splitlines(True)
    assert f"changed into {was}." in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(was, now) if now else lines[line - 2]
    path.write_text("".join(lines))
    return logs


def test_a_slave_that_connects_before_its_master_knows_a_role(tmp_path: Path) -> None:
    """The process has no set yet: what it proposes is the slave alone, without itself; of others it knows nothing."""
    logs = with_proposal(unpacked("connected-early-5.5.1", tmp_path), 13, "[1]", "[1, 3]")
    found = judged(logs, "5.5.1")
    assert found.answer is Answer.NO and any("store.log:13: BrokerProposes(b2, " in each for each in lines_of(found))


@pytest.mark.large
@pytest.mark.parametrize("now", ["[1]", ""])
def test_whoever_knows_a_set_proposes_itself_and_whom_the_controller_adds(now: str, tmp_path: Path) -> None:
    logs = with_proposal(unpacked("connected-early-5.5.1", tmp_path), 21, "[1, 2]", now)
    assert judged(logs, "5.5.1").answer is Answer.NO


def test_a_slave_is_found_late_without_a_line(tmp_path: Path) -> None:
    """RM.checkSyncStateSetAndDoReport proposes the smaller set and logs nothing."""
    logs = unpacked("alone-5.5.0", tmp_path)
    path = logs / "broker-1" / "store.log"
    text = path.read_text()
    path.write_text(text.replace("has been changed into [1].", "has been"))
    assert text.count("has been changed into [1].") > 0 and judged(logs, "5.5.0").answer is Answer.YES


def test_an_epoch_file_that_is_altered_is_refused_by_its_sum(tmp_path: Path) -> None:
    logs = unpacked("failover-5.5.0", tmp_path)
    path = logs / "broker-1" / "epochFileCheckpoint"
    path.write_text("1\n1725254278\n1-1\n")
    with pytest.raises(RunError, match="CRC32"):
        judged(logs, "5.5.0")


def test_the_rules_of_another_release_are_other_rules() -> None:
    """Up to 5.3.x the epoch file is cut with the log (HAK.doTruncate)."""
    old = {config_of_release(version, traced=False) for version in ("5.1.4", "5.3.3")}
    new = {config_of_release(version, traced=False) for version in ("5.4.0", "5.5.1")}
    assert (old, new) == ({"RecordedUpTo53.cfg"}, {"RecordedSince54.cfg"})


def test_what_the_controller_answered_is_a_line(tmp_path: Path) -> None:
    logs = unpacked("failover-5.5.0", tmp_path)
    (logs / "admin.json").write_text('{"master": 2, "syncStateSet": [1, 2]}\n')
    assert judged(logs, "5.5.0").answer is Answer.YES
    (logs / "admin.json").write_text('{"master": 2, "syncStateSet": [2]}\n')
    refused = judged(logs, "5.5.0")
    assert refused.answer is Answer.NO and any("admin.json:1" in each for each in lines_of(refused))
    (logs / "admin.json").write_text('{"master": 2}\n')
    with pytest.raises(RunError, match=r"admin\.json"):
        judged(logs, "5.5.0")


def test_a_cleaning_is_told_and_not_judged(tmp_path: Path) -> None:
    logs = unpacked("failover-5.5.0", tmp_path)
    path = logs / "controller.log"
    event = (
        "ControllerResult{events=[CleanBrokerDataEvent{brokerName='broker-a', brokerIdSetToClean=null}], response=null}"
    )
    line = f"2026-11-24 12:00:00 INFO x - Event queue run event cleanBrokerData, get the result {event}\n"
    path.write_text(path.read_text() + line.replace("broker-a", "broker-b"))
    assert judged(logs, "5.5.0").answer is Answer.YES, "another broker set"
    path.write_text(path.read_text() + line)
    with pytest.raises(RunError, match=r"controller\.log:\d+: an administrator has cleaned metadata of broker-a"):
        judged(logs, "5.5.0")


def test_logs_that_begin_in_the_middle_of_a_process(tmp_path: Path) -> None:
    """A log that was rolled over: the first start of the process is not in it."""
    logs = unpacked("failover-5.5.0", tmp_path)
    for name in ("broker.log", "store.log"):
        path = logs / "broker-2" / name
        mark = "rocketmqHome=" if name == "broker.log" else "last shutdown"
        path.write_text("".join(line for line in path.read_text().splitlines(True) if mark not in line))
    assert judged(logs, "5.5.0").answer is Answer.YES


def asked_by_the_usual_name(logs: Path, *options: str) -> Any:
    files = sorted(str(path) for path in logs.rglob("*.log"))
    return CliRunner().invoke(main, ["validate", *files, "--mapping", "rocketmq", "--quiet", *options])


def test_logs_from_the_start_are_read_beside_what_they_tell_of(tmp_path: Path) -> None:
    """Whoever asks for `rocketmq` has an answer of an ordinary start and failover."""
    logs = unpacked("failover-5.5.0", tmp_path)
    done = asked_by_the_usual_name(logs)
    assert done.exit_code == 0 and "are read as --mapping rocketmq-run does" in done.stderr, done.output
    # in the words of the whole protocol, where its model or constants are named
    bounds = ("--hidden-steps", "1", "--width", "1", "--max-states", "1")
    done = asked_by_the_usual_name(logs, "--constant", "MaxPuts=1", *bounds)
    assert done.exit_code == 152 and "of 22 explained" in done.output, done.output
    # and where they begin later
    log = logs / "broker-1" / "broker.log"
    log.write_text(log.read_text().partition("Begin to change to master")[2].partition("\n")[2])
    assert not begins_with_processes(sorted(logs.rglob("*.log")))


def test_logs_that_were_rolled_over(tmp_path: Path) -> None:
    """All of them tell of the same as the whole log; without the parts that are away nothing says who is wrong."""
    logs = unpacked("failover-5.5.0", tmp_path)
    whole, _ = read_recorded(sorted(logs.rglob("*.log")))
    rolled_over(logs)
    (logs / "broker-1" / "otherdays" / "store.2.log.gz").write_bytes(b"")
    rest = sorted(path for path in logs.rglob("*.log"))
    events, mapping = read_recorded([*rest, *sorted(logs.rglob("*.gz"))])
    assert [(each.node, each.action, each.arguments, each.state) for each in events] == [
        (each.node, each.action, each.arguments, each.state) for each in whole
    ]
    assert not mapping.doubt
    result = CliRunner().invoke(main, ["validate", "--mapping", "rocketmq-run", *map(str, rest)])
    assert result.exit_code == 1
    assert "had begun before the logs do" in result.output and "otherdays/*.log.gz" in result.output


# --- what a guard refuses ---------------------------------------------------------------------------------------------


def other(action: str, number: int, change: Callable[[Any, Any], Any]) -> Callable[[Event], Event]:
    """The events of an action with another argument: `change(argument, node)`."""

    def altered(event: Event) -> Event:
        said = event.arguments
        if event.action != action or not isinstance(said, tuple):
            return event
        return replace(event, arguments=(*said[:number], change(said[number], event.node), *said[number + 1 :]))

    return altered


def instead(action: str, by: str, *unknown: None) -> Callable[[Event], Event]:
    """Another action in the place of one, with arguments that the line does not say."""
    return lambda e: replace(e, action=by, arguments=(e.node, *unknown)) if e.action == action else e


GUARDS = {
    "SlaveCutsNothing": ("disk[s].epochFile = <<>>", instead("SlaveTruncates", "SlaveCutsNothing")),
    "SlaveIsCaughtUp, another": ("s # b", other("SlaveIsCaughtUp", 1, lambda said, node: node)),
    "SlaveIsCaughtUp, epoch": (
        "epoch = LastEpoch(disk[b].epochFile)",
        other("SlaveIsCaughtUp", 4, lambda said, node: said + 1),
    ),
    "SlaveTruncates, a file": ("disk[s].epochFile # <<>>", instead("SlaveCutsNothing", "SlaveTruncates", None, None)),
    "SlaveTruncates, point": (
        "point = ConsistentPoint(disk[s].epochFile, end, heard[s].file, heard[s].end)",
        other("SlaveTruncates", 2, lambda said, node: 0),
    ),
    "SlaveLearnsEntry": ("x.epoch = epoch", other("SlaveLearnsEntry", 1, lambda said, node: said + 1)),
}
"""Of each action a conjunct that leads nowhere else when it is left out, and how a run is altered that it alone
refuses."""


@pytest.mark.parametrize("guard", first(2, GUARDS))
def test_a_run_that_a_conjunct_alone_refuses(guard: str, tmp_path: Path) -> None:
    conjunct, alter = GUARDS[guard]
    action = guard.partition(",")[0]
    logs = sorted(unpacked("failover-5.5.0", tmp_path).rglob("*.log"))
    whole = bundled("RecordedRun.tla")
    for file in whole.parent.glob("*.tla"):
        shutil.copy(file, tmp_path)
    text = whole.read_text()
    head, defined, rest = text.partition(f"\n{action}(")
    assert f"  /\\ {conjunct}\n" in rest or f"/\\ {conjunct}\n" in rest
    (tmp_path / whole.name).write_text(head + defined + rest.replace(f"/\\ {conjunct}\n", "/\\ TRUE\n", 1))

    def read(paths: Sequence[Path], constants: Mapping[str, Any] | None = None) -> tuple[Sequence[Event], RunMapping]:
        events, mapping = read_recorded(paths, constants)
        told = [alter(event) for event in events]
        assert told != events
        return told, mapping

    config = bundled("RecordedSince54.cfg")
    answers = [
        validate_runs(logs, ModelFiles(spec, config), LogFormat(read, refine)).answer
        for spec in (whole, tmp_path / whole.name)
    ]
    assert answers == [Answer.NO, Answer.YES]


# --- controllers on JRaft --------------------------------------------------------------------------------------------


def of_three_controllers(tmp_path: Path) -> Path:
    """The run with JRaft as three controllers would have written it: each applies every entry; the first dies before
    the election of the second master, the second starts again and applies everything anew."""
    logs = unpacked("jraft-5.5.0", tmp_path)
    lines = (logs / "controller.log").read_text().splitlines(True)
    (logs / "controller.log").unlink()
    dies = next(number for number, line in enumerate(lines) if "index 100, " in line)
    (logs / "controller-1.log").write_text("".join(lines[:dies]))
    applied = [line for line in lines if " JRaft-FSMCaller" in line]
    (logs / "controller-2.log").write_text("".join((*applied[:200], *applied)))
    (logs / "controller-3.log").write_text("".join(applied))
    return logs


def test_what_controllers_on_jraft_apply_is_one_step(tmp_path: Path) -> None:
    found = judged(of_three_controllers(tmp_path), "5.5.0")
    assert found.answer is Answer.YES, lines_of(found)
    assert found.explained == RUNS["jraft-5.5.0"], "as of one controller"


def test_controllers_on_jraft_that_disagree(tmp_path: Path) -> None:
    logs = of_three_controllers(tmp_path)
    path = logs / "controller-3.log"
    path.write_text(path.read_text().replace("newSyncStateSet=[1, 2]", "newSyncStateSet=[1]"))
    with pytest.raises(RunError, match=r"controller-3\.log:\d+: entry 82 .* Replicas that disagree"):
        judged(logs, "5.5.0")


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("masterEpoch=6, syncStateSetEpoch", "masterEpoch=7, syncStateSetEpoch"),
        ("newSyncStateSetEpoch=6}", "newSyncStateSetEpoch=7}"),
    ],
)
def test_what_all_controllers_on_jraft_wrote_and_is_wrong_is_refused(was: str, now: str, tmp_path: Path) -> None:
    logs = unpacked("jraft-three-5.5.0", tmp_path)
    for path in logs.glob("controller-*.log"):
        assert was in path.read_text()
        path.write_text(path.read_text().replace(was, now))
    assert judged(logs, "5.5.0").answer is Answer.NO


# --- which steps commute ---------------------------------------------------------------------------------------------


def events_of(system: Any, state: Any, brokers: Sequence[str]) -> dict[Any, tuple[Event, Any]]:
    """The steps from a state, as a line would tell of them, with where they lead."""
    found = {}
    for number, arguments, target in system.successors(state):
        action, said = system.actions[number], tuple(map(plain, arguments))
        node = "controller" if action.startswith(("Controller", "Heartbeat", "Another")) else said[0]
        node = "controller" if action in ("BrokerRegisters", "BrokerExpires") else node
        after = to_itf(target[system.variables.index("controller")])
        shown = {"masterEpoch": after["masterEpoch"], "sss": after["sss"]} if action == "ControllerElects" else {}
        shown = {"sss": after["sss"]} if action == "ControllerStores" else shown
        found[action, repr(said), repr(target)] = Event(str(node), action, said, shown), target
    return found


def plain(value: Any) -> Any:
    return str(value) if type(value).__name__ == "ModelValue" else to_itf(value)


@pytest.mark.large
def test_what_accesses_different_parts_commutes() -> None:
    """By random walks: of two steps of different nodes that touch different parts, each leaves the other as it was."""
    constants = {"Broker": ["b1", "b2"], "Ends": [0, 1], "MaxEpoch": 2, "MaxAlters": 2}
    files = ModelFiles(bundled("RecordedRun.tla"), bundled("RecordedSince54.cfg"))
    model = open_run_model(files, RunMapping(state={"masterEpoch": "controller.masterEpoch"}, constants=constants))
    system, pairs = model.subject.system, 0
    for seed in range(2):
        random = Random(seed)
        state = next(iter(system.initial_states()))
        for _ in range(16):
            enabled = list(events_of(system, state, ["b1", "b2"]).values())
            order = order_of([replace(event, stream=str(place)) for place, (event, _) in enumerate(enabled)])
            told, _ = refine(model, (), order, Bounds())
            some = random.sample(range(len(enabled)), min(8, len(enabled)))
            for one in some:
                for other in some:
                    (first, after), (second, _) = enabled[one], enabled[other]
                    mine, theirs = told.events[one].accesses, told.events[other].accesses
                    if first.node == second.node or mine is None or theirs is None or mine.conflicts(theirs):
                        continue
                    pairs += 1
                    later = {(e.action, repr(e.arguments)) for e, _ in events_of(system, after, ()).values()}
                    assert (second.action, repr(second.arguments)) in later, (first, second)
            state = random.choice(enabled)[1]
    assert pairs > 150
