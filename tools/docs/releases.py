"""docs/releases.md: what is seen on which release of RocketMQ (`python -m tools.docs.releases [VERSION …]`).

It takes many minutes. With `--keep DIR` what was done on a release is kept there, and is not done again: a run that was
interrupted goes on, and of a new schedule only that is run. Remove the folder when anything else has changed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rmqproof.rocketmq.calls import read_calls
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.releases import Release, get_release
from rmqproof.rocketmq.replaying import Replayed, replay
from rmqproof.rocketmq.running import Outcome, run_schedules
from rmqproof.rocketmq.schedules import SCHEDULES

VERSIONS = ("5.0.0", "5.1.0", "5.1.1", "5.1.4", "5.2.0", "5.3.3", "5.4.0", "5.5.0", "5.5.1")
"""The newest patch of every minor release, and the patches with which a defect came or went."""
_BY_ADDRESS = ("5.0.0", "5.1.0")
_AT_ONCE = 3
_CALLS = Path(__file__).parents[2] / "tests" / "rocketmq" / "calls.ndjson.xz"
_WORDS = {True: "seen", False: "–", None: "not run"}


@dataclass(frozen=True, slots=True)
class Doers:
    """What is done on releases: fetch one, run schedules on it, ask it what was asked of another."""

    get: Callable[[str], Release] = get_release
    run: Callable[..., list[Outcome]] = run_schedules
    replay: Callable[..., Replayed] = replay


DOERS = Doers()


def outcomes_of(release: Release, kept: dict[str, Any], doers: Doers) -> list[Outcome]:
    """Of every schedule; those in `kept` are not run again unless they were late, and the others come into it."""
    known = kept.setdefault("schedules", {})
    missing = [each.id for each in SCHEDULES if each.id not in known or late(Outcome(**known[each.id]))]
    if missing:
        known |= {each.id: asdict(each) for each in doers.run(release, only=missing)}
    return [Outcome(**known[each.id]) for each in SCHEDULES]


def late(outcome: Outcome) -> bool:
    """Did the classes' threads not do in time what it waits for? On a busy machine that says nothing of the release."""
    return outcome.seen is None and outcome.what.startswith("TimeoutError")


def answers_of(release: Release, kept: dict[str, Any], doers: Doers) -> Replayed | None:
    """To the recorded requests, where the release knows brokers by their ids."""
    if release.version in _BY_ADDRESS:
        return None
    if "answers" not in kept:
        found = doers.replay(read_calls(_CALLS), release)
        kept["answers"] = {"asked": found.asked, "otherwise": dict(found.otherwise)}
    return Replayed(kept["answers"]["asked"], Counter(kept["answers"]["otherwise"]))


def tried(release: Release, keep: Path | None, doers: Doers) -> tuple[list[Outcome], Replayed | None]:
    print(release.version, file=sys.stderr)
    file = None if keep is None else keep / f"{release.version}.json"
    kept = json.loads(file.read_text(encoding="utf-8")) if file is not None and file.exists() else {}
    try:
        return outcomes_of(release, kept, doers), answers_of(release, kept, doers)
    finally:
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(kept, indent=1), encoding="utf-8")


def main(versions: tuple[str, ...], keep: Path | None = None, at_once: int = _AT_ONCE, doers: Doers = DOERS) -> None:
    calls = read_calls(_CALLS)
    releases = [doers.get(version) for version in versions]
    with ThreadPoolExecutor(at_once) as pool:
        found = list(pool.map(partial(tried, keep=keep, doers=doers), releases))
    outcomes, answers = [each[0] for each in found], [each[1] for each in found]
    for release, done in zip(releases, outcomes, strict=True):
        names = [each.id for each in done if late(each)]
        if names:
            remedy = "Run it again, with --keep, when less runs."
            raise RocketmqError(f"On {release.version} what {', '.join(names)} wait for did not come in time.", remedy)
    print("# What was seen on which release\n")
    print(
        "Made by `make releases`. Every cell was done by RocketMQ's own classes (`rmqproof rocketmq schedules VERSION`"
    )
    print('prints it for one release). *Seen* is a fact about that release; "–" says that this schedule does not bring')
    print(
        "it about there. *Not run*: what the schedule works with is not in that release, or otherwise (5.0.0 and 5.1.0"
    )
    print("know brokers by their addresses).\n")
    print(
        "`F-n` is a hazard of [hazards.md](hazards.md), `#n` a report to apache/rocketmq, *new* was found here and has"
    )
    print("no report that we know of. *Rule* is the operator of `spec/` that says it.\n")
    heads = [each.version for each in releases]
    print(f"| | what | rule | {' | '.join(heads)} |\n|---|---|---|{'---|' * len(heads)}")
    for row in zip(*outcomes, strict=True):
        first = row[0]
        rule = f"`{first.rule}`" if first.rule else ""
        print(f"| {first.id} | {first.title} | {rule} | {' | '.join(_WORDS[each.seen] for each in row)} |")
    for release in releases:
        if release.without:
            print(f"\n{release.version} is here without {', '.join(release.without)}, which the registry lacks.")
        if release.instead:
            others = ", ".join(each.replace("=", " of ") for each in release.instead)
            print(f"\n{release.version} is here with {others}, since the registry lacks its own.")
    print(f"\n## What the classes of {heads[-1]} did\n")
    for row in zip(*outcomes, strict=True):
        print(happened(list(zip(heads, row, strict=True))))
    print("\n## The same requests to the controller of each release\n")
    print(
        f"{len(calls):,} requests in different states, first asked of 5.5.0: those of the models of `make conform` and"
    )
    print(
        "of three-broker models, and random ones. Where an answer, a state or an event is another one it is counted.\n"
    )
    print("| release | asked | answered otherwise |\n|---|--:|---|")
    for release, answer in zip(releases, answers, strict=True):
        if answer is None:
            print(f"| {release.version} | 0 | its requests name brokers by address |")
            continue
        what = ", ".join(f"{name} {count:,}" for name, count in sorted(answer.otherwise.items()))
        print(f"| {release.version} | {answer.asked:,} | {what or 'none'} |")


def happened(row: list[tuple[str, Outcome]]) -> str:
    """What the newest release did, or where it lacks the classes the newest one that has them."""
    newest = row[-1][0]
    version, found = next((each for each in reversed(row) if each[1].seen is not None), row[-1])
    where = "" if version == newest else f"not run on {newest}; on {version} "
    return f"- **{found.id}**, {found.title}: {where}{found.what}."


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("versions", nargs="*", default=VERSIONS)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--at-once", type=int, default=_AT_ONCE)
    given = parser.parse_args()
    try:
        main(tuple(given.versions), given.keep, given.at_once)
    except RocketmqError as error:
        sys.exit(str(error))
