"""docs/rules.md: which rules hold on which release, and which defects it has (`python -m tools.docs.rules`)."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from rmqproof.rocketmq.assess.known import spans_of
from rmqproof.rocketmq.maven import version_key
from rmqproof.rocketmq.release_rules import MINORS, READINGS, rules_of, shipped_rules
from tools.docs.bugs import Bug, bugs, outcomes
from tools.docs.upstream import reproduced

_HEAD = """# Which rules hold on which release

Made by `python -m tools.docs.rules` from `rocketmq/release_rules.py`, the modules of `spec/bugs` and
[releases.md](releases.md). The columns are the newest patch of every minor release that can be had, and where rules
changed within one. Of 5.3 that is 5.3.3: 5.3.4 is published without `rocketmq-remoting` and five other parts, as
`rmqproof rocketmq get 5.3.4` says.

## Rules of the protocol

The names are those of [`Rules.tla`](../spec/core/Rules.tla), where each has its repaired reading. *shipped* is the
reading of [`AsShipped.tla`](../spec/core/AsShipped.tla), *repaired* that of `Rules.tla`; another name is an operator of
`AsShipped.tla` or of a module of `spec/bugs` or `spec/releases`; `TransferEnd` is a rule of `AsShipped.tla` alone.
`rmqproof assess --rocketmq VERSION` answers with these rules. From 5.1.1 on they were held against the classes by
`conform`, `walk` and the schedules ([real.md](real.md)); of 5.0.0 and 5.1.0, which know brokers by their addresses,
only the rows with other names, and those with a schedule, were looked at.
Up to 5.3.x a slave also remembers the epoch of its last header (`HeaderEpochRemembered`), which takes more state than
these models have.
"""
_DEFECTS = """
## Defects and hazards

A row for each module of [`spec/bugs`](bugs.md) that says its releases. What RocketMQ's own classes did comes first:
**seen** or not seen by a schedule ([releases.md](releases.md)), *carried out*: they took the steps of its
counterexample ([reproduced.md](reproduced.md)). Else what the module's RELEASES say by the sources: yes, – (not,
repaired, or without what the rule is about), *not published* (the registry lacks that part of the release).
"""
_NOT_IN = re.compile(r"not in (\d+\.\d+\.\d+)(?: to (\d+\.\d+\.\d+))?")
_UNPUBLISHED = re.compile(r"of (\d+\.\d+\.\d+) no \w+ is published")


def page() -> str:
    return "\n".join([_HEAD, *_rules(), _DEFECTS, *_defects()]) + "\n"


def _rules() -> Iterator[str]:
    yield f"| rule | {' | '.join(MINORS)} |"
    yield f"|---|{'---|' * len(MINORS)}"
    by_release = [dict(rules_of(version)) for version in MINORS]
    shipped = dict(shipped_rules())
    for rule in dict.fromkeys([*shipped, *(each.rule for each in READINGS)]):
        cells = []
        for known in by_release:
            operator = known.get(rule)
            cells.append(
                "repaired" if operator is None else "shipped" if operator == shipped.get(rule) else f"`{operator}`"
            )
        yield f"| `{rule}` | {' | '.join(cells)} |"


def _defects() -> Iterator[str]:
    yield f"| | {' | '.join(MINORS)} | RELEASES |"
    yield f"|---|{'---|' * len(MINORS)}---|"
    for bug in bugs():
        if bug.releases:
            cells = " | ".join(_cell(bug, version) for version in MINORS)
            yield f"| [{bug.name}](bugs/{bug.name}.md) | {cells} | {bug.releases} |"


def _cell(bug: Bug, version: str) -> str:
    done = {word for name, row in outcomes().items() if name in bug.ids for head, word in row if head == version}
    if "seen" in done:
        return "**seen**"
    if any(version in reproduced().get(config.path.stem, ()) for config in bug.configs):
        return "*carried out*"
    return "not seen" if "–" in done else by_the_sources(bug.releases, version)


def by_the_sources(releases: str, version: str) -> str:
    """Of what a module says: yes, –, not published, or ? where it says nothing of that release."""
    spans, key = spans_of(releases), version_key(version)
    if any(version_key(first) <= key <= version_key(last) for first, last in spans):
        return "yes"
    fixed = re.search(r"fixed in (\d+\.\d+\.\d+)", releases)
    if re.match(r"none|never|up to", releases) or (fixed is not None and key >= version_key(fixed[1])):
        return "–"
    if any(version_key(first) <= key <= version_key(last or first) for first, last in _NOT_IN.findall(releases)):
        return "–"
    if version in _UNPUBLISHED.findall(releases):
        return "*not published*"
    return "–" if spans and key < version_key(spans[0][0]) and "before" in releases else "?"


def main() -> None:
    sys.stdout.write(page())


if __name__ == "__main__":
    main()
