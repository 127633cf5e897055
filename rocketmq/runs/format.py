"""The traces of `rmqproof cluster` and the logs of RocketMQ, as `rmqproof validate --mapping` asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rmqproof.conformance.runs.event import Event
from rmqproof.conformance.runs.folding import Folding
from rmqproof.conformance.runs.formats import LogFormat
from rmqproof.conformance.runs.happens_before import ordered_by
from rmqproof.conformance.runs.model import RunModel
from rmqproof.conformance.runs.order import Order
from rmqproof.conformance.runs.validation import Bounds
from rmqproof.rocketmq.logs import read_logs
from rmqproof.rocketmq.runs.cluster import CONTROLLER, read_cluster
from rmqproof.rocketmq.runs.demands import as_repaired, cluster_knowledge, with_late_acks
from rmqproof.rocketmq.runs.folding import LATE_ACKS, cluster_folding, specification_of


def refine(
    model: RunModel, events: Sequence[Event], order: Order, bounds: Bounds, *, demands: bool = True
) -> tuple[Order, Folding | None]:
    """What the rules of the protocol say about when things happen, where the specification has the repaired ones.

    Without `demands` the order is that of the nodes and the messages alone: the answer is the same, and takes longer.
    """
    folding = cluster_folding(model, events)
    if folding is None or bounds.lost:
        return order, folding
    all_ack = str(model.mapping.constants.get("AllAck", True)).upper() == "TRUE"
    late_acks = specification_of(model) == LATE_ACKS
    if demands:
        order = replace(order, events=tuple(map(as_repaired, order.events)))
        order = ordered_by(order, cluster_knowledge(order.events, CONTROLLER, all_ack, late_acks))
    if late_acks:
        order = replace(order, events=tuple(map(with_late_acks, order.events)))
    return order, folding


CLUSTER = LogFormat(read_cluster, refine, "TwoBrokersLateAcks.cfg")
ROCKETMQ = LogFormat(read_logs)
