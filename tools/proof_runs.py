"""`python -m tools.proof_runs`: each lemma of `spec/lemmas` by `rmqproof prove … --json`, kept in `proof_runs.jsonl`.

Z3, cvc5 too, and a checker of cvc5's proofs are asked about a lemma with the brokers of its configuration, the solvers
also with any number of them. What a run says is a file under `--out` and a line of the log at once: a run that is
stopped, or whose `--seconds` are over, goes on where it was, and a part can be made alone. What took Z3 least is asked
first. A line counts as long as the texts of the module, and of all that it extends, are those of its run. What was left
open is asked again with a longer `--timeout`.
Ends with status 1 where a lemma is not settled as its module declares.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

from rmqproof.model.api.proofs import is_in_ways, shares_of
from rmqproof.model.prove.decide import UNKNOWN
from rmqproof.model.prove.formulas import gives_values
from rmqproof.model.prove.modules import chosen, lemma_modules, open_module
from rmqproof.model.prove.recheck import Checker
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import Lemma
from rmqproof.model.prove.ways import HYPOTHESES
from rmqproof.model.tla.model_files import files_of
from rmqproof.model.tla.source import TlaError
from tools.engine_runs import ROOT, logged, texts_of

LOG = Path(__file__).with_suffix(".jsonl")
LEMMAS = ROOT / "spec" / "lemmas"
CONFIGURED, ANY = "configured", "any"
SIZES = (CONFIGURED, ANY)
"""Of how many brokers: as many as the configuration has, or any number."""
Z3, CVC5, CHECKER = "z3", "cvc5", "checker"
ANSWERS = (Z3, CVC5, CHECKER)
"""Who answers: Z3 alone, Z3 and cvc5, or a checker by the certificates that cvc5 left."""
NOT_PUT = "not put"
"""In the place of a verdict: the command had no answer, and `reason` says why."""
KEPT = (
    "verdict",
    "expected",
    "sizes",
    "seconds",
    "hypothesesSatisfiable",
    "reason",
    "provedFor",
    "cvc5",
    "certificates",
)
TIMEOUT = 20.0
"""Seconds a question."""
MANY, FEW = 1200, 60
"""So many time-outs a command may take: for a lemma that is asked in parts, and for any other."""

Run = Mapping[str, Any]
"""A line of the log: which question (`QUESTION`), of which `texts`, with which `timeout`, and of the answer `KEPT`."""
QUESTION = ("module", "lemma", "size", "by", "part")


@dataclass(frozen=True, slots=True)
class Question:
    """`part`: an action of a lemma that is asked in parts, or `hypotheses`; empty for all of it."""

    module: str
    lemma: str
    size: str
    by: str
    part: str = ""

    def line(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in QUESTION}

    @property
    def options(self) -> tuple[str, str, str]:
        """Those that are asked in the same way can be asked in one command."""
        return self.size, self.by, self.part


@dataclass(frozen=True)
class Module:
    """A module of lemmas. `reads`: a digest of its configuration and of all modules that it reaches.

    `is_quick`: in a moment, so that its lemmas are asked about in one command.
    """

    path: Path
    subject: Subject
    reads: str
    is_quick: bool

    @property
    def name(self) -> str:
        return self.path.stem

    @cached_property
    def lemmas(self) -> Sequence[Lemma]:
        return chosen(self.subject, ())

    @cached_property
    def parts(self) -> Mapping[str, Sequence[str]]:
        """By lemma the parts in which cvc5 and the checker are asked, where all takes minutes; else one, empty."""
        actions: dict[str, Sequence[str]] = {}
        found: dict[str, Sequence[str]] = {}
        for lemma in self.lemmas:
            found[lemma.name] = ("",)
            if is_in_ways(lemma):
                step = next(h.name for h in lemma.hypotheses if gives_values(h.formula))
                if step not in actions:  # the ways to take it are found in seconds
                    shares = shares_of(self.subject, lemma)
                    actions[step] = tuple(dict.fromkeys(share[0].action if share else HYPOTHESES for share in shares))
                found[lemma.name] = actions[step]
        return found

    def texts(self, lemma: Lemma) -> str:
        """What an answer is about: the texts but for comments, and what the lemma's comment says to the prover."""
        used = tuple(use.name for use in lemma.uses)
        limits = tuple(dict.fromkeys(use.actions for use in lemma.uses))
        told = (lemma.name, lemma.expected, used, limits[0] if len(limits) == 1 else limits, repr(lemma.bounds))
        return sha256(f"{self.reads}\0{told!r}".encode()).hexdigest()[:16]

    def sizes(self) -> Sequence[str]:
        """Any number where the configuration says of which set."""
        return SIZES if "REPLICAS" in self.path.with_suffix(".cfg").read_text(encoding="utf-8") else (CONFIGURED,)


def modules() -> list[Module]:
    """Those of `spec/lemmas`, such as take minutes last."""
    quick = lemma_modules(LEMMAS)
    others = sorted(path for path in LEMMAS.glob("*.tla") if path.with_suffix(".cfg").exists() and path not in quick)
    return [module_of(path, is_quick=path in quick) for path in [*quick, *others]]


def module_of(path: Path, known: Mapping[str, str] | None = None, is_quick: bool = False) -> Module:
    """`known`: the texts of modules that are not in `spec/`, by name."""
    return Module(path, open_module(path), digest(path, known), is_quick)


def digest(path: Path, known: Mapping[str, str] | None = None) -> str:
    """Of the texts as they are now."""
    now = {file.stem: file.read_text(encoding="utf-8") for file in (ROOT / "spec").rglob("*.tla")}
    return texts_of(files_of(path, path.with_suffix(".cfg")), {**now, **(known or {})})


def questions(module: Module, by: Sequence[str] = ANSWERS, whole: bool = False) -> Iterator[Question]:
    """What there is to ask about a module. Certificates are for so many brokers as the configuration has.

    `whole`: no lemma in parts, which have an answer sooner, each, but take longer together.
    """
    for who in by:
        for size in module.sizes():
            if who == CHECKER and size == ANY:
                continue
            for lemma in module.lemmas:
                for part in module.parts[lemma.name] if who != Z3 and not whole else ("",):
                    yield Question(module.name, lemma.name, size, who, part)


def current(lines: Iterable[Run], known: Iterable[Module]) -> dict[Question, Run]:
    """The last answer to each question about the texts as they are."""
    texts = {(module.name, lemma.name): module.texts(lemma) for module in known for lemma in module.lemmas}
    found: dict[Question, Run] = {}
    for line in lines:
        if texts.get((line["module"], line["lemma"])) == line["texts"]:
            found[Question(**{name: line[name] for name in QUESTION})] = line
    return found


def is_settled(run: Run) -> bool:
    """Whether a longer time would say nothing else."""
    settled = run["verdict"] == run.get("expected") or bool(run.get("provedFor"))
    return settled and not run.get("cvc5", {}).get("noAnswer")


def batches(left: Sequence[Question], module: Module) -> Iterator[list[Question]]:
    """Those that are asked in one command."""
    if not module.is_quick:
        yield from ([question] for question in left)
        return
    for options in dict.fromkeys(question.options for question in left):
        yield [question for question in left if question.options == options]


def command(batch: Sequence[Question], path: Path, to: Path, certificates: Path | None, timeout: float) -> list[str]:
    """How they are asked. `certificates`: where cvc5's proofs are, if there is somebody to check them."""
    size, by, part = batch[0].options
    given = [sys.executable, "-m", "rmqproof", "prove", str(path), "--quiet", "--workers", "1"]
    given += ["--timeout", f"{timeout:g}", "--json", str(to), *(f"--lemma={each.lemma}" for each in batch)]
    given += ["--action", part] if part else []
    given += ["--replicas", "any"] if size == ANY else []
    given += {Z3: [], CVC5: ["--solver", "z3,cvc5"], CHECKER: ["--recheck"]}[by]
    if certificates is not None and by != Z3 and size == CONFIGURED:
        given += ["--certificates", str(certificates)]
    return given


def asked(
    batch: Sequence[Question], module: Module, folder: Path, certificates: Path | None, timeout: float
) -> Iterator[Run]:
    """Ask, and read what was written: a line for each question."""
    size, by, part = batch[0].options
    name = batch[0].lemma if len(batch) == 1 else module.name
    to = folder / module.name / f"{size}-{by}" / f"{name}{'-' if part else ''}{part}.json"
    to.parent.mkdir(parents=True, exist_ok=True)
    to.unlink(missing_ok=True)
    lemmas = {lemma.name: lemma for lemma in module.lemmas}
    texts = {question: module.texts(lemmas[question.lemma]) for question in batch}
    most = 60 + timeout * sum(MANY if is_in_ways(lemmas[question.lemma]) else FEW for question in batch)
    given = command(batch, module.path, to, certificates, timeout)
    try:
        done = subprocess.run(given, capture_output=True, text=True, check=False, timeout=most)
        said = done.stderr.strip().splitlines() or ["no answer"]
    except subprocess.TimeoutExpired:
        said = [f"stopped after {most:.0f} s"]
    if digest(module.path) != module.reads:
        raise SystemExit(f"{module.name}, or what it extends, was changed meanwhile: what came out is of neither text.")
    for question in batch:
        about = {**question.line(), "texts": texts[question], "timeout": timeout}
        yield about | answer_in(to, question, said[-1])


def answer_in(file: Path, question: Question, otherwise: str) -> dict[str, Any]:
    """What the command has written about a lemma; `otherwise`: the reason where it has not."""
    lemmas = json.loads(file.read_text(encoding="utf-8"))["lemmas"] if file.exists() else []
    for found in lemmas:
        if (found["module"], found["lemma"]) == (question.module, question.lemma):
            return {key: found[key] for key in KEPT if key in found}
    return {"verdict": NOT_PUT, "reason": otherwise}


def kept(log: Path, runs: Mapping[Question, Run]) -> None:
    """Write the log anew: a line for each question, in the order of their names."""
    ordered = sorted(runs.items(), key=lambda item: tuple(item[0].line().values()))
    log.write_text("".join(f"{json.dumps(line)}\n" for _, line in ordered), encoding="utf-8")


def wrong(runs: Mapping[Question, Run]) -> list[str]:
    """What is otherwise than its module declares; an answer that is not known is not wrong."""
    return [
        f"{question.module}!{question.lemma}, {question.size}, {question.by}: {run['verdict']}"
        for question, run in runs.items()
        if run["verdict"] not in (run.get("expected"), UNKNOWN, NOT_PUT)
    ]


def able(signatures: Path | None = None) -> tuple[str, ...]:
    """Who can be asked here, Z3 in any case."""
    found = [Z3]
    if importlib.util.find_spec("cvc5") is not None:
        found.append(CVC5)
    try:
        Checker.found("ethos", signatures)
        found.append(CHECKER)
    except TlaError as error:
        print(f"No certificates are checked: {error}", file=sys.stderr)
    return tuple(found)


def left_of(
    given: argparse.Namespace, module: Module, who: Sequence[str], runs: Mapping[Question, Run]
) -> list[Question]:
    """The questions about a module that are wanted and have no answer yet."""
    found = []
    for question in questions(module, [by for by in who if by in (given.by or who)], given.whole):
        wanted = ((given.size, question.size), (given.lemma, question.lemma), (given.part, question.part))
        if all(not names or name in names for names, name in wanted):
            found.append(question)
    return [question for question in found if not is_done(question, module, runs, given.timeout)]


def is_done(question: Question, module: Module, runs: Mapping[Question, Run], timeout: float) -> bool:
    """Whether it has an answer, or all of its lemma has one, or each part of that."""

    def has_answer(part: str) -> bool:
        run = runs.get(replace(question, part=part))
        return run is not None and (is_settled(run) or run["timeout"] >= timeout)

    if has_answer(question.part) or has_answer(""):
        return True
    if question.part or not any(replace(asked, part="") == question for asked in runs if asked.part):
        return False  # to find the parts of a lemma takes seconds
    return all(map(has_answer, module.parts[question.lemma]))


def run_all(given: argparse.Namespace, known: Sequence[Module], who: Sequence[str]) -> dict[Question, Run]:
    """Ask what has no answer yet; all answers."""
    begin = monotonic()
    runs = current(logged(given.log), known)
    kept(given.log, runs)
    certificates = given.certificates if CHECKER in who else None
    wanted = [module for module in known if not given.module or module.name in given.module]
    left = [(batch, module) for module in wanted for batch in batches(left_of(given, module, who, runs), module)]
    left.sort(key=lambda each: seconds_of_z3(each[0], runs))
    mine: dict[Question, Run] = {}
    with given.log.open("a", encoding="utf-8") as log:
        for batch, module in left:
            if monotonic() - begin > given.seconds:
                break
            for question, line in zip(batch, asked(batch, module, given.out, certificates, given.timeout), strict=True):
                mine[question] = line
                print(json.dumps(line), file=log, flush=True)
                said = "proved" if line.get("provedFor") else line["verdict"]
                print(f"{' '.join(question.line().values()).strip()}: {said}", file=sys.stderr)
    runs = current(logged(given.log), known) | mine  # another command may have written there meanwhile
    kept(given.log, runs)
    return runs


def seconds_of_z3(batch: Iterable[Question], runs: Mapping[Question, Run]) -> float:
    """That the lemmas of these questions took Z3; infinite where it was not asked about one."""
    known = [runs.get(replace(question, by=Z3, part="")) for question in batch]
    return sum(float("inf") if run is None else float(run.get("seconds", 0.0)) for run in known)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, choices in (("by", ANSWERS), ("size", SIZES)):
        parser.add_argument(f"--{name}", choices=choices, action="append", help="may be repeated; default: all")
    for name in ("module", "lemma", "part"):
        parser.add_argument(f"--{name}", action="append", metavar="NAME", help="may be repeated; default: all")
    parser.add_argument(
        "--whole", action="store_true", help="no lemma in parts: less work in all, and more for an answer"
    )
    parser.add_argument("--seconds", type=float, default=float("inf"), help="nothing is begun after so many")
    parser.add_argument("--timeout", type=float, default=TIMEOUT, help="seconds a question")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "proofs", help="default: out/proofs")
    parser.add_argument("--certificates", type=Path, default=ROOT / "out" / "certificates", help="of cvc5")
    parser.add_argument("--log", type=Path, default=LOG, help="default: proof_runs.jsonl, beside this module")
    given = parser.parse_args()
    try:
        runs = run_all(given, modules(), able())
    except KeyboardInterrupt:
        sys.exit("Stopped; the next run goes on.")
    told = wrong(runs)
    print("\n".join(told), file=sys.stderr)
    sys.exit(1 if told else 0)


if __name__ == "__main__":
    main()
