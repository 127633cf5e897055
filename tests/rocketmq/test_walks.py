"""Brokers' steps of a model on real stores, by walks; a rule of another release is found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rmqproof.conformance.subject import open_files
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.walks.graph import Tour, graph_of
from rmqproof.rocketmq.walks.walking import OF_BROKERS, walk

ALL_ACK = {"allAckInSyncStateSet": True}
SINCE = ModelFiles(bundled("InsufficientTruncation.tla"), bundled("CopySince54.cfg"))


def smaller(rule: str = "") -> ModelFiles:
    text = "CONSTANTS\n  MaxPuts = 1\n" + rule
    return replace(SINCE, overrides=replace(SINCE.overrides, text=f"{SINCE.overrides.text}\n{text}"))


def test_a_tour_takes_every_edge_once_it_is_reached() -> None:
    graph = graph_of(open_files(smaller()))
    tour = Tour(graph, range(len(graph.edges)))
    while tour.left:
        at = 0
        for edge in tour.next_walk():
            assert edge.source == at
            at = edge.target
            tour.left.discard(edge.place)
    assert {edge.action for edge in graph.edges} & OF_BROKERS


def test_what_was_taken_is_kept_on_the_way() -> None:
    """Ctrl-C at the fourth step: a store that takes everything has taken three."""
    calls = iter([[], [], []])

    class Willing:
        def __init__(self, *_: object) -> None: ...

        def call(self, name: str, *_: object) -> object:
            if name == "walk_take":
                try:
                    return next(calls)
                except StopIteration:
                    raise KeyboardInterrupt from None
            return 0 if name == "walk_open_files" else []

        def close(self) -> None: ...

    kept: list[int] = []
    graph = graph_of(open_files(smaller()))
    with pytest.raises(KeyboardInterrupt):
        walk(
            *(graph, Release("5.9.0", "", ()), None, ALL_ACK),
            keep=lambda places: kept.append(len(places)),
            kept_after=-1.0,
            start=Willing,
        )
    assert kept and kept[-1] > 0 and kept == sorted(kept)


@pytest.mark.large
def test_the_stores_take_every_step(newest: Release) -> None:
    graph = graph_of(open_files(smaller()))
    report = walk(graph, newest, None, ALL_ACK)
    assert not report.different, report.differences
    assert not report.unreached
    assert len(report.taken) + sum(report.skipped.values()) == report.broker_edges > 20


def test_the_rule_of_another_release_is_a_difference(newest: Release) -> None:
    """Since 5.4.0 the epoch file is not cut in a handshake."""
    graph = graph_of(open_files(smaller("  EpochFileAfterHandshake <- EpochFileAfterHandshakeAsShipped\n")))
    report = walk(graph, newest, None, ALL_ACK, most_different=1)
    assert report.different["SlaveConnectsAndTruncates"], report.differences
    assert "epochFile" in report.differences[0]
