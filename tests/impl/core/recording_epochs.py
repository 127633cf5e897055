"""Answers of RocketMQ's own `EpochFileCache`, recorded like those of recording.py.

    python -m tests.impl.core.recording_epochs 5.3.1

Each line of the file: the entries, the end of the log, those of another cache, an epoch, an offset; then what the class
made of them.
"""

from __future__ import annotations

import gzip
import json
import sys
from random import Random
from typing import Any

from tests.impl.core.recording import ANSWERS

COUNT = 2_500


def entries(random: Random) -> list[list[int]]:
    """Ascending epochs and starts, as a log that grows makes them."""
    epochs = sorted(random.sample(range(1, 9), random.randint(0, 5)))
    starts = sorted(random.sample(range(0, 400, random.choice((1, 40))), len(epochs)))
    return [list(pair) for pair in zip(epochs, starts, strict=True)]


def related(random: Random, own: list[list[int]]) -> list[list[int]]:
    """Those of a broker that was slave or master of this one: a common beginning, then others."""
    common = own[: random.randint(0, len(own))]
    more = [pair for pair in entries(random) if not common or (pair[0] > common[-1][0] and pair[1] > common[-1][1])]
    return common + more


def main(version: str) -> None:
    from rmqproof.rocketmq import jvm
    from rmqproof.rocketmq.java import find_java
    from rmqproof.rocketmq.releases import open_release

    jpype = jvm.start(open_release(version), find_java())
    find = jpype.JClass
    autoswitch = "org.apache.rocketmq.store.ha.autoswitch"
    cache_class, array_list = find(f"{autoswitch}.EpochFileCache"), find("java.util.ArrayList")
    entry_class = find("org.apache.rocketmq.remoting.protocol.EpochEntry")

    def cache(own: list[list[int]], end: int | None = None) -> Any:
        """`end` closes the last entry, as `doTruncate` does before it looks for the consistent point."""
        made, listed = cache_class(), array_list()
        for epoch, start in own:
            listed.add(entry_class(epoch, start))
        made.initCacheFromEntries(listed)
        if end is not None:
            made.setLastEpochEntryEndOffset(end)
        return made

    def plain(found: Any) -> Any:
        return None if found is None else [int(found.getEpoch()), int(found.getStartOffset())]

    lines = []
    for number in range(COUNT):
        random = Random(f"{version} {number}")
        own = entries(random)
        other = related(random, own)
        end, other_end, epoch, offset = (random.choice((0, 40, 200, 400, random.randrange(450))) for _ in range(4))
        epoch %= 10
        whole = cache(own)
        answers: list[Any] = [
            int(whole.lastEpoch()),
            plain(whole.findEpochEntryByOffset(offset)),
            plain(whole.nextEntry(epoch)),
            int(cache(own, end).findConsistentPoint(cache(other, other_end))),
        ]
        for name, argument in (
            ("appendEntry", entry_class(epoch, offset)),
            ("truncateSuffixByEpoch", epoch),
            ("truncateSuffixByOffset", offset),
            ("truncatePrefixByOffset", offset),
        ):
            changed = cache(own)
            getattr(changed, name)(argument)
            answers.append([plain(each) for each in changed.getAllEntries()])
        lines.append([own, end, other, other_end, epoch, offset, answers])
    path = ANSWERS / f"EpochFileCache-{version}.json.gz"
    path.write_bytes(gzip.compress(json.dumps(lines, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1])
