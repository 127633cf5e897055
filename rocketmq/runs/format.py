"""The traces of `rmqproof cluster` and the logs of RocketMQ, as `rmqproof validate --mapping` asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rmqproof.conformance.runs.event import Event
from rmqproof.conformance.runs.event_order import Order
from rmqproof.conformance.runs.folding import Folding
from rmqproof.conformance.runs.formats import Instead, LogFormat
from rmqproof.conformance.runs.happens_before import ordered_by
from rmqproof.conformance.runs.model import RunModel
from rmqproof.conformance.runs.validation import Bounds
from rmqproof.rocketmq.logs import read_logs
from rmqproof.rocketmq.runs.cluster import CONTROLLER, accesses_of, read_cluster, survey
from rmqproof.rocketmq.runs.demands import Late, cluster_knowledge
from rmqproof.rocketmq.runs.folding import LATE_ACKS, LATE_BATCHES, cluster_folding, specification_of
from rmqproof.rocketmq.runs.independence import Independence
from rmqproof.rocketmq.runs.recorded import begins_with_processes, read_recorded
from rmqproof.rocketmq.runs.recorded_parts import refine as refine_recorded
from rmqproof.rocketmq.runs.traced import config_of, read_traced
from rmqproof.rocketmq.runs.traced_parts import refine as refine_traced
from rmqproof.rocketmq.tracing.rules import PROMISED


def refine(
    model: RunModel,
    events: Sequence[Event],
    order: Order,
    bounds: Bounds,
    *,
    demands: bool = True,
    commuting: bool = True,
) -> tuple[Order, Folding | None]:
    """What the steps touch, and what the rules of the protocol say about when things happen, where the specification
    has the repaired ones.

    Without `demands` the order is that of the nodes and the messages alone, and without `commuting` no two steps are
    known to commute: the answer is the same, and takes longer.
    """
    found = survey(order.events)
    folding = cluster_folding(model, found)
    demands = demands and folding is not None and not bounds.lost
    if commuting:
        independence = Independence(model.footprints, sorted(found.nodes - {CONTROLLER}))
        fitting = int(model.mapping.constants.get("MaxExpiries", 0)) >= found.expired
        order = replace(order, accesses=accesses_of(order.events, independence, fitting, demands))
    if folding is None or bounds.lost:
        return order, folding
    all_ack = str(model.mapping.constants.get("AllAck", True)).upper() == "TRUE"
    root = specification_of(model)
    late = Late(acks=root in (LATE_ACKS, LATE_BATCHES), batches=root == LATE_BATCHES)
    if demands:
        knowledge = cluster_knowledge(order.events, order.nodes, CONTROLLER, all_ack, late)
        order = ordered_by(order, knowledge)
    return order.mapped(late.mapped) if late.acks else order, folding


_LATE = "a slave that hears the controller before it appends a batch that is under way"
_STEPS = "it has steps for what these logs tell of, and none has to be guessed between two lines"
CLUSTER = LogFormat(
    read_cluster,
    refine,
    "TwoBrokersLateAcks.cfg",
    what="traces of `rmqproof cluster`",
    wider=("TwoBrokersLateBatches.cfg", _LATE),
)
ROCKETMQ = LogFormat(
    read_logs,
    what="controller.log, broker.log and store.log of RocketMQ from where they begin, beside the whole protocol, "
    "most of whose steps leave no line there; those from the start of the processes as `rocketmq-run`, unless --config "
    "or --constant is given",
    instead=Instead("rocketmq-run", _STEPS, begins_with_processes),
)
RECORDED = LogFormat(
    read_recorded,
    refine_recorded,
    config="RecordedSince54.cfg",
    what="the same logs from the start of the processes, beside what they tell of",
)
TRACED = LogFormat(
    read_traced,
    refine_traced,
    config=PROMISED,
    config_of=config_of,
    what="what RocketMQ's processes write with `--trace` (`rocketmq chaos`, `rocketmq failover`, `cluster`)",
)
