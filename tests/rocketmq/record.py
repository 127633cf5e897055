"""Write calls.ndjson.xz anew: what the controller of a release answered, to hold ours to it where there is no Java.

    python -m tests.rocketmq.record 5.5.0 CALLS

CALLS is a folder that `rmqproof conform … --rocketmq 5.5.0 --calls CALLS` left, for the models; 3,000 random requests
are added.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rmqproof.rocketmq.calls import Call, read_calls, write_calls
from rmqproof.rocketmq.random_calls import questions
from rmqproof.rocketmq.releases import get_release
from rmqproof.rocketmq.worker import Worker

FILE = Path(__file__).parent / "calls.ndjson.xz"


def main(version: str, folder: str) -> None:
    worker = Worker(get_release(version))
    calls = read_calls(Path(folder))
    print(f"{len(calls):,} different requests of the models")
    calls += [Call(*question, *worker.call("ask", *question)) for question in questions(19, 3_000)]
    write_calls(FILE, calls)
    print(f"{len(calls):,} requests, {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
