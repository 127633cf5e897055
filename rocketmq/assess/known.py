"""Known defects and hazards of a release that settings do not exclude, and which upgrade ends or brings them.

They are the modules of spec/bugs: each says on which releases it is (`RELEASES`), and a configuration that fails says
which property, so which of the operator's questions, and under which settings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rmqproof.model.tla.library import bundled
from rmqproof.rocketmq.maven import version_key
from rmqproof.rocketmq.release_rules import MINORS

_QUESTIONS = {
    "AckedDurability": "lose-acknowledged",
    "ConsumedStable": "read-truncated",
    "EventuallyMaster": "majority-stalls",
    "CommittedOffsetKept": "offsets-roll-back",
    "SecondLevelKept": "message-dropped",
    "LockMutex": "two-lock-holders",
}
"""Which of the operator's questions a property of the models answers."""
_SPAN = re.compile(r"(\d+\.\d+\.\d+) to (\d+\.\d+\.\d+)|(\d+\.\d+\.\d+)")


@dataclass(frozen=True, slots=True)
class Known:
    """`spans`: from which release to which, both with it; `releases`: how the module says it; `without_all_ack`: it is
    shown with allAckInSyncStateSet=false only."""

    name: str
    about: str
    question: str
    releases: str
    spans: tuple[tuple[str, str], ...]
    without_all_ack: bool

    def is_in(self, version: str) -> bool:
        key = version_key(version)
        return any(version_key(first) <= key <= version_key(last) for first, last in self.spans)


@cache
def all_known() -> tuple[Known, ...]:
    """Those that answer a question, by name."""
    folder = bundled("Issue9897.tla").parent
    configs = {path: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.cfg"))}
    found: dict[tuple[str, str], Known] = {}
    for module in sorted(folder.glob("*.tla")):
        match = re.search(r"\(\* RELEASES (.*?)\*\)", module.read_text(encoding="utf-8"), re.DOTALL)
        releases = " ".join(match[1].split()) if match is not None else ""
        for path, text in configs.items():
            known = _of_config(module, path, text, releases)
            if known is not None and known.spans:
                found.setdefault((known.name, known.question), known)
    return tuple(found.values())


def _of_config(module: Path, path: Path, text: str, releases: str) -> Known | None:
    named = re.search(r"^\\\* SPEC (\S+)", text, re.MULTILINE)
    if (Path(named[1]).stem if named is not None else path.stem) != module.stem:
        return None
    expected = re.search(r"^\\\* EXPECT (?:safety|liveness) failure (\w+)", text, re.MULTILINE)
    question = _QUESTIONS.get(expected[1]) if expected is not None else None
    if question is None:
        return None
    about = text.splitlines()[0].removeprefix("\\* ")
    without = re.search(r"^\s*AllAck = FALSE", text, re.MULTILINE) is not None
    return Known(module.stem, about, question, releases, spans_of(releases), without)


def spans_of(releases: str) -> tuple[tuple[str, str], ...]:
    """What stands before the first semicolon: `5.1.1 to 5.3.3`, `5.0.0 and 5.1.0`, `all`. Nothing for what was only
    reported, or never was."""
    said = releases.split(";")[0]
    if said.startswith("all"):
        return ((MINORS[0], MINORS[-1]),)
    if not said[:1].isdigit():
        return ()
    said = re.split(r",| by ", said)[0]
    return tuple((match[1], match[2]) if match[1] else (match[3], match[3]) for match in _SPAN.finditer(said))


def known_lines(version: str, questions: Sequence[str], all_ack: bool) -> Iterator[str]:
    """For people: what is known of the release for these questions, and what newer ones change."""
    asked = [each for each in all_known() if each.question in questions and not (each.without_all_ack and all_ack)]
    there = [each for each in asked if each.is_in(version)]
    yield f"Known of {version} that these settings do not exclude (docs/bugs):"
    for each in there:
        yield f"  {each.question}: {each.about} ({each.name}; {each.releases})"
    if not there:
        yield "  nothing that answers these questions"
    present = {each.name for each in there}
    for newer in (each for each in MINORS if version_key(each) > version_key(version)):
        now = {each.name for each in asked if each.is_in(newer)}
        gone, come = sorted(present - now), sorted(now - present)
        if gone or come:
            parts = [f"{word} {', '.join(names)}" for word, names in (("without", gone), ("with", come)) if names]
            yield f"  {newer} is {' and '.join(parts)}"
        present = now
