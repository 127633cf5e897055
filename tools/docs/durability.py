"""`make matrix`: docs/durability.md and its pictures, made anew."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rmqproof.model.report.diagram import behaviour_dot
from rmqproof.model.report.itf import write_itf
from rmqproof.model.report.render import render
from rmqproof.rocketmq.assess.examination import Answer
from rmqproof.rocketmq.assess.faults import EACH_FAULT
from rmqproof.rocketmq.assess.lemmas import theorem
from rmqproof.rocketmq.assess.matrix import Row, combinations, matrix, plot
from rmqproof.rocketmq.assess.scenario import bounds_under
from rmqproof.rocketmq.assess.state_space import Explore
from rmqproof.rocketmq.assess.story import story

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "traces" / "durability"
DOCUMENT = ROOT / "docs" / "durability.md"

_HEAD = """# Which settings lose an acknowledged message

Made by `make matrix` from `spec/core/Operations.tla`: {cells} cells, {states:,} states explored.

Each row is a broker set under Controller mode, each column a class of faults. **lost** links to the picture of a
shortest way to lose a message whose producer was told SEND_OK; **kept** was explored to the end within these bounds.
**proved** was explored so, too, and follows from an invariant of the whole protocol that a solver has proved for every
number of messages, epochs and faults of the column's kind ([the lemmas](lemmas.md#what-an-operator-was-promised)). With
unclean elections that is so while notifications come at once, as they do in these models: a late one may make a broker
lead an epoch below the last one of its file ([F-24](bugs/RefusedRoleTaken.md)).
The rules are the repaired ones (`spec/core/Rules.tla`), with flush and acknowledgement as RocketMQ documents them: a
slave reports what it has received, flushed or not; minInSyncReplicas is asked before the append only. What the shipped
code gets wrong beyond its settings is in [bugs.md](bugs.md).

{faults}

`inSyncReplicas` has no effect beside `allAckInSyncStateSet=true`, and no row shows `minInSyncReplicas` to save a
message: the SyncStateSet may shrink between the append and the answer. A machine or power failure that loses no bytes
is a process crash: read that column, too.
"""


def main() -> None:
    deployments = list(combinations())
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(os.cpu_count() or 1, mp_context=context) as executor:
        rows = list(matrix(Explore(), executor, deployments))
    if any(answer.yes is None for row in rows for answer in row.answers):
        sys.exit("A search did not come to its end.")
    DOCUMENT.write_text(document(rows), encoding="utf-8")
    _pictures(rows)


def document(rows: Sequence[Row]) -> str:
    answers = [answer for row in rows for answer in row.answers]
    faults = "\n".join(f"- **{each}**: {each.sentence} ({bounds_under(each)})." for each in EACH_FAULT)
    parts = [
        _HEAD.format(
            cells=len(answers),
            states=sum(answer.distinct for answer in answers),
            faults=faults,
        )
    ]
    for replicas in sorted({row.deployment.replicas for row in rows}):
        parts.append(f"## {replicas} replicas\n")
        parts.append("| acks | minInSyncReplicas | unclean election | flush |" + "".join(f" {f} |" for f in EACH_FAULT))
        parts.append("|---|---|---|---|" + "---|" * len(EACH_FAULT))
        parts += [_line(row) for row in rows if row.deployment.replicas == replicas]
        parts.append("")
    parts.append("## The ways to lose\n")
    for name, answer in sorted(_plots(rows).items()):
        assert answer.behaviour is not None
        parts.append(f"### {name}\n\nUnder {answer.faults}, with {', '.join(answer.deployment.settings())}:\n")
        parts += [f"{number}. {sentence}" for number, sentence in enumerate(story(answer.behaviour), 1)]
        parts.append(f"\n[picture](../traces/durability/{name}.svg)\n")
    return "\n".join(parts).rstrip() + "\n"


def _line(row: Row) -> str:
    d = row.deployment
    acks = "allAckInSyncStateSet" if d.all_ack else f"inSyncReplicas={d.in_sync_replicas}"
    flush = "SYNC_FLUSH" if d.sync_flush else "ASYNC_FLUSH"
    cells = " | ".join(map(cell, row.answers))
    return f"| {acks} | {d.min_in_sync_replicas} | {'yes' if d.unclean_election else 'no'} | {flush} | {cells} |"


def cell(answer: Answer) -> str:
    if answer.behaviour is None:
        return "proved" if theorem(answer.deployment, answer.faults.classes) else "kept"
    return f"[lost](../traces/durability/{_name(answer)}.svg)"


def _name(answer: Answer) -> str:
    assert answer.behaviour is not None
    return f"{answer.faults}-{plot(answer.behaviour)}"


def _plots(rows: Sequence[Row]) -> dict[str, Answer]:
    """The first answer of each story."""
    plots: dict[str, Answer] = {}
    for row in rows:
        for answer in row.answers:
            if answer.behaviour is not None:
                plots.setdefault(_name(answer), answer)
    return plots


def _pictures(rows: Sequence[Row]) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    for old in PICTURES.iterdir():
        old.unlink()
    for name, answer in _plots(rows).items():
        assert answer.behaviour is not None
        write_itf(answer.behaviour, PICTURES / f"{name}.itf.json")
        render(behaviour_dot(answer.behaviour), PICTURES / f"{name}.svg")


if __name__ == "__main__":
    main()
