"""One call from logs to an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from rmqproof.conformance.runs.event import Event
from rmqproof.conformance.runs.mapping import RunMapping, read_mapping
from rmqproof.conformance.runs.model import open_run_model
from rmqproof.conformance.runs.order import order_of
from rmqproof.conformance.runs.reading import read_runs
from rmqproof.conformance.runs.search import Report, validate
from rmqproof.conformance.runs.validation import Bounds, Validation
from rmqproof.conformance.runs.windows import ordered_by
from rmqproof.model.search.control import Control
from rmqproof.rocketmq.logs import read_logs
from rmqproof.rocketmq.runs.cluster import CONTROLLER, read_cluster
from rmqproof.rocketmq.runs.demands import as_repaired, cluster_knowledge, with_late_acks
from rmqproof.rocketmq.runs.folding import LATE_ACKS, cluster_folding, is_repaired, specification_of

Reader = Callable[[Path], Iterable[Event]]
"""Turns a foreign log into events."""


def validate_runs(
    paths: Sequence[Path],
    spec: Path,
    config: Path | None = None,
    mapping: RunMapping | Path | Literal["cluster", "rocketmq"] | None = None,
    bounds: Bounds | None = None,
    reader: Reader | None = None,
    control: Control | None = None,
    report: Report = lambda *_: None,
    command: str = "",
    constants: Mapping[str, Any] | None = None,
) -> Validation:
    """Whether the run that these logs tell of is a behaviour of a specification.

    `mapping` `"cluster"`: the logs are traces of `rmqproof cluster`; `"rocketmq"`: they are RocketMQ's own.
    `constants` win over those of the configuration.
    Raise `RunError` for a run that is empty or cannot be read, `TlaError` for a wrong model, `OSError`.
    """
    if mapping == "cluster":
        events, rules = read_cluster(paths, constants)
    elif mapping == "rocketmq":
        events, rules = read_logs(paths, constants)
    else:
        rules = read_mapping(mapping) if isinstance(mapping, Path) else mapping if mapping is not None else RunMapping()
        rules = replace(rules, constants={**rules.constants, **(constants or {})})
        events = [event for path in paths for event in reader(path)] if reader is not None else read_runs(paths, rules)
    order = order_of(events)
    model = open_run_model(spec, config, rules, command)
    folding = cluster_folding(model, events) if mapping == "cluster" else None
    if mapping == "cluster" and is_repaired(model) and not (bounds is not None and bounds.lost):
        all_ack = str(rules.constants.get("AllAck", True)).upper() == "TRUE"
        late_acks = specification_of(model) == LATE_ACKS
        order = replace(order, events=tuple(map(as_repaired, order.events)))
        order = ordered_by(order, cluster_knowledge(order.events, CONTROLLER, all_ack, late_acks))
        if late_acks:
            order = replace(order, events=tuple(map(with_late_acks, order.events)))
    order = replace(order, events=tuple(map(model.meant, order.events)))
    model.check(order.events)
    return validate(model, order, bounds, control, report, folding)
