"""docs/upstream and docs/hazards.md: where each report and each hazard was seen, what happened there, and the index of
the reports, from docs/releases.md (`python -m tools.docs.upstream`).

The reports themselves are written by hand. Which schedule a report is about is in its last block.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.docs.bugs import DOCS, natural, seen_on, seen_on_processes

FOLDER = DOCS / "upstream"
NEWEST = "5.5.1"
SEVERITIES = (
    "acknowledged messages are lost with `allAckInSyncStateSet=true` and clean elections",
    "logs or what consumers read differ after a failover",
    "a broker or the controller stops or waits for an operator",
    "a wrong answer without a consequence that we know of",
)
_SAME = {
    "F-6": "#9897 InsufficientExpansion",
    "F-44": "#10578",
    "F-61": "InsufficientRemoval",
    "F-62": "InsufficientTruncation",
    "F-70": "NumberMayReturn",
}
_NOT_HERE = {
    "F-29": "`ReplicasManager`'s, of a broker's process",
    "F-30": "no defect; requests that are lost are the network's",
    "F-31": "the time between two scans, of a controller's process",
    "F-32": "the controller's Raft (DLedger, JRaft), several processes",
    "F-33": "the controller's Raft (DLedger, JRaft), several processes",
    "F-34": "threads of a controller's process; no defect",
    "F-35": "the controller's Raft (DLedger, JRaft), several processes",
    "F-38": "a broker's services beside the store; two of them are F-51 and F-52",
    "F-39": "no defect",
}
"""Why no schedule on the classes shows it."""
_HEAD = """# Reports for apache/rocketmq

What was seen on released classes or processes and, as far as we know, nobody has reported, the worst first. Each has
the steps, what is expected and what happened, and the smallest change that helps; `rmqproof rocketmq schedules VERSION`
shows it again. Written by hand; this index, "seen on" and "what happened" are from [releases.md](../releases.md)
(`make releases`) and, where the classes alone cannot show it, from [on-processes.md](../on-processes.md).

The severity is what can follow. What a report calls seen was done by the classes; what it calls the model's or inferred
was not. The loss itself was seen on classes alone for
[truncation-keeps-epochs](truncation-keeps-epochs.md), on three real stores, and for
[acknowledged-alone](acknowledged-alone.md), [acknowledged-before-the-mark](acknowledged-before-the-mark.md) and
[expansions-together](expansions-together.md), on a real store and scripted slaves; and for
[same-epoch-labelled-anew](same-epoch-labelled-anew.md) on two real stores of 5.1.4 and 5.3.3.

| severity | report | schedule | seen on |
|---|---|---|---|
"""


@dataclass(frozen=True, slots=True)
class Report:
    """A page; `schedule` is the id of the schedule that shows it."""

    path: Path
    title: str
    severity: str
    schedule: str


def reports(folder: Path = FOLDER) -> list[Report]:
    """Every page, the worst first. Raise `ValueError` for a page that lacks something."""
    found = []
    for path in sorted(folder.glob("*.md")):
        if path.name == "README.md":
            continue
        text = path.read_text(encoding="utf-8")
        severity = re.search(r"^\*\*Severity\.\*\* (.*)\.$", text, re.MULTILINE)
        schedule = re.search(r'--only "([^"]+)"', text)
        if severity is None or severity[1] not in SEVERITIES or schedule is None:
            raise ValueError(f"{path}: it names no severity of tools.docs.upstream, or no schedule")
        found.append(Report(path, text.split("\n")[0].removeprefix("# "), severity[1], schedule[1]))
    return sorted(found, key=lambda each: (SEVERITIES.index(each.severity), each.title))


def what_happened() -> dict[str, str]:
    """By schedule, what the classes of the newest release did; or its processes, of one that only they can do."""
    text = (DOCS / "releases.md").read_text(encoding="utf-8")
    titles = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|", text, re.MULTILINE))
    told = re.findall(r"^- \*\*([^*]+)\*\*, (.*)$", text, re.MULTILINE)
    classes = {name: said.removeprefix(f"{titles[name]}: ") for name, said in told}
    processes = {name: f"{[*by.values()][-1]}." for name, by in seen_on_processes().items()}
    return {**processes, **classes}


def filled(report: Report) -> str:
    """The page with where it was seen and what happened. Raise `ValueError` for a schedule that was not seen."""
    releases = seen_on().get(report.schedule, ())
    if not releases:
        raise ValueError(f"{report.path}: {report.schedule} was not seen on any release")
    text = report.path.read_text(encoding="utf-8")
    text = re.sub(r"^\*\*Seen on\.\*\*.*$", f"**Seen on.** {', '.join(releases)}.", text, flags=re.MULTILINE)
    happened = what_happened()[report.schedule].replace("\\", "\\\\")
    return re.sub(r"^\*\*What happened\.\*\*.*$", f"**What happened.** {happened}", text, flags=re.MULTILINE)


def index(found: list[Report]) -> str:
    rows = []
    for each in found:
        releases = ", ".join(seen_on()[each.schedule])
        rows.append(f"| {each.severity} | [{each.title}]({each.path.name}) | {each.schedule} | {releases} |")
    return _HEAD + "\n".join(rows) + "\n"


def hazards(text: str) -> str:
    """docs/hazards.md with the column "seen on", the last one of the table of the hazards."""
    lines, within = [], False
    for line in text.split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split(" | ")] if line.startswith("| ") else []
        within = (within and bool(line.startswith("|"))) or cells[:2] == ["id", "what"]
        if not within:
            lines.append(line)
        elif cells[:1] == ["id"]:
            lines.append("| id | what | status | where, or why not | seen on |")
        elif line.startswith("|--"):
            lines.append("|---|---|---|---|---|")
        else:
            lines.append(f"| {' | '.join(cells[:4])} | {_seen(cells)} |")
    return "\n".join(lines)


def _seen(cells: list[str]) -> str:
    """By a schedule; else by a counterexample that was carried out; else why not."""
    by_schedule = ", ".join(_releases_of(cells[0]))
    if by_schedule or cells[0] in _NOT_HERE:
        return by_schedule or _NOT_HERE[cells[0]]
    models = [each for each in reproduced() if f"`{each}`" in cells[3]]
    found = {release for each in models for release in reproduced()[each]}
    return f"{', '.join(sorted(found, key=natural))} ([carried out](reproduced.md))" if found else ""


@cache
def reproduced() -> dict[str, tuple[str, ...]]:
    """Of each counterexample of docs/reproduced.md the releases that do all of it, where nothing decisive is ours."""
    lines = (DOCS / "reproduced.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    heads = rows[0]
    return {
        row[0]: tuple(head for head, cell in zip(heads[2:-1], row[2:-1], strict=True) if cell.startswith("reproduced"))
        for row in rows[1:]
        if not row[-1]
    }


def _releases_of(hazard: str) -> tuple[str, ...]:
    """By the schedule of the hazard, or by those of the reports that are the same."""
    seen = seen_on()
    same = {release for each in _SAME.get(hazard, "").split() for release in seen.get(each, ())}
    return seen.get(hazard) or tuple(sorted(same, key=natural))


def main() -> None:
    found = reports()
    for each in found:
        each.path.write_text(filled(each), encoding="utf-8")
    (FOLDER / "README.md").write_text(index(found), encoding="utf-8")
    page = DOCS / "hazards.md"
    page.write_text(hazards(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
