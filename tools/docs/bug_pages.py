"""`make bugs`: docs/bugs.md, the index, and docs/bugs/NAME.md, a page a module of `spec/bugs`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from rmqproof.model.report.itf import read_itf
from rmqproof.model.report.text import step_title
from rmqproof.model.report.value import Notation
from rmqproof.model.tla.library import bundled
from rmqproof.rocketmq.assess.story import is_told, story
from tools.docs.bugs import DOCS, KINDS, Bug, Config, bugs, definition, outcomes, releases_of, sentence

INDEX = DOCS / "bugs.md"
PAGES = DOCS / "bugs"

HEAD = """# What goes wrong, and why

Made by `make bugs` from `spec/bugs`. Every page is about one rule put in place of the repaired one: the model then
fails in a shortest way, and passes within the same bounds with the repaired rule. `rmqproof check spec/bugs/NAME.cfg`
shows it again. An offset is a number of messages.

- *reported*: a thread of apache/rocketmq describes this. *Inferred*: concluded from a change, or from a thread that
  describes something else. *Read from the code*: no report that we know of. *By the design*: the settings or the
  documentation promise no more. *A weak rule* came up while repairing, and was not taken from RocketMQ.
- *releases*: by the history of the sources (5.0.0 to 5.3.3 and the snapshot) and by those of 5.4.0, 5.5.0 and 5.5.1:
  the methods that the page names have the same text there, or the change is named. Empty where it was not looked up.
- *seen on*: RocketMQ's own released classes did it, step by step ([releases.md](releases.md)), or its processes, where
  the classes alone cannot ([on-processes.md](on-processes.md)); the loss that follows from it is the model's.
"""


def documents() -> dict[Path, str]:
    """Every page with its text."""
    listed = bugs()
    pages = {PAGES / f"{bug.name}.md": "\n".join(_page(bug)).rstrip() + "\n" for bug in listed}
    return {INDEX: _index(listed)} | pages


def write() -> None:
    """Write every page that has changed, and remove those of modules that are gone."""
    wanted = documents()
    PAGES.mkdir(exist_ok=True)
    for old in set(PAGES.glob("*.md")) - wanted.keys():
        old.unlink()
    for path, text in wanted.items():
        path.write_text(text, encoding="utf-8")


def _index(listed: list[Bug]) -> str:
    parts = [HEAD]
    for kind, title in KINDS.items():
        parts.append(f"## {title}\n")
        parts.append("| bug | what fails | reported or inferred | releases | seen on | steps | model | picture |")
        parts.append("|---|---|---|---|---|--:|---|---|")
        parts += [_row(bug) for bug in listed if bug.kind == kind]
        parts.append("")
    return "\n".join(parts).rstrip() + "\n"


def _row(bug: Bug) -> str:
    first = bug.configs[0]
    picture = f"[picture]({_link(first.picture, INDEX)})" if first.picture.exists() else ""
    cells = (
        f"[{bug.name}](bugs/{bug.name}.md)",
        f"{first.shows} (`{first.expectation.name}`)",
        bug.report.split(":")[0],
        bug.releases,
        releases_of(bug),
        str(first.steps or ""),
        f"[model]({_link(first.path, INDEX)})",
        picture,
    )
    return f"| {' | '.join(cells)} |"


def _where(bug: Bug, seen: str) -> str:
    if any(key in bug.ids for key in outcomes()):
        return f"the classes of {seen} ([what they did](../releases.md))"
    return f"processes of {seen} ([what they did](../on-processes.md))"


def _page(bug: Bug) -> Iterator[str]:
    page = PAGES / f"{bug.name}.md"
    yield f"# {bug.name}\n\n{bug.about}\n"
    seen = releases_of(bug)
    facts = [("Report", bug.report), ("Releases", bug.releases)]
    facts.append(("Seen on", _where(bug, seen) if seen else ""))
    if any(text for _, text in facts):
        yield "\n".join(f"- {name}: {text}" for name, text in facts if text) + "\n"
    failing = [config for config in bug.configs if config.fails]
    kept = {pair for config in bug.configs if config.fixed for pair in config.replaced}
    instead = dict(kept)
    for rule, wrong in dict.fromkeys(pair for config in failing for pair in config.replaced if pair not in kept):
        yield f"`{rule}` as it was:\n\n```tla\n{definition(wrong, bug.module)}\n```\n"
        repaired = definition(instead.get(rule, rule), bug.module)
        if repaired:
            yield f"repaired:\n\n```tla\n{repaired}\n```\n"
    for config in failing:
        yield from _story(config, page)
    for config in bug.configs:
        if not config.fails:
            counts = dict(config.expectation.counts)
            states = f" ({counts['distinct']:,} states)" if "distinct" in counts else ""
            what = "With the fix," if config.fixed else "But not so in"
            yield f"{what} [`{config.path.stem}`]({_link(config.path, page)}): {config.shows}{states}\n"
    if bug.code:
        yield from _for_a_committer(bug)


def _for_a_committer(bug: Bug) -> Iterator[str]:
    """What somebody needs who is to change the Java: settings, steps, code, repair, check."""
    first = bug.configs[0]
    fixed = next((config for config in bug.configs if config.fixed), None)
    yield "## For a committer\n\nOf the snapshot 8fc57f1468:\n"
    yield f"- Settings: {_settings(first.path)}."
    yield f"- Steps: those above, {first.steps} with the start."
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
    if "FirstSyncStateSet" in constants:  # a model of the cluster, which has settings
        settings = bundled("Settings.tla").read_text(encoding="utf-8")
        constants = dict(re.findall(r"^(\w+) == (.+)$", settings, re.MULTILINE)) | constants
    words = []
    if "Broker" in constants:
        words.append(f"{constants['Broker'].count(',') + 1} replicas")
    elif "Replica" in constants:
        words.append(f"{constants['Replica'].count(',') + 1} replicas that register")
    elif "Controller" in constants:
        words.append(f"a broker and {constants['Controller'].count(',') + 1} controllers")
    elif "MaxId" in constants:
        words.append(f"{int(constants['MaxId']) + 1} replicas, enableControllerMode=false")
    if "AllAck" in constants:
        all_ack = constants["AllAck"] == "TRUE"
        words.append("allAckInSyncStateSet=true" if all_ack else f"inSyncReplicas={constants['InSyncReplicas']}")
        words.append(f"minInSyncReplicas={constants['MinInSyncReplicas']}")
        words.append(f"enableElectUncleanMaster={constants['UncleanElection'].lower()}")
        if constants.get("Learners", "{}") != "{}":
            words.append(f"asyncLearner=true on {constants['Learners'].strip('{}')}")
    if "RemoteEscape" in constants:
        words.append(f"enableRemoteEscape={constants['RemoteEscape'].lower()}")
    faults = [f"{int(constants[name])} {text}" for name, text in _FAULTS.items() if int(constants.get(name, 0)) > 0]
    return (", ".join(words) or "none matters") + ("; at most " + ", ".join(faults) if faults else "; no fault")


_FAULTS = {
    "MaxAway": "absence of the master",
    "MaxRoutes": "change of the nameserver's list",
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


def _story(config: Config, page: Path) -> Iterator[str]:
    name = config.expectation.name
    about = f"{config.shows} `{name}` fails: {sentence(name)}"
    yield f"## {config.path.stem}\n\n[`{config.path.name}`]({_link(config.path, page)}): {about}\n"
    if not config.trace.exists():
        return
    behaviour = read_itf(config.trace)
    if is_told(behaviour):
        sentences: tuple[str, ...] = story(behaviour)
    else:
        notation = Notation(behaviour.origin.model_values)
        sentences = tuple(step_title(step, notation) for step in behaviour.steps)
    yield "\n".join(f"{number}. {each}" for number, each in enumerate(sentences, 1))
    if behaviour.loop is not None:
        yield f"\nand so on for ever, from {behaviour.loop + 1}."
    yield f"\n![The counterexample to {name}]({_link(config.picture, page)})\n"


def _link(path: Path, page: Path) -> str:
    return Path(os.path.relpath(path, page.parent)).as_posix()


if __name__ == "__main__":
    write()
