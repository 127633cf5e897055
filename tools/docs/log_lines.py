"""The log lines of the reports in docs/upstream: what the newest release logs while a report's schedule is run
(`python -m tools.docs.log_lines [PAGE.md …]`, all pages without names). Each schedule has a JVM of its own."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection

from rmqproof.rocketmq.releases import get_release
from rmqproof.rocketmq.running import run_schedules
from tools.docs.upstream import NEWEST, Report, reports

_MOST = 10
_ABOUT = re.compile(
    r"ERROR|WARN|xception|poch|yncStateSet|confirmOffset|[Ee]lect|[Tt]runcat|[Hh]andshake|caught up|slave|lave report"
)
_OF_THE_BENCH = re.compile(
    r"thread|service|OS picked|processReadEvent|file lock|mapped|cost \d+ ?ms|interrupt|magic code|read socket"
    r"|SocketEx",
    re.IGNORECASE,
)
"""What says how stores were started and ended, and how fast."""
_BLOCK = re.compile(r"\*\*Log lines\.\*\*.*?\n\n(?:```\n.*?```\n\n)?(?=\*\*)", re.DOTALL)


def telling(logged: Collection[str]) -> list[str]:
    """Of what was logged the lines about roles, epochs, sets and connections, each once, the last ones."""
    found = [each for each in logged if _ABOUT.search(each) and not _OF_THE_BENCH.search(each)]
    return list(dict.fromkeys(found))[-_MOST:]


def block(report: Report, logged: Collection[str]) -> str:
    lines = telling(logged)
    command = f'`rmqproof rocketmq schedules {NEWEST} --only "{report.schedule}" --log FILE`'
    if not lines:
        return f"**Log lines.** None about it: {command}\nwrites nothing of roles, epochs, sets or connections.\n\n"
    text = "\n".join(lines)
    head = f"**Log lines.** Of {command},\nthe last ones about roles, epochs, sets and connections:"
    return f"{head}\n\n```\n{text}\n```\n\n"


def with_lines(page: str, new: str) -> str:
    """In the place of its own, or before it is said why."""
    if _BLOCK.search(page):
        return _BLOCK.sub(lambda _: new, page, count=1)
    return page.replace("**Why.**", f"{new}**Why.**", 1)


def main(names: Collection[str]) -> None:
    release = get_release(NEWEST)
    for report in reports():
        if not names or report.path.name in names:
            (found,) = run_schedules(release, only=[report.schedule], logged=True)
            page = report.path.read_text(encoding="utf-8")
            report.path.write_text(with_lines(page, block(report, found.logged)), encoding="utf-8")
            print(f"{report.path.name}: {len(found.logged)} lines logged", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
