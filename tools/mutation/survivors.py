"""The list of mutants that no test catches, for docs/mutants.md.

    python -m tools.mutation.survivors results.ndjson told.ndjson > docs/mutants.md

`results.ndjson` is of `mutants` and `core_tests`, `told.ndjson` of `behaviour`. Why each survives is in
`survivors.toml`; one without an explanation is an error, and so is one that is said to change nothing and answers a
recorded call otherwise.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.mutation.mutants import NOT_CAUGHT, UNFINISHED
from tools.mutation.mutations import MODULES, ROOT, Mutant, mutants_of

CORE = "core test"
"""How the outcome of a mutant begins that a test of tests/impl/core fails with."""
EXPLANATIONS = Path(__file__).with_name("survivors.toml")
KINDS = {
    "same": "Nothing changes",
    "harmless": "More or less work, another text, or another mark for the same; no step and no answer is another",
    "outside": "Something changes that the specification does not speak of",
    "hole": "Something changes, and no test sees it",
}
CHANGES = ("outside", "hole")
"""Kinds that count against the tests."""


@dataclass(frozen=True)
class Explanation:
    """Of the mutants of `module` whose line contains `code`, and whose changed text starts with `after`."""

    module: str
    code: str
    kind: str
    why: str
    after: str = ""

    def fits(self, mutant: Mutant, line: str) -> bool:
        return mutant.module == self.module and self.code in line and mutant.after.startswith(self.after)


def explanations() -> list[Explanation]:
    entries = tomllib.loads(EXPLANATIONS.read_text(encoding="utf-8"))["survivor"]
    found = [Explanation(**entry) for entry in entries]
    assert all(entry.kind in KINDS for entry in found)
    return found


@dataclass(frozen=True)
class Survivor:
    mutant: Mutant
    line: str
    explanation: Explanation
    calls: int
    """Recorded calls of runs that it answers otherwise."""


def explained(mutant: Mutant) -> Explanation | None:
    """Why it survives, if that is said."""
    line = (ROOT / mutant.module).read_text(encoding="utf-8").splitlines()[mutant.line - 1].strip()
    return next((entry for entry in explanations() if entry.fits(mutant, line)), None)


def is_survivor(outcome: str) -> bool:
    """Also one that was not tried to the end."""
    return outcome in (*NOT_CAUGHT, UNFINISHED) or outcome.startswith("survived")


def survivors(results: Mapping[str, str], told: Mapping[str, Any]) -> tuple[list[Survivor], list[str]]:
    """The survivors, and what is wrong with the explanations."""
    known, problems = explanations(), []
    found: list[Survivor] = []
    for module in MODULES:
        lines = (ROOT / module).read_text(encoding="utf-8").splitlines()
        for mutant in mutants_of(module):
            if not is_survivor(results.get(mutant.key, "")):
                continue
            line = lines[mutant.line - 1].strip()
            fitting = next((entry for entry in known if entry.fits(mutant, line)), None)
            calls = told.get(mutant.key, {}).get("runs", {}).get("calls", 0)
            if fitting is None:
                problems.append(f"{mutant.key}: {line}: {mutant.before} => {mutant.after}: no explanation")
            elif fitting.kind == "same" and calls > 0:
                what = told[mutant.key]["runs"]["what"]
                problems.append(f"{mutant.key}: {line}: {mutant.before} => {mutant.after}: not the same: {what}")
            else:
                found.append(Survivor(mutant, line, fitting, calls))
    return found, problems


def page(results: Mapping[str, str], found: Sequence[Survivor], calls: int) -> str:
    caught = sum(not is_survivor(said) and said != "same code" for said in results.values())
    kinds = Counter(survivor.explanation.kind for survivor in found)
    changing = caught + sum(kinds[kind] for kind in CHANGES)
    by_core = sum(said.startswith(CORE) for said in results.values())
    by_check = Counter(said.split(":")[0] for said in results.values() if ", after " in said or ".itf.json" in said)
    lines = [
        "# Mutants of the cores, and which survive",
        "",
        "Made by `python -m tools.mutation.survivors`; how mutants are made and tried is told in",
        "[conformance.md](conformance.md#mutation-testing).",
        "",
        "| | mutants |",
        "|---|--:|",
        f"| made | {len(results)} |",
        f"| caught by a conformance test | {caught - by_core} |",
        f"| caught by a test of `tests/impl/core` alone | {by_core} |",
        *(f"| survived: {text} | {kinds[kind]} |" for kind, text in KINDS.items()),
        f"| **caught, of those that change behaviour** | **{caught} of {changing}, {100 * caught / changing:.1f} %** |",
        "",
        f"{list(results.values()).count(UNFINISHED)} of the survivors were left when their time was over, before they"
        " had performed every model; they count as",
        "not caught.",
        "Where it is said that nothing changes, the mutant also answers alike every call that executes its line, of",
        f"{calls:,} recorded ones of random runs and of states combined with inputs. The flags of dataclasses could",
        "not be asked that way.",
        "",
        "What caught most: "
        + ", ".join(f"`{name}` {count}" for name, count in by_check.most_common(8))
        + " (the smallest model with a call that is answered otherwise comes first).",
    ]
    for kind, text in KINDS.items():
        of_kind = [survivor for survivor in found if survivor.explanation.kind == kind]
        if of_kind:
            lines += ["", f"## {text}", "", "| where | changed | why |", "|---|---|---|"]
            lines += [_row(survivor) for survivor in of_kind]
    return "\n".join(lines) + "\n"


def _row(survivor: Survivor) -> str:
    mutant = survivor.mutant
    return (
        f"| {mutant.module.removeprefix('impl/').removesuffix('.py')}:{mutant.line} "
        f"| `{_short(mutant.before)}` → `{_short(mutant.after)}` | {survivor.explanation.why} |"
    )


def _short(text: str) -> str:
    return (text if len(text) <= 60 else f"{text[:57]}…").replace("|", "\\|")


def main(words: Sequence[str]) -> None:
    results, told = (
        [json.loads(line) for line in Path(word).read_text(encoding="utf-8").splitlines()] for word in words
    )
    by_key = {line["mutant"]: line["outcome"] for line in results}
    found, problems = survivors(by_key, {line["mutant"]: line for line in told})
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.stdout.write(page(by_key, found, max((line.get("corpus", 0) for line in told), default=0)))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
