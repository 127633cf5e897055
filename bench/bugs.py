"""`make bugs`: docs/bugs.md, a page about every module of `spec/bugs`: what happened, the rule, the story, the fix."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rmqproof.model.assess.story import is_told, story
from rmqproof.model.cli.expectation import Expectation, read_expectation
from rmqproof.model.report.itf import read_itf
from rmqproof.model.report.text import step_title
from rmqproof.model.report.value import Notation
from rmqproof.model.search.result import Verdict

ROOT = Path(__file__).parent.parent
SPEC = ROOT / "spec"
BUGS = SPEC / "bugs"
TRACES = ROOT / "traces"
DOCUMENT = ROOT / "docs" / "bugs.md"

KINDS = {
    "Issue": "Reported defects",
    "Hazard": "Hazards read from the code",
    "Insufficient": "Repairs that are not enough",
    "": "Other rules that look right",
}

HEAD = """# What goes wrong, and why

Made by `make bugs` from `spec/bugs`. Every entry is one rule put in place of the repaired one: the model then fails
in a shortest way, and passes within the same bounds with the repaired rule. `rmqproof check spec/bugs/NAME.cfg` shows
it again. An offset is a number of messages. A *hazard* was found by reading the Java and had not been reported when
the model showed it.
"""


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


@dataclass(frozen=True, slots=True)
class Bug:
    """A module of `spec/bugs` with its configurations, failing ones first."""

    module: Path
    about: str
    code: str
    """Where the Java does it; empty for what no longer is in the snapshot, and for rules that were never shipped."""
    configs: tuple[Config, ...]

    @property
    def name(self) -> str:
        return self.module.stem

    @property
    def kind(self) -> str:
        return next(kind for kind in KINDS if self.name.startswith(kind))


def bugs() -> list[Bug]:
    """Every module, in the order of the page. Raise `ValueError` for one without a failing configuration."""
    found = []
    configs = [_config(path) for path in sorted(BUGS.glob("*.cfg"))]
    for module in BUGS.glob("*.tla"):
        own = tuple(sorted((c for c in configs if _module(c.path) == module.name), key=lambda c: not c.fails))
        if not own or not own[0].fails:
            raise ValueError(f"{module}: no configuration of this module is expected to fail")
        text = module.read_text(encoding="utf-8")
        found.append(Bug(module, _about(text), _code(text), own))
    return sorted(found, key=lambda bug: (list(KINDS).index(bug.kind), _natural(bug.name)))


def document() -> str:
    parts = [HEAD]
    listed = bugs()
    for kind, title in KINDS.items():
        here = [bug for bug in listed if bug.kind == kind]
        parts.append(f"## {title}\n\n| | what fails | steps |\n|---|---|--:|")
        for bug in here:
            first = bug.configs[0]
            name = first.expectation.name
            parts.append(f"| [{bug.name}](#{bug.name.lower()}) | `{name}`: {_sentence(name)} | {_steps(first)} |")
        parts.append("")
        for bug in here:
            parts += _entry(bug)
    return "\n".join(parts).rstrip() + "\n"


def _entry(bug: Bug) -> Iterator[str]:
    yield f"### {bug.name}\n\n{bug.about}\n"
    failing = [config for config in bug.configs if config.fails]
    kept = {pair for config in bug.configs if config.path.stem.endswith("Fixed") for pair in config.replaced}
    instead = dict(kept)
    for rule, wrong in dict.fromkeys(pair for config in failing for pair in config.replaced if pair not in kept):
        yield f"`{rule}` as it was:\n\n```tla\n{_definition(wrong, bug.module)}\n```\n"
        repaired = _definition(instead.get(rule, rule), bug.module)
        if repaired:
            yield f"repaired:\n\n```tla\n{repaired}\n```\n"
    for config in failing:
        yield from _story(config)
    for config in bug.configs:
        if not config.fails:
            counts = dict(config.expectation.counts)
            states = f" ({counts['distinct']:,} states)" if "distinct" in counts else ""
            what = "With the fix," if config.path.stem.endswith("Fixed") else "But not so in"
            yield f"{what} [`{config.path.stem}`]({_link(config.path)}): {config.shows}{states}\n"
    if bug.code:
        yield from _for_a_committer(bug)


def _for_a_committer(bug: Bug) -> Iterator[str]:
    """What somebody needs who is to change the Java: settings, steps, code, repair, check."""
    first = bug.configs[0]
    fixed = next((config for config in bug.configs if config.path.stem.endswith("Fixed")), None)
    yield "For a committer (snapshot 8fc57f1468):\n"
    yield f"- Settings: {_settings(first.path)}."
    yield f"- Steps: those above, {_steps(first)} with the start."
    yield f"- Code path: {bug.code}"
    repair = re.search(r"(?:Repaired|Fixed)[^:]*: (.*)$", " ".join(bug.about.split()))
    if repair is not None:
        yield f"- Repair: {repair[1]} The rule is shown above."
    if fixed is not None:
        yield (
            f"- Check: `rmqproof check spec/bugs/{first.path.name} --expect` shows the failure, "
            f"`rmqproof check spec/bugs/{fixed.path.name} --expect` that the repair holds within the same bounds."
        )
    yield ""


def _settings(config: Path) -> str:
    """The settings and the faults of a configuration in an operator's words."""
    constants = dict(re.findall(r"^  (\w+) = (.+)$", config.read_text(encoding="utf-8"), re.MULTILINE))
    words = []
    if "Broker" in constants:
        words.append(f"{constants['Broker'].count(',') + 1} replicas")
    elif "Replica" in constants:
        words.append(f"{constants['Replica'].count(',') + 1} replicas that register")
    elif "MaxId" in constants:
        words.append(f"{int(constants['MaxId']) + 1} replicas, enableControllerMode=false")
    if "AllAck" in constants:
        all_ack = constants["AllAck"] == "TRUE"
        words.append("allAckInSyncStateSet=true" if all_ack else f"inSyncReplicas={constants['InSyncReplicas']}")
        words.append(f"minInSyncReplicas={constants['MinInSyncReplicas']}")
        words.append(f"enableElectUncleanMaster={constants['UncleanElection'].lower()}")
        if constants.get("Learners", "{}") != "{}":
            words.append(f"asyncLearner=true on {constants['Learners'].strip('{}')}")
    faults = [f"{int(constants[name])} {text}" for name, text in _FAULTS.items() if int(constants.get(name, 0)) > 0]
    return ", ".join(words) + ("; at most " + ", ".join(faults) if faults else "; no fault")


_FAULTS = {
    "MaxCrashes": "process that ends",
    "MaxLosses": "machine that loses what was not flushed",
    "MaxLostDisks": "lost disk or epoch file",
    "MaxExpiries": "broker not heard though it runs",
    "MaxBreaks": "broken connection",
    "MaxDesignations": "election ordered by an administrator",
    "MaxFailOvers": "change of the controller leader",
    "MaxCleans": "cleaning of the metadata",
    "MaxRestarts": "restart",
}


def _story(config: Config) -> Iterator[str]:
    name = config.expectation.name
    yield f"[`{config.path.stem}`]({_link(config.path)}): {config.shows} `{name}` fails: {_sentence(name)}\n"
    trace = TRACES / f"{config.path.stem}.itf.json"
    if not trace.exists():
        return
    behaviour = read_itf(trace)
    if is_told(behaviour):
        sentences: tuple[str, ...] = story(behaviour)
    else:
        notation = Notation(behaviour.origin.model_values)
        sentences = tuple(step_title(step, notation) for step in behaviour.steps)
    yield "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(sentences, 1))
    if behaviour.loop is not None:
        yield f"\nand so on for ever, from {behaviour.loop + 1}."
    yield f"\n[picture](../traces/{config.path.stem}.svg)\n"


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


def _code(text: str) -> str:
    found = re.search(r"\(\* CODE (.*?)\*\)", text, re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def _definition(name: str, module: Path) -> str:
    """The text of an operator's definition, in `module` or in the readings of the rules."""
    for path in (module, SPEC / "AsShipped.tla", SPEC / "AsDesigned.tla", *sorted(SPEC.glob("*.tla"))):
        text = path.read_text(encoding="utf-8")
        found = re.search(rf"^{name}\b[^\n]*==.*?(?=\n\s*\n|\n[A-Za-z(\\=-]|\Z)", text, re.DOTALL | re.MULTILINE)
        if found:
            return found[0].rstrip()
    return ""


def _sentence(name: str) -> str:
    for path in (*sorted(SPEC.glob("*.tla")), *sorted(BUGS.glob("*.tla"))):
        found = re.search(rf"^\\\* ([^\n]+)\n{name}\b\s*==", path.read_text(encoding="utf-8"), re.MULTILINE)
        if found:
            return found[1]
    return ""


def _steps(config: Config) -> str:
    trace = TRACES / f"{config.path.stem}.itf.json"
    return str(len(read_itf(trace).steps)) if trace.exists() else ""


def _link(path: Path) -> str:
    return f"../{path.relative_to(ROOT)}"


def _natural(name: str) -> list[tuple[bool, int, str]]:
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.findall(r"\d+|\D+", name)]


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
