"""docs/reproduced.md: which counterexamples the classes of which release carry out, from what
`rmqproof rocketmq reproduce … --json` wrote (`python -m tools.docs.reproduced FILE.json …`)."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from rmqproof.model.report.itf import read_itf
from rmqproof.rocketmq.walks.reproducing import OF_BROKERS
from tools.docs.bugs import TRACES, bugs, natural, outcomes

OURS = {
    "DecidedBeforeApplied": "the pause between a decision and its application",
    "DecidedBeforeAppliedThree": "the pause between a decision and its application",
    "Issue4442": "the pause between a decision and its application",
    "InsufficientIdentity": "the disk that comes back empty under its brokerId",
    "InsufficientNotice": "the notification that a restarted broker obeys",
    "QueuedProposalOutlivesReign": "the numbers that a proposal gets when it is sent",
    "LastProposalOnly": "the numbers that a proposal gets when it is sent",
    "Issue7017": "a setting that asks for one copy only",
    "InsufficientFlush": "the machine that loses what was not forced to the disk",
    "InsufficientResumeAfterLoss": "the machine that loses what was not forced to the disk",
}
"""Of these stories the decisive part is none of the classes that run here."""


_HEAD = """# Counterexamples on the classes of releases

Made by `make reproduced`, which is `rmqproof rocketmq reproduce traces/*.itf.json --version … --json FILE` and
`python -m tools.docs.reproduced FILE`, on a busy machine. *Reproduced*: every step was carried out, and the
property is false on the logs, epoch files, sets and answers that are there. *Left*: the classes do not take that step;
the command says what they do instead. *Holds*: every step was carried out, and the property holds. The seconds are from
making the stores to their end; one JVM does twelve stories.

The models of `traces/` have one wrong rule and are otherwise repaired, the classes are not. So a story can be
reproduced on a release that has repaired its rule, by another one (`Issue9942` by F-20, `Issue7441` by F-18); and can
end early on one that has it. A column says what the classes did, and not which reports are repaired.
"""


def cell(found: dict[str, Any] | None) -> str:
    if found is None or "unfit" in found:
        return ""
    done = len(found["steps"]) - 1
    if found["broken"]:
        return "reproduced"
    return f"left at step {done + 1}" if found["left"] else "holds"


def page(results: list[dict[str, Any]]) -> str:
    releases = list(dict.fromkeys(each["version"] for each in results))
    by = {(each["name"], each["version"]): each for each in results}
    names = sorted({each["name"] for each in results if "unfit" not in each})
    lines = [_HEAD]
    for version in releases:
        there = [by[name, version] for name in names if (name, version) in by and "unfit" not in by[name, version]]
        broken = [each for each in there if each["broken"]]
        own = [each for each in broken if each["name"] in OURS]
        times = sorted(each["seconds"] for each in there)
        lines.append(
            f"- {version}: {len(broken)} of {len(there)} reproduced, of {len(own)} of them the decisive part is ours;"
            f" median {times[len(times) // 2]:.1f} s, nine in ten within {times[len(times) * 9 // 10]:.1f} s"
        )
    lines += ["", f"| counterexample | property | {' | '.join(releases)} | decisive and ours |"]
    lines.append(f"|---|---|{'---|' * len(releases)}---|")
    for name in names:
        row = [by.get((name, version)) for version in releases]
        violated = next(each["violated"] for each in row if each is not None and "unfit" not in each)
        cells = " | ".join(cell(each) for each in row)
        lines.append(f"| {name} | `{violated}` | {cells} | {OURS.get(name, '')} |")
    schedules = schedules_of()
    lines += ["", "## Where the classes of the newest one left", ""]
    for name in names:
        found = by.get((name, releases[0]))
        if found is not None and found.get("left"):
            by_itself = f" By a schedule: {', '.join(schedules[name])}." if name in schedules else ""
            lines.append(f"- **{name}**, step {len(found['steps'])}: {found['left']}.{by_itself}")
    return "\n".join([*lines, *others(names)]) + "\n"


def schedules_of() -> dict[str, list[str]]:
    """Of each trace the schedules of docs/releases.md that are about the same defect."""
    known = outcomes().keys()
    return {
        config.path.stem: sorted(bug.ids & known, key=natural)
        for bug in bugs()
        for config in bug.configs
        if config.trace.exists() and bug.ids & known
    }


def others(names: Collection[str]) -> Iterator[str]:
    """The traces that are no stories for stores and a controller, and why."""
    scheduled: list[str] = []
    endless: list[str] = []
    elsewhere: list[str] = []
    schedules = schedules_of()
    for path in sorted(TRACES.glob("*.itf.json")):
        name = path.name.removesuffix(".itf.json")
        if name in names:
            continue
        if name in schedules:
            scheduled.append(f"{name} ({', '.join(schedules[name])})")
        else:
            about_brokers = set(read_itf(path).variables) >= OF_BROKERS
            (endless if about_brokers else elsewhere).append(name)
    yield f"\n## The other {len(scheduled) + len(endless) + len(elsewhere)} traces\n"
    yield f"- {len(scheduled)} have schedules of their own on the classes ([releases.md](releases.md)):"
    yield f"  {', '.join(scheduled)}."
    yield f"- {len(endless)} break a property of behaviours without end, which no finite run breaks:"
    yield f"  {', '.join(endless)}."
    yield f"- {len(elsewhere)} are of other models than brokers and their logs, so not of the classes that run here"
    yield f"  (registration, the controllers' Raft, POP, SlaveActingMaster mode and others): {', '.join(elsewhere)}."


def main(files: list[str]) -> None:
    results = [each for file in files for each in json.loads(Path(file).read_text(encoding="utf-8"))]
    sys.stdout.write(page(results))


if __name__ == "__main__":
    main(sys.argv[1:])
