"""`python -m tools.bounded`: `prove --bounded K` beside the explicit search, for every configuration in spec/.

For each configuration the path is made longer while there is time, up to K steps; then the explicit search looks at
exactly as many levels. Both must find a violation after the same number of steps, or neither. So that "none" says
something, the states in which the path can be after none to three steps are compared as well: where they are few, both
must have the same, and where they are many, Z3 must admit some of the Python engine's.

The results are kept in a file as they come, one JSON object in a line; a configuration that is in it is not asked
again. Prints a table as Markdown, and how many agree, differ or are refused, by reason.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from rmqproof.model.checking.expectation import Expectation, read_expectation
from rmqproof.model.cli.models import find_models
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.prove.bounded import Bounded, BoundedSearch
from rmqproof.model.prove.modules import open_module
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.tasks import Done, Task, run_all
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.result import PropertyKind, Verdict, Violation
from rmqproof.model.search.system import State, StateProperty, StepProperty, Transition
from rmqproof.model.tla.library import PROTOCOL
from rmqproof.model.tla.source import TlaError

_DEEPEST, _COMPARED, _SAMPLE = 3, 60, 10
"""States are compared after so many steps: all of them if there are no more than this, else about so many."""


@dataclass(frozen=True, slots=True)
class Row:
    """`reached`: both looked at so many steps. `states`: how many states both reach after no step, one, two.

    `admitted`: so many of its states were put to Z3, those and some of larger levels. `refused`: why there
    was nothing to compare. `differs`: how they disagree.
    """

    name: str
    expected: str
    reached: int | None = None
    found: str = ""
    stopped: str = ""
    states: tuple[int, ...] = ()
    admitted: int = 0
    left_out: tuple[str, ...] = ()
    refused: str = ""
    differs: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Compared:
    """`states` were put to Z3. `whole`: those are all, and Z3 has no other."""

    states: int
    whole: bool
    differs: str = ""


class Shallow:
    """A system of which the states after `steps` steps have no successors; `Observing`, to know how deep it is."""

    def __init__(self, system: PythonSystem, steps: int) -> None:
        self.system, self.steps, self.level = system, steps, 0
        self.variables, self.actions = system.variables, system.actions
        self.invariants: list[StateProperty] = system.invariants
        self.initial_properties: list[StateProperty] = system.initial_properties
        self.step_properties: list[StepProperty] = system.step_properties
        self.has_constraints, self.check_deadlock = system.has_constraints, False
        self.initial_states, self.fingerprint = system.initial_states, system.fingerprint
        self.within, self.allowed = system.within, system.allowed

    def successors(self, state: State) -> Iterable[Transition]:
        return self.system.successors(state) if self.level <= self.steps else ()

    def now(self, level: int, total: int, distinct: int, queue: int, depth: int) -> None:
        self.level = level

    def stops(self) -> bool:
        return False


def compare(spec: Path, config: Path, expected: Expectation | None, steps: int, seconds: float) -> Row:
    start = time.process_time()
    row = Row(name_of(config), str(expected or ""))
    compared: list[Compared] = []
    try:
        subject = open_module(spec, config)
        search = BoundedSearch(subject, steps, seconds)
        system = system_of(subject.model)
        found = search.run(lambda depth: compared.append(compare_states(search, system, depth)))
    except Untranslatable as error:
        where = f" ({error.at})" if error.at is not None else ""
        return replace(row, refused=f"no translation: {error.construct}{where}", seconds=time.process_time() - start)
    except (TlaError, TimeoutError) as error:
        return replace(row, refused=getattr(error, "message", str(error)), seconds=time.process_time() - start)
    if search.left_out:
        checked = tuple(p for p in subject.model.properties if p.name not in search.left_out)
        system = system_of(replace(subject.model, properties=checked))
    explicit = BreadthFirst(Shallow(system, found.steps), workers=1, keep_going=True).run()
    if explicit.failure is not None:
        return replace(row, refused=f"the explicit search: {explicit.failure.error}")
    violations = tuple(v for v in explicit.violations if v.kind is not PropertyKind.LIVENESS)
    others = next((level.differs for level in compared if level.differs), "")
    text = f"{found.violated} after {found.steps} steps" if found.violated else f"none within {found.steps} steps"
    return replace(
        row,
        reached=found.steps,
        found=text,
        stopped=found.reason,
        states=tuple(level.states for level in compared if level.whole),
        admitted=sum(level.states for level in compared),
        left_out=tuple(search.left_out),
        differs=difference(found, violations) or contradiction(found, expected) or others,
        seconds=time.process_time() - start,
    )


def difference(found: Bounded, violations: tuple[Violation, ...]) -> str:
    """How the answer contradicts the explicit search of as many levels; empty where it does not."""
    shortest = {v.name: v.depth - 1 for v in violations}
    if "the Python engine" in found.reason:
        return found.reason
    if not found.violated:
        return "".join(f"the search finds {name} after {steps} steps; " for name, steps in shortest.items())
    if found.violated not in shortest:
        return f"{found.violated} after {found.steps} steps; the search finds {shortest or 'nothing'}"
    if min(shortest.values()) != found.steps:
        return f"{found.violated} after {found.steps} steps; the search finds {shortest}"
    return ""


def contradiction(found: Bounded, expected: Expectation | None) -> str:
    """How the answer contradicts what the configuration says; empty where it does not."""
    if expected is None or not found.violated:
        return ""
    if expected.verdict not in (Verdict.SAFETY, Verdict.LIVENESS):
        return f"{found.violated} after {found.steps} steps; {expected.verdict} is expected"
    return ""


def compare_states(search: BoundedSearch, system: PythonSystem, depth: int, most: int = _COMPARED) -> Compared:
    """Compare the states in which the path can be with those that the Python engine reaches in as many steps.

    Where these are more than `most`, some of them.
    """
    if depth > _DEEPEST:
        return Compared(0, False)
    states = [system.values(state) for state in last_level(system, depth)]
    whole = len(states) <= most
    looked = states if whole else states[:: len(states) // _SAMPLE]
    missing = sum(not search.admits(depth, values) for values in looked)
    other = search.other(depth, states) if whole else None
    if not missing and other is None:
        return Compared(len(looked), whole)
    return Compared(len(looked), whole, f"after {depth} steps Z3 lacks {missing} states; it has another: {other}")


def last_level(system: PythonSystem, steps: int) -> list[State]:
    """The states that are reached in so many steps exactly, whether or not they can be reached in fewer."""
    level = dict.fromkeys(system.initial_states())
    for _ in range(steps):
        level = dict.fromkeys(t.state for s in level if system.within(s) for t in system.successors(s))
    return list(level)


def name_of(config: Path) -> str:
    return str(config.relative_to(PROTOCOL).with_suffix(""))


def row_of(done: Done, expected: str, seconds: float) -> Row:
    if isinstance(done.result, Row):
        return done.result
    if done.stopped:
        return Row(done.task.name, expected, refused="the time was over", seconds=seconds)
    return Row(done.task.name, expected, differs=f"{type(done.error).__name__}: {done.error}")


def urgency(expected: str) -> tuple[bool, int]:
    """Where there is something to find comes first, and first what is found soonest."""
    depth = re.search(r"depth (\d+)", expected)
    return "safety failure" not in expected, int(depth[1]) if depth else 99


def read_rows(path: Path) -> dict[str, Row]:
    if not path.is_file():
        return {}
    objects: list[dict[str, Any]] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows: dict[str, Row] = {}
    for found in objects:
        fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in found.items()}
        rows[found["name"]] = Row(**fields)
    return rows


@click.command()
@click.option("--steps", default=6, show_default=True, help="Steps from an initial state, at most.")
@click.option("--seconds", default=6.0, show_default=True, help="For each configuration, in Z3.")
@click.option("--only", default="", help="Only the configurations whose path contains this.")
@click.option("--workers", default=1, show_default=True, help="Processes.")
@click.option("--results", type=click.Path(path_type=Path), default=Path("out/bounded.jsonl"), show_default=True)
def main(steps: int, seconds: float, only: str, workers: int, results: Path) -> None:
    """Compare, and print a table as Markdown; status 1 when something differs."""
    rows = read_rows(results)
    results.parent.mkdir(parents=True, exist_ok=True)
    expectations, tasks = {}, {}
    for model in find_models([PROTOCOL], []):
        if model.config is None or only not in str(model.config):
            continue
        expected = read_expectation(model.config.read_text(encoding="utf-8"))
        name = name_of(model.config)
        expectations[name] = str(expected or "")
        if name not in rows:
            run = partial(compare, model.spec, model.config, expected, steps, seconds)
            tasks[name] = Task(name, run, 20 * seconds + 600)
    ordered = sorted(tasks, key=lambda name: urgency(expectations[name]))
    with results.open("a", encoding="utf-8") as file:
        for done in run_all([tasks[name] for name in ordered], workers):
            row = rows[done.task.name] = row_of(done, expectations[done.task.name], seconds)
            file.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
            file.flush()
            outcome = f"DIFFERS: {row.differs}" if row.differs else row.found or f"refused: {row.refused}"
            print(f"{row.name}: {outcome} ({row.seconds:.1f} s)", file=sys.stderr, flush=True)
    sys.exit(1 if report([rows[name] for name in sorted(expectations)]) else 0)


def report(rows: list[Row]) -> int:
    """Print the table and the counts; the number of those that differ."""
    print("| configuration | explicit search, whole | both, so many steps | states after 0, 1, … | s |")
    print("|---|---|---|---|--:|")
    for row in rows:
        found = f"**{row.differs}**" if row.differs else row.found or f"refused: {row.refused}"
        states = ", ".join(map(str, row.states)) or "-"
        print(f"| {row.name} | {row.expected} | {found} | {states} | {row.seconds:.1f} |")
    differ = [row for row in rows if row.differs]
    agree = [row for row in rows if row.reached is not None and not row.differs]
    violated = [row for row in agree if not row.found.startswith("none")]
    seconds = sum(row.seconds for row in rows)
    print(f"\n{len(rows)} configurations: {len(agree)} agree, {len(differ)} differ, in {seconds:.0f} s.")
    print(f"{len(violated)} of them violated after the same number of steps.")
    for reached, number in sorted(Counter(row.reached or 0 for row in agree).items()):
        print(f"- {number} of them looked at {reached} steps deep")
    whole, admitted = sum(sum(row.states) for row in agree), sum(row.admitted for row in agree)
    print(f"{admitted} states of the Python engine were put to Z3; {whole} of them were all of their level.")
    for reason, number in Counter(row.refused for row in rows if row.refused).most_common():
        print(f"- {number} refused: {reason}")
    for reason, number in Counter(row.stopped.partition(" in the")[0] for row in agree if row.stopped).most_common():
        print(f"- {number} stopped: {reason}")
    for names, number in Counter(row.left_out for row in agree if row.left_out).most_common():
        print(f"- {number} without {', '.join(names)}")
    return len(differ)


if __name__ == "__main__":
    main()
