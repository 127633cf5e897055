"""A run of faults on a real cluster under load, and what is wrong afterwards."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rmqproof.conformance.runs.event import RunError
from rmqproof.conformance.runs.validation import Answer, Validation
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.incident.diagnosis import Diagnosis
from rmqproof.rocketmq.incident.folder import read_incident
from rmqproof.rocketmq.processes.clients import TOPIC, Clients
from rmqproof.rocketmq.processes.cluster import RealCluster
from rmqproof.rocketmq.processes.faults import Fault, Faults
from rmqproof.rocketmq.processes.history import Finding, History, Record, acknowledged_since, check, read_history
from rmqproof.rocketmq.processes.judging import (
    judged,
    judged_steps,
    lines_of,
    promise_not_kept,
    save_answers,
    steps_until_now,
    with_fewer_copies,
)
from rmqproof.rocketmq.processes.story import story_of

Say = Callable[[str], None]
HISTORY, MARKS, STEPS = "history.ndjson", "faults.ndjson", "steps"
PRODUCERS = 3
_CALM = 5.0
_STORIES = 3


@dataclass(slots=True)
class Chaos:
    """What a run did, and what is wrong afterwards (empty: nothing). `steps`: what is said of those of a traced run;
    `stories`: of the first findings; `settled`: seconds until it was whole again."""

    history: History = field(default_factory=History)
    marks: list[tuple[float, str]] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    stories: list[list[str]] = field(default_factory=list)
    logs: list[Path] = field(default_factory=list)
    diagnosis: Diagnosis = field(default_factory=Diagnosis)
    validation: Validation | None = None
    steps: Validation | None = None
    settled: float | None = None
    seconds: float = 0.0


def run_chaos(cluster: RealCluster, faults: Sequence[Fault], say: Say, patience: float, java: Path | None) -> Chaos:
    """Within the cluster's context. Raise `RocketmqError` where it does not come up. What it leaves is for `judge_run`,
    which needs the cluster no more."""
    found = Chaos()
    began = time.time()
    took = cluster.until(lambda: cluster.master() is not None, "the first master")
    say(f"{cluster.master()} leads after {took:.0f} s")
    clients = Clients(cluster.release.version, cluster.name_server_address, cluster.folder / HISTORY, PRODUCERS, java)
    cluster.others["client"] = clients.pid

    def mark(what: str) -> None:
        found.marks.append((time.time(), what))
        with (cluster.folder / MARKS).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"at": found.marks[-1][0], "what": what}) + "\n")
        say(f"{found.marks[-1][0] - began:6.1f} s  {what}")

    try:
        clients.begin()
        cluster.until(lambda: bool(_history(cluster).acknowledged()), "the first message")
        cluster.until(lambda: _whole(cluster, same=False), "the first SyncStateSet of all")
        doing = Faults(cluster, mark)
        for fault in faults:
            doing.take(fault)
        doing.repair()
        found.skipped = doing.skipped
        _serve_again(cluster, found, patience)
        time.sleep(_CALM)
        clients.stop()
        found.settled = _settle(cluster, found, patience)
        clients.read()
    finally:
        clients.close()
    found.history = _history(cluster)
    found.findings += check(found.history, _logs(cluster), cluster.master())
    found.findings += _epochs(cluster)
    found.logs = cluster.collect_logs(cluster.folder / "logs")
    save_answers(cluster, cluster.folder / "logs")
    if cluster.traced:
        steps_until_now(cluster.traces, cluster.folder / STEPS)
    found.seconds = time.time() - began
    return found


def judge_run(found: Chaos, folder: Path, version: str, say: Say) -> None:
    """What the run left in its folder: logs, epoch files and answers, steps where they were traced, and the stories of
    what is wrong."""
    say(f"{found.seconds:6.1f} s  the cluster has ended; what it left is judged")
    found.validation = judged(folder / "logs", version)
    if found.validation.answer is Answer.NO:
        found.findings.append(Finding("unexplained", lines_of(found.validation)[0]))
    if (folder / STEPS).is_dir():
        judge_steps(found, folder / STEPS, version)
    incident = read_incident(folder / "logs")
    found.diagnosis = incident.diagnosis()
    for each in found.findings[:_STORIES]:
        found.stories.append(story_of(each, found.history, found.marks, incident.moments))


def judge_steps(found: Chaos, steps: Path, version: str) -> None:
    """What traced nodes wrote, held to TracedRun with the rules of the release; what cannot be read is a finding, too,
    and so is what these rules allow and the setting does not promise."""
    try:
        found.steps = judged_steps(steps, version)
    except RunError as error:
        found.findings.append(Finding("unexplained", f"the steps cannot be read: {error}"))
        return
    if found.steps.answer is Answer.NO:
        found.findings.append(Finding("unexplained", lines_of(found.steps, "by their steps")[0]))
    fewer = with_fewer_copies(found.steps)
    if fewer:
        found.findings.append(Finding("unpromised", promise_not_kept(fewer)))


def _history(cluster: RealCluster) -> History:
    return read_history(cluster.folder / HISTORY)


def _serve_again(cluster: RealCluster, found: Chaos, patience: float) -> None:
    """Until a message is acknowledged: the last master's epoch reaches its slaves with its first message."""
    since = time.time()
    try:
        cluster.until(lambda: acknowledged_since(cluster.folder / HISTORY, since), "an acknowledged message", patience)
    except RocketmqError:
        text = f"{patience:.0f} s after the last fault no message has been acknowledged; master {cluster.master()}"
        found.findings.append(Finding("stuck", text))


def _settle(cluster: RealCluster, found: Chaos, patience: float) -> float | None:
    """Until there is a master, all brokers are in the SyncStateSet, and have the same log."""
    try:
        return cluster.until(lambda: _whole(cluster), "that the cluster is whole", patience)
    except RocketmqError:
        ended = [name for name, node in cluster.nodes.items() if not node.running]
        ids = {name: cluster.id_of(name) for name in cluster.broker_names}
        text = (
            f"{patience:.0f} s after the last fault it is not whole: master {cluster.master()}, SyncStateSet "
            f"{sorted(cluster.sync_state_set() or ())} of {ids}, messages {_counts(cluster)}"
        )
        found.findings.append(Finding("stuck", text))
        found.findings += [Finding("ended", f"{name} ended by itself", where=(name,)) for name in ended]
        return None


def _whole(cluster: RealCluster, same: bool = True) -> bool:
    try:
        members = cluster.sync_state_set()
        if cluster.master() is None or members != {cluster.id_of(name) for name in cluster.broker_names}:
            return False
        logs = [(cluster.messages(name), cluster.epoch_file(name)) for name in cluster.broker_names] if same else []
        return all(each == logs[0] for each in logs)
    except (OSError, ValueError):  # not written yet, or half of it
        return False


def _counts(cluster: RealCluster) -> dict[str, int]:
    return {name: len(log) for name, log in _logs(cluster).items()}


def _logs(cluster: RealCluster) -> dict[str, list[Record]]:
    found = {}
    for name in cluster.broker_names:
        messages = cluster.messages(name)
        found[name] = [
            Record(each.queue_id, each.queue_offset, each.body.decode(errors="replace"))
            for each in messages
            if each.topic == TOPIC
        ]
    return found


def _epochs(cluster: RealCluster) -> list[Finding]:
    files = {name: cluster.epoch_file(name).splitlines()[2:] for name in cluster.broker_names}
    if len(set(map(tuple, files.values()))) < 2:
        return []
    text = "; ".join(f"{name}: {' '.join(lines)}" for name, lines in files.items())
    return [Finding("differ", f"the epoch files are not alike: {text}", where=tuple(files))]
