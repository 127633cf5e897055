"""Many specifications, each checked by TLC and by every engine asked for; what differs is kept."""

from __future__ import annotations

import json
import multiprocessing
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from time import monotonic
from types import FrameType
from typing import Any

from tools.fuzz.engines import ENGINES, compile_quickly, session
from tools.fuzz.generate import generate
from tools.fuzz.naming import apart, is_apart
from tools.fuzz.outcome import CRASH, NATIVE, PERMUTED, REFERENCE, RENAMED, TLC, Outcome
from tools.fuzz.permute import can_be_permuted, differs, permuted
from tools.fuzz.reference import NotCovered
from tools.fuzz.specification import Definition, Role, Specification
from tools.fuzz.tlc import Tlc, TlcDied
from tools.fuzz.verdict import ERROR, SUCCESS, Report


@dataclass(frozen=True, slots=True)
class Plan:
    """`shares`: of each engine, and of `renamed` and `permuted` (the first engine with other names, and with another
    order), of how many specifications it takes, 0 to 1. `classpath` None: without TLC."""

    engines: tuple[str, ...] = ("python",)
    shares: tuple[tuple[str, float], ...] = ()
    classpath: str | None = None
    seconds: int = 20
    """For one engine and one specification; what takes longer is counted, and not compared."""
    having: frozenset[Role] = frozenset()
    """Specifications that have not all of these are passed over."""

    def takes(self, engine: str, seed: int) -> bool:
        share = dict(self.shares).get(engine, 1.0)
        return share >= 1 or Random(f"{engine} {seed}").random() < share


class TooLong(BaseException):
    """An engine took longer than the plan allows. No Exception: engines make a finding of what is raised in them."""


@contextmanager
def limit(seconds: int) -> Iterator[None]:
    def ring(signum: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def examine(spec: Specification, plan: Plan, tlc: Tlc | None, folder: Path) -> Outcome:
    """What each says of one specification. The first report is TLC's where there is one."""
    outcome = Outcome(spec.seed)
    root = spec.write(folder / "spec")
    if tlc is not None:
        began = monotonic()
        try:
            outcome.reports[TLC] = asked(spec, tlc, root, folder)
        except TlcDied:
            outcome.silent = True
            return outcome
        outcome.times[TLC] = monotonic() - began
    _run_all(spec, plan, outcome, root, folder)
    copy = outcome.reports.get(PERMUTED)
    if tlc is not None and copy is not None and differs(outcome.reports[TLC], copy):
        with suppress(TlcDied):  # words that an item brings are read in another order, by TLC as well
            if not tlc.check(folder / PERMUTED / root.name).differs(copy):
                del outcome.reports[PERMUTED]
    said = {name: report.verdict for name, report in outcome.reports.items()}
    if tlc is not None and said[TLC] == ERROR and set(said.values()) - {ERROR, SUCCESS}:
        with suppress(TlcDied):
            outcome.without_properties = tlc.check(without_properties(spec, folder / "safety"))
    return outcome


def asked(spec: Specification, tlc: Tlc, root: Path, folder: Path) -> Report:
    """What TLC says of a specification; of liveness beside VIEW or SYMMETRY what it says where it is not mistaken.

    Its graph for liveness has a node for all states that are one to the search. A behaviour through such nodes need be
    none of the specification, and one of the specification need not be there, so TLC warns of it (message 2279), and
    what it says is no measure. Here liveness is judged without them. So TLC is asked twice: for safety as it stands,
    and where nothing is wrong for liveness alone, without VIEW and SYMMETRY.
    """
    live = [each for each in spec.with_role(Role.PROPERTY) if not _of_steps(each)]
    if not live or not (spec.with_role(Role.VIEW) or spec.with_role(Role.SYMMETRY)):
        return tlc.check(root)
    safe = tlc.check(without_properties(spec, folder / "safety"))
    if safe.verdict != SUCCESS:
        return safe
    roles = (Role.VIEW, Role.SYMMETRY, Role.INVARIANT, Role.ALIAS)
    others = [each for role in roles for each in spec.with_role(role)]
    others += [each for each in spec.with_role(Role.PROPERTY) if _of_steps(each)]
    alive = tlc.check(_without(replace(spec, deadlock=False), others, folder / "liveness"))
    return safe if alive.verdict == SUCCESS else alive


def _of_steps(definition: Definition) -> bool:
    """Whether it is [][A]_v, or that of an instance beside what it says of initial states."""
    return definition.safe or definition.body.parts[0] == "[]["


def without_properties(spec: Specification, folder: Path) -> Path:
    """The specification with a configuration that names no property but [][A]_v."""
    return _without(spec, [each for each in spec.with_role(Role.PROPERTY) if not _of_steps(each)], folder)


def _without(spec: Specification, unnamed: Iterable[Definition], folder: Path) -> Path:
    """The specification with a configuration that does not name some of its definitions."""
    root = spec.write(folder)
    left_out = {f"{each.role} {spec.words[each.name]}" for each in unnamed}
    config = root.with_suffix(".cfg")
    lines = config.read_text(encoding="utf-8").splitlines()
    config.write_text("".join(f"{line}\n" for line in lines if line not in left_out), encoding="utf-8")
    return root


def _run_all(spec: Specification, plan: Plan, outcome: Outcome, root: Path, folder: Path) -> None:
    for name in plan.engines:
        if plan.takes(name, spec.seed):
            _run(outcome, name, name, root, plan)
    for name in (REFERENCE, NATIVE):
        if outcome.asks_for_a_second and not {REFERENCE, NATIVE} & set(outcome.reports):
            _run(outcome, name, name, root, plan)
    if plan.takes(RENAMED, spec.seed) and is_apart(spec):
        words = apart(spec, Random(spec.seed + 1))
        _run(outcome, plan.engines[0], RENAMED, spec.write(folder / RENAMED, words), plan)
        if RENAMED in outcome.reports:
            before = {word: spec.words[name] for name, word in words.items()}
            report = outcome.reports[RENAMED]
            outcome.reports[RENAMED] = replace(report, violated=before.get(report.violated, report.violated))
    if plan.takes(PERMUTED, spec.seed) and can_be_permuted(spec):
        copy = permuted(spec, Random(spec.seed + 2)).write(folder / PERMUTED)
        _run(outcome, plan.engines[0], PERMUTED, copy, plan)


def _run(outcome: Outcome, engine: str, name: str, root: Path, plan: Plan) -> None:
    began = monotonic()
    try:
        with limit(plan.seconds):
            report = ENGINES[engine](root)
    except (TooLong, NotCovered):
        return
    except Exception as error:  # a defect of the engine, which is what is looked for
        report = Report(CRASH, detail=repr(error))
    outcome.reports[name] = report
    outcome.times[name] = monotonic() - began


def campaign(seeds: range, plan: Plan, workers: int) -> Iterator[Outcome]:
    """As they come, from so many processes with a TLC each."""
    return from_processes(_work, [(seeds[i::workers], plan) for i in range(workers)])


def from_processes(work: Callable[..., None], given: Sequence[tuple[Any, ...]]) -> Iterator[Outcome]:
    """What `work` puts into the queue that is its last argument, as it comes, in a process for each of `given`; None at
    its end."""
    context = multiprocessing.get_context("fork")
    results: multiprocessing.queues.Queue[Outcome | None] = context.Queue(100)
    processes = [context.Process(target=work, args=(*each, results), daemon=True) for each in given]
    for process in processes:
        process.start()
    running = len(processes)
    try:
        while running:
            outcome = results.get()
            if outcome is None:
                running -= 1
            else:
                yield outcome
    finally:
        for process in processes:
            process.kill()  # a search takes SIGTERM for its own end, and the next one would begin


def _work(seeds: range, plan: Plan, results: multiprocessing.queues.Queue[Outcome | None]) -> None:
    tlc = Tlc(plan.classpath, seconds=plan.seconds) if plan.classpath is not None else None
    with (
        tempfile.TemporaryDirectory(prefix="fuzz-") as folder,
        session() if any("spark" in name for name in plan.engines) else nullcontext(),
    ):
        compile_quickly(Path(folder))
        try:
            for seed in seeds:
                spec = generate(seed)
                if not all(map(spec.with_role, plan.having)):
                    continue
                results.put(examine(spec, plan, tlc, Path(folder) / str(seed)))
                shutil.rmtree(Path(folder) / str(seed), ignore_errors=True)
        finally:
            results.put(None)
            if tlc is not None:
                tlc.close()


@dataclass(slots=True)
class Tally:
    """What came of a campaign."""

    specifications: int = 0
    compared: Counter[str] = field(default_factory=Counter)
    """Specifications on which an engine was compared with the first one."""
    verdicts: Counter[str] = field(default_factory=Counter)
    different: Counter[str] = field(default_factory=Counter)
    times: Counter[str] = field(default_factory=Counter)
    states: int = 0
    unanswered: int = 0
    """Specifications of which there is nothing to compare."""
    silent: int = 0
    """Of those, where TLC did not come to its end in time."""
    limited: int = 0
    ordered: int = 0
    """Specifications on which somebody is excused, see `Outcome.excused`."""
    began: float = field(default_factory=monotonic)

    def add(self, outcome: Outcome) -> None:
        self.specifications += 1
        self.different.update(outcome.different)
        self.compared.update(list(outcome.reports)[1:])
        for name, seconds in outcome.times.items():
            self.times[name] += seconds  # type: ignore[assignment]
        self.limited += outcome.limited
        self.ordered += bool(outcome.reports) and outcome.excused
        if len(outcome.reports) < 2:
            self.unanswered += 1
            self.silent += outcome.silent
        first = next(iter(outcome.reports.values()), None)
        if first is not None:
            self.verdicts[first.verdict] += 1
            self.states += first.distinct or 0

    def lines(self) -> list[str]:
        seconds = monotonic() - self.began
        verdicts = ", ".join(f"{count:,} {name}" for name, count in self.verdicts.most_common())
        lines = [
            f"{self.specifications:,} specifications in {seconds:,.0f} s"
            f" ({3600 * self.specifications / seconds:,.0f} an hour), {self.states:,} states: {verdicts}."
        ]
        if self.unanswered:
            by_tlc = f", TLC {self.silent:,} times" if self.silent else ""
            lines.append(f"{self.unanswered:,} were not compared: somebody took too long{by_tlc}.")
        if self.limited:
            lines.append(f"{self.limited:,} are beyond what TLC can do: engines are compared with the first.")
        if self.ordered:
            lines.append(f"{self.ordered:,} have an error about kinds or parts of sets that TLC need not have.")
        for name, count in self.compared.most_common():
            rate = 3600 * count / self.times[name] if self.times[name] else 0
            lines.append(f"{name}: {count:,} compared, {self.different[name]:,} differ, {rate:,.0f} an hour by itself.")
        return lines


def keep(outcome: Outcome, folder: Path) -> Path:
    """Write a specification on which somebody differs, and what each said."""
    kept = folder / str(outcome.seed)
    generate(outcome.seed).write(kept)
    said = {name: {"report": str(each), "detail": each.detail} for name, each in outcome.reports.items()}
    (kept / "reports.json").write_text(json.dumps(said, indent=1), encoding="utf-8")
    return kept
