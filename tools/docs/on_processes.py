"""docs/on-processes.md: what schedules on processes saw, and how often, from the tries that
`rmqproof rocketmq schedules VERSION --processes --save tools/docs/on_processes.jsonl` keeps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rmqproof.rocketmq.maven import version_key
from rmqproof.rocketmq.processes.schedules.all import PROCESS_SCHEDULES
from rmqproof.rocketmq.processes.tries import Try, rate, read_tries

KEPT = Path(__file__).with_suffix(".jsonl")
PAGE = Path(__file__).parents[2] / "docs" / "on-processes.md"
_HEAD = """# Defects and hazards, brought about on processes

Made by `rmqproof rocketmq schedules VERSION --processes --times N --dir DIR --save tools/docs/on_processes.jsonl` for
each release (a command that was stopped goes on where it was), and `make on-processes`. Each try has a cluster of its
own: a name server, a controller and two or three brokers, all processes of the release, with relays between them;
`SIGSTOP`, `kill -9`, losses of power, held and broken connections and requests of an administrator are the steps.
*Seen* is read from logs on the disks, epoch files, consume queues, what the controller answers, and what producers
and consumers were told. The seconds are the median of a try with the start of its cluster, on two processors with
much other work. A try that *did not begin* says nothing of the defect: what its schedule needs first did not come, most
often a first master within 120 s, while other work had both processors.
"""


def page(tries: Sequence[Try]) -> str:
    return "\n".join([_HEAD, *_reported(tries), *_hazards(tries), *_seen(tries), *_releases(tries)]) + "\n"


def _of(tries: Sequence[Try], id: str) -> dict[str, list[Try]]:
    """By release, the oldest first."""
    versions = sorted({each.version for each in tries if each.id == id}, key=version_key)
    return {version: [each for each in tries if (each.id, each.version) == (id, version)] for version in versions}


def _reported(tries: Sequence[Try]) -> Iterator[str]:
    yield "## Reported: on a release that has it, and on one with the repair"
    yield "\n| | what | steps | has it | seen | repaired | seen |\n|---|---|---|---|---|---|---|"
    for each in PROCESS_SCHEDULES:
        by = _of(tries, each.id)
        if not each.fixed_in or not by:
            continue
        has = [version for version in by if version_key(version) < version_key(each.fixed_in)]
        cells = []
        for version in next(iter(has), ""), next((version for version in by if version not in has), ""):
            cells += [version, rate(by[version]) if version else "not tried"]
        yield f"| {each.id} | {each.title} | {each.steps} | {' | '.join(cells)} |"


def _hazards(tries: Sequence[Try]) -> Iterator[str]:
    yield "\n## Hazards that nobody has reported\n\n| | what | steps | release | seen |\n|---|---|---|---|---|"
    for each in PROCESS_SCHEDULES:
        for version, there in _of(tries, each.id).items() if not each.fixed_in else ():
            yield f"| {each.id} | {each.title} | {each.steps} | {version} | {rate(there)} |"


def _seen(tries: Sequence[Try]) -> Iterator[str]:
    yield "\n## What was done and seen, of one try each\n"
    for each in PROCESS_SCHEDULES:
        for version, there in _of(tries, each.id).items():
            decided = [one for one in there if one.seen is not None] or there
            yield f"- **{each.id}**, {version}: {decided[-1].what.rstrip('.')}."


def _releases(tries: Sequence[Try]) -> Iterator[str]:
    mixed = sorted({each.release for each in tries if " with" in each.release})
    if mixed:
        yield (
            "\nWhat a registry lacks was taken of another release (`rmqproof rocketmq get --instead`): "
            + "; ".join(mixed)
            + "."
        )


if __name__ == "__main__":
    PAGE.write_text(page(list(read_tries(KEPT))), encoding="utf-8")
