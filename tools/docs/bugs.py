"""What `spec/bugs` says about each bug: its comments, its configurations, its counterexample, where it was seen."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rmqproof.model.checking.expectation import Expectation, read_expectation
from rmqproof.model.report.itf import read_itf
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.library import bundled
from rmqproof.rocketmq.processes.tries import read_tries
from tools.docs.on_processes import KEPT

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "spec"
BUGS = SPEC / "bugs"
TRACES = ROOT / "traces"
DOCS = ROOT / "docs"

KINDS = {
    "Issue": "Reported defects",
    "Hazard": "Hazards read from the code",
    "Insufficient": "Repairs that are not enough",
    "": "Other rules that look right",
}

REPORTED = ("reported", "inferred", "read from the code", "by the design", "a weak rule")
"""The first words of a REPORT comment: a thread describes it; it was concluded from a change or from a thread about
something else; found in the Java, without a report; settings or documentation promise no more; not from RocketMQ."""


@dataclass(frozen=True, slots=True)
class Config:
    """One configuration of a bug's module."""

    path: Path
    shows: str
    expectation: Expectation
    replaced: tuple[tuple[str, str], ...]

    @property
    def fails(self) -> bool:
        return self.expectation.verdict is not Verdict.SUCCESS

    @property
    def fixed(self) -> bool:
        return self.path.stem.endswith("Fixed")

    @property
    def trace(self) -> Path:
        return TRACES / f"{self.path.stem}.itf.json"

    @property
    def picture(self) -> Path:
        return TRACES / f"{self.path.stem}.svg"

    @property
    def steps(self) -> int | None:
        """Of the counterexample, the start among them; None without one."""
        return len(read_itf(self.trace).steps) if self.trace.exists() else None


@dataclass(frozen=True, slots=True)
class Bug:
    """A module of `spec/bugs` with its configurations, failing ones first."""

    module: Path
    about: str
    code: str
    """Where the Java does it; empty for what no longer is in the snapshot, and for rules that were never shipped."""
    report: str
    """Begins with one of `REPORTED`; then the threads, and what they say."""
    releases: str
    """Which releases have it, from the history and the sources of RocketMQ; empty where nothing was looked up."""
    configs: tuple[Config, ...]

    @property
    def name(self) -> str:
        return self.module.stem

    @property
    def kind(self) -> str:
        if self.about.startswith(("Hazard F-", "Hazards F-")):
            return "Hazard"
        return next(kind for kind in KINDS if self.name.startswith(kind))

    @property
    def ids(self) -> frozenset[str]:
        """Its names in docs/releases.md: the module's, those of its configurations, the hazard or the reports that the
        first sentence names."""
        first = self.about.split(". ")[0]
        named = set(re.findall(r"\bF-\d+\b", first)) if self.kind == "Hazard" else set()
        named |= {f"#{number}" for number in re.findall(r"^Issue(\d+)$", self.name)}
        named |= set(re.findall(r"#\d+", first)) if self.kind == "Issue" else set()
        return frozenset(named | {self.name} | {config.path.stem for config in self.configs})


def bugs() -> list[Bug]:
    """Every module, in the order of the index. Raise `ValueError` for one without a failing configuration."""
    found = []
    configs: dict[str, list[Config]] = {}
    for path in sorted(BUGS.glob("*.cfg")):
        configs.setdefault(_module(path), []).append(_config(path))
    for module in BUGS.glob("*.tla"):
        own = tuple(sorted(configs.get(module.name, ()), key=lambda config: not config.fails))
        if not own or not own[0].fails:
            raise ValueError(f"{module}: no configuration of this module is expected to fail")
        text = module.read_text(encoding="utf-8")
        code, report, releases = (_comment(text, keyword) for keyword in ("CODE", "REPORT", "RELEASES"))
        found.append(Bug(module, _about(text), code, report, releases, own))
    return sorted(found, key=lambda bug: (list(KINDS).index(bug.kind), natural(bug.name)))


@cache
def outcomes() -> dict[str, tuple[tuple[str, str], ...]]:
    """Of each schedule's id by release what docs/releases.md says: seen, –, or not run."""
    rows = _first_table((DOCS / "releases.md").read_text(encoding="utf-8"))
    heads = next(rows)
    next(rows)
    releases = [(place, head) for place, head in enumerate(heads) if re.fullmatch(r"\d+\.\d+\.\d+", head)]
    return {row[0]: tuple((head, row[place]) for place, head in releases) for row in rows}


@cache
def seen_on() -> dict[str, tuple[str, ...]]:
    """Of each schedule's id the releases on whose classes it was seen; of one that only processes can do, on these."""
    classes = {name: tuple(head for head, word in row if word == "seen") for name, row in outcomes().items()}
    return {**{name: (*by,) for name, by in seen_on_processes().items()}, **classes}


@cache
def seen_on_processes() -> dict[str, dict[str, str]]:
    """Of each schedule's id by release what a try saw on its processes."""
    found: dict[str, dict[str, str]] = {}
    for each in read_tries(KEPT):
        if each.seen:
            found.setdefault(each.id, {}).setdefault(each.version, each.what)
    return {name: dict(sorted(by.items(), key=lambda pair: natural(pair[0]))) for name, by in found.items()}


def releases_of(bug: Bug) -> str:
    """The releases on which a schedule has brought it about, first to last; empty for none."""
    found = sorted({release for key, seen in seen_on().items() if key in bug.ids for release in seen}, key=natural)
    return ", ".join(found)


def definition(name: str, module: Path) -> str:
    """The text of an operator's definition, in `module`, in what it extends, or else; empty without one."""
    readings = (bundled("AsShipped.tla"), bundled("AsDesigned.tla"))
    for path in (*_extended(module), *readings, *_modules()):
        text = path.read_text(encoding="utf-8")
        found = re.search(rf"^{name}\b[^\n]*==.*?(?=\n\s*\n|\n[A-Za-z(\\=-]|\Z)", text, re.DOTALL | re.MULTILINE)
        if found:
            return found[0].rstrip()
    return ""


def sentence(name: str) -> str:
    """What breaks for a user when the property `name` fails: the comment above its definition."""
    for path in (*_modules(), *sorted(BUGS.glob("*.tla"))):
        found = re.search(rf"^\\\* ([^\n]+)\n{name}\b\s*==", path.read_text(encoding="utf-8"), re.MULTILINE)
        if found:
            return found[1]
    return ""


def natural(name: str) -> list[tuple[bool, int, str]]:
    """The key of an order in which F2 stands before F12."""
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.findall(r"\d+|\D+", name)]


def _extended(module: Path) -> Iterator[Path]:
    """The module, and those of `spec/` that it extends."""
    yield module
    found = re.search(r"^EXTENDS ((?:\w+,\s*)*\w+)", module.read_text(encoding="utf-8"), re.MULTILINE)
    for name in re.findall(r"\w+", found[1]) if found else ():
        if (path := bundled(f"{name}.tla")).is_file():
            yield from _extended(path)


def _modules() -> list[Path]:
    return sorted(path for path in SPEC.rglob("*.tla") if path.parent != BUGS)


def _config(path: Path) -> Config:
    text = path.read_text(encoding="utf-8")
    expectation = read_expectation(text)
    if expectation is None:
        raise ValueError(f"{path}: no EXPECT line")
    shows = text.splitlines()[0].removeprefix("\\*").strip()
    return Config(path, shows, expectation, tuple(re.findall(r"^\s+(\w+) <- (\w+)$", text, re.MULTILINE)))


def _module(config: Path) -> str:
    named = re.search(r"^\\\* SPEC (\S+)", config.read_text(encoding="utf-8"), re.MULTILINE)
    return named[1] if named else config.with_suffix(".tla").name


def _about(text: str) -> str:
    comment = re.search(r"\(\*(.*?)\*\)", text, re.DOTALL)
    return textwrap.fill(" ".join(comment[1].split()), 118) if comment else ""


def _comment(text: str, keyword: str) -> str:
    found = re.search(rf"\(\* {keyword} (.*?)\*\)", text, re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def _first_table(text: str) -> Iterator[list[str]]:
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("|"))
    for line in lines[start:]:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split("|")]
