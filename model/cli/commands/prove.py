"""`rmqproof prove`: prove lemmas for all sizes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click
from rich.console import Console

from rmqproof.model.api.proofs import (
    SOLVERS,
    asked_of,
    by_certificates,
    reached,
    settled,
    without_any_number,
)
from rmqproof.model.checking import exit_status
from rmqproof.model.checking.interrupts import raising
from rmqproof.model.cli.bounded import check_bounded
from rmqproof.model.cli.cases import error_case, lemma_cases
from rmqproof.model.cli.option_list import FILE, FILE_OR_FOLDER
from rmqproof.model.cli.proving import print_answer, print_answers, print_share, watching, write_pictures
from rmqproof.model.cli.report_option import Report, asked_for, report_option
from rmqproof.model.cli.reports import write_cases
from rmqproof.model.cli.vacuity import print_need, print_taken, print_vacuities, to_json
from rmqproof.model.cli.writable import Output, write_json
from rmqproof.model.prove.answers import Answer, answer
from rmqproof.model.prove.modules import ANY, Sizes, chosen, lemma_modules, open_module
from rmqproof.model.prove.progress import Told
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.vacuity import Need, Taken, Vacuity, vacuities
from rmqproof.model.prove.ways import HYPOTHESES
from rmqproof.model.report.console import open_console
from rmqproof.model.tla.library import PROTOCOL
from rmqproof.model.tla.source import TlaError

_MOST = 7
"""So many replicas, if it is not to be any number."""


class Replicas(click.ParamType[int]):
    """A number of replicas, or `any`."""

    name = "replicas"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value)
        if text == "any":
            return ANY
        if not text.isdecimal() or not 1 <= int(text) <= _MOST:
            self.fail(f"{text} is neither a number from 1 to {_MOST} nor `any`.", param, ctx)
        return int(text)


@click.command("prove")
@click.argument("modules", nargs=-1, metavar="[MODULE.tla]...", type=FILE_OR_FOLDER)
@click.option("--config", type=FILE, help="Configuration of MODULE.")
@click.option("--lemma", "names", multiple=True, metavar="NAME", help="Only this lemma. May be repeated.")
@click.option(
    "--replicas",
    type=Replicas(),
    metavar="N|any",
    help="So many elements (1 to 7) for the set that the line `\\* REPLICAS Name` of the .cfg names; any: a proof for "
    "every number of them.",
)
@click.option(
    "--any",
    "open_sets",
    multiple=True,
    metavar="NAME",
    help="A proof for any finite set as the value of this constant, of which nothing else is known. May be repeated.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=60.0,
    show_default=True,
    metavar="S",
    help="Seconds a question. It may take about as long to make, and 20 seconds more.",
)
@click.option(
    "--solver",
    "solvers",
    type=click.Choice([SOLVERS[0], ",".join(SOLVERS)]),
    default=SOLVERS[0],
    show_default=True,
    help="With z3,cvc5 a second solver is asked about each proof and each countermodel that Z3 finds.",
)
@click.option(
    "--certificates",
    type=Output(folder=True),
    metavar="DIR",
    help="With --solver z3,cvc5: keep cvc5's proofs here, one for each question, as certificates that a checker which "
    "is no solver can read. With --recheck: read them.",
)
@click.option(
    "--recheck",
    is_flag=True,
    help="Prove by the certificates alone: the questions are made anew from the lemmas, and no solver answers them, "
    "but a checker says whether the certificate is a proof.",
)
@click.option(
    "--checker",
    default="ethos",
    show_default=True,
    metavar="PROGRAM",
    help="The checker of certificates, https://github.com/cvc5/ethos.",
)
@click.option(
    "--signatures",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The rules of cvc5's proofs for the checker: the folder proofs/eo/cpc of cvc5's source. Else RMQPROOF_CPC.",
)
@click.option(
    "--bounded",
    type=click.IntRange(min=0),
    metavar="K",
    help="Instead of lemmas: look for a violation of MODEL's invariants and step properties within K steps of an "
    "initial state.",
)
@click.option(
    "--action",
    "actions",
    multiple=True,
    metavar="NAME",
    help="Of a lemma that every step keeps something: only this action. The lemma as a whole is then not proved. "
    f"`{HYPOTHESES}`: what is the same for all actions, that its hypotheses have values. May be repeated.",
)
@click.option(
    "--reach",
    type=click.FloatRange(min=0.1),
    metavar="S",
    help="Ask the explicit search, for so many seconds, whether the first state of a countermodel of two states can be "
    "reached, and in how many steps.",
)
@click.option(
    "--vacuity",
    is_flag=True,
    help="Instead of verdicts: can each action be taken from a state that satisfies the hypotheses, and what is each "
    "hypothesis, each part of an invariant, needed for: it is dropped, and the lemma proved again.",
)
@click.option(
    "--hypothesis",
    "hypotheses",
    multiple=True,
    metavar="NAME",
    help="With --vacuity: only this hypothesis, or part of an invariant, is dropped. May be repeated.",
)
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Processes; default: one a processor.")
@click.option(
    "--out",
    type=Output(folder=True),
    metavar="DIR",
    help="Write countermodels as pictures here.",
)
@click.option(
    "--json", "json_to", type=Output(path_type=None, allow_dash=True), metavar="FILE|-", help="Write the answers."
)
@report_option
@click.option("--quiet", is_flag=True, help="Only the table, and what is not as it should be.")
def command(
    modules: tuple[Path, ...],
    config: Path | None,
    names: tuple[str, ...],
    replicas: int | None,
    open_sets: tuple[str, ...],
    timeout: float,
    solvers: str,
    certificates: Path | None,
    recheck: bool,
    checker: str,
    signatures: Path | None,
    bounded: int | None,
    actions: tuple[str, ...],
    reach: float | None,
    vacuity: bool,
    hypotheses: tuple[str, ...],
    workers: int | None,
    out: Path | None,
    json_to: str | None,
    report: tuple[tuple[Report, ...], ...],
    quiet: bool,
) -> None:
    """Prove the lemmas of TLA+ modules: for every offset, every epoch and every number of messages.

    With --bounded K, MODULE is a model, SPEC.tla or MODEL.cfg, as for `rmqproof check`; 12 is then the exit status of a
    violation, 152 that of a search which did not come to its end.

    A lemma is a THEOREM with a name, and the comment above it is the sentence it stands for. Without MODULE the
    lemmas about RocketMQ's Controller mode that come with rmqproof are proved. A lemma above which the line
    `\\* EXPECT refuted` stands is known to be false, and a countermodel is wanted. Questions that were answered before
    are not asked again: the answers are kept in RMQPROOF_CACHE, else in the user's cache folder.

    Exit status: 0 when every lemma asked for is proved (or refuted, where that is expected) and its hypotheses are
    satisfiable, 1 otherwise; 75 for what cannot be translated, 150 and 151 for what cannot be parsed, 2 wrong usage,
    130 interrupted.
    """
    errors = open_console(errors=True)
    wish = Wish(
        modules, config, names, Sizes(replicas, open_sets), timeout, bounded, actions, reach, workers, out, json_to,
        quiet, tuple(asked_for(report)), tuple(solvers.split(",")), vacuity, certificates,
        Rechecking(checker, signatures) if recheck else None, hypotheses,
    )  # fmt: skip
    try:
        with raising():
            status = _prove(wish, open_console(errors=json_to == "-"), errors)
    except KeyboardInterrupt:
        errors.print("Interrupted.")
        status = exit_status.INTERRUPTED
    sys.exit(status)


@dataclass(frozen=True, slots=True)
class Rechecking:
    """By which checker certificates are checked again."""

    checker: str
    signatures: Path | None


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command was asked for: its parameters."""

    modules: tuple[Path, ...]
    config: Path | None
    names: tuple[str, ...]
    sizes: Sizes
    timeout: float
    bounded: int | None
    actions: tuple[str, ...]
    reach: float | None
    workers: int | None
    out: Path | None
    json_to: str | None
    quiet: bool
    reports: tuple[Report, ...] = ()
    solvers: tuple[str, ...] = SOLVERS[:1]
    vacuity: bool = False
    certificates: Path | None = None
    recheck: Rechecking | None = None
    hypotheses: tuple[str, ...] = ()

    @property
    def by(self) -> Callable[..., Answer]:
        """What settles a lemma. Raise `TlaError` where that is not there, `click.UsageError`."""
        if self.recheck is None:
            if self.certificates is not None and self.solvers != SOLVERS:
                raise click.UsageError("--certificates keeps the proofs of cvc5: add --solver z3,cvc5, or --recheck.")
            return answer
        if self.certificates is None:
            raise click.UsageError("--recheck needs --certificates DIR, where they are.")
        self.refuse("--recheck", "--solver")
        return by_certificates(self.certificates, self.recheck.checker, self.recheck.signatures)

    def refuse(self, option: str, *others: str) -> None:
        """Raise `click.UsageError` where one of the others is given, too."""
        given = {
            "--lemma": self.names, "--replicas": self.sizes.replicas is not None, "--any": self.sizes.any,
            "--action": self.actions, "--reach": self.reach, "--workers": self.workers, "--out": self.out,
            "--json": self.json_to, "--report": self.reports, "--solver": len(self.solvers) > 1,
            "--vacuity": self.vacuity, "--hypothesis": self.hypotheses, "--certificates": self.certificates,
            "--recheck": self.recheck,
        }  # fmt: skip
        without = [other for other in others or given if given[other]]
        if without:
            raise click.UsageError(f"{option} does not go with {', '.join(without)}.")


def _prove(wish: Wish, text: Console, errors: Console) -> int:
    """Do it; the exit status."""
    if wish.vacuity:
        wish.refuse("--vacuity", "--any", "--reach", "--out", "--report", "--solver", "--certificates", "--recheck")
    elif wish.hypotheses:
        raise click.UsageError("--hypothesis says what --vacuity drops: add it.")
    if wish.bounded is not None:
        wish.refuse("--bounded")
        try:
            return check_bounded(wish.modules, wish.config, wish.bounded, wish.timeout, text)
        except TlaError as error:
            errors.print(error.render(), style="bold red", markup=False, soft_wrap=True)
            return exit_status.of_error(error)
    try:
        asked = wish.modules or tuple(lemma_modules(PROTOCOL / "lemmas", with_replicas=wish.sizes.replicas is not None))
        subjects = {path: open_module(path, wish.config, wish.sizes) for path in asked}
        names = [f"{_name(s)}!{lemma.name}" for s in subjects.values() for lemma in chosen(s, wish.names)]
        if not names:
            raise click.UsageError(
                f"There is no lemma called {' or '.join(wish.names)}." if wish.names else "There is no lemma."
            )
        if wish.vacuity:
            return _vacuity(list(subjects.values()), wish, text, errors)
        if whole := sorted({c.name for subject in subjects.values() for c in subject.open_sets}):
            text.print(f"For any finite {' and '.join(whole)}; values that show something are of the sets in the .cfg.")
        by = wish.by
        if wish.certificates is not None:
            without_any_number(subjects.values())
        answers, status = _answers(subjects, wish, by, text, errors)
    except TlaError as error:
        file = Path(error.at.source.name) if error.at is not None else asked[0]
        write_cases(wish.reports, [error_case(file.stem, file, error)], wish.json_to == "-")
        errors.print(error.render(), style="bold red", markup=False, soft_wrap=True)
        return exit_status.of_error(error)
    ordered = [answers[name] for name in names if name in answers]
    print_answers(ordered, text)
    if wish.reach is not None:
        modules = {_name(subject): subject for subject in subjects.values()}
        tell = partial(text.print, markup=False)
        ordered = [reached(found, modules[found.module], wish.reach, tell) for found in ordered]
        for found in (found for found in ordered if found.reached):
            tell(f"{found.name}: the first state of the countermodel is {found.reached}.")
    if wish.out is not None:
        for problem in write_pictures(ordered, wish.out):
            errors.print(problem, style="yellow", markup=False, soft_wrap=True)
    if wish.json_to is not None:
        _write_json(ordered, wish.json_to)
    files = {_name(subject): path for path, subject in subjects.items()}
    none = TlaError("There is no answer: the question could not be put.")
    untold = [error_case(name, files[name.split("!")[0]], none) for name in names if name not in answers]
    write_cases(wish.reports, [*lemma_cases(ordered, files), *untold], wish.json_to == "-")
    return status or (0 if all(found.as_expected for found in ordered) else 1)


def _vacuity(subjects: Sequence[Subject], wish: Wish, text: Console, errors: Console) -> int:
    """What the lemmas need. Raise `TlaError`, `click.UsageError`."""
    if any(subject.open_sets for subject in subjects):
        raise click.UsageError("--vacuity does not go with --replicas any.")
    workers, asked = wish.workers or os.cpu_count() or 1, asked_of(wish.solvers, wish.timeout)
    found: list[Vacuity] = []
    with _watched(wish, text, errors) as told:
        for subject in subjects:
            for one in vacuities(
                subject,
                wish.names,
                wish.timeout,
                workers,
                asked,
                hypotheses=wish.hypotheses,
                actions=wish.actions,
                told=told,
            ):
                if isinstance(one, Vacuity):
                    found.append(one)
                elif isinstance(one, Taken) and not wish.quiet:
                    print_taken(one, text)
                elif isinstance(one, Need) and not wish.quiet:
                    print_need(one, text)
    print_vacuities(found, text)
    if wish.json_to is not None:
        write_json({"lemmas": to_json(found)}, wish.json_to)
    return 0 if all(not one.open and all(one.actions.values()) for one in found) else 1


def _watched(wish: Wish, text: Console, errors: Console) -> AbstractContextManager[Told]:
    """What tells of what is asked about at present: not among what is printed, unless that is seen on a terminal."""
    return watching(text if text.is_terminal else errors, wish.quiet)


def _name(subject: Subject) -> str:
    return subject.model.specification.name


def _answers(
    subjects: Mapping[Path, Subject], wish: Wish, by: Callable[..., Answer], text: Console, errors: Console
) -> tuple[dict[str, Answer], int]:
    """The answers by lemma, printed as they come; the status of what had none."""
    answers: dict[str, Answer] = {}
    status = 0
    with _watched(wish, text, errors) as told:
        for found in settled(
            [(subject, str(path)) for path, subject in subjects.items()],
            wish.names,
            timeout=wish.timeout,
            workers=wish.workers,
            asked=asked_of(wish.solvers, wish.timeout, certificates=wish.certificates),
            actions=wish.actions,
            by=by,
            told=told,
        ):
            if found.error is not None:
                errors.print(found.error.render(), style="bold red", markup=False, soft_wrap=True)
                status = exit_status.of_error(found.error)
            elif found.answer is None:
                continue
            elif not found.whole:
                if not wish.quiet:
                    print_share(found.answer, text)
            else:
                answers[found.lemma] = found.answer
                if not wish.quiet or not found.answer.as_expected:
                    print_answer(found.answer, text, wish.quiet)
    return answers, status


def _write_json(answers: list[Answer], to: str) -> None:
    write_json({"lemmas": [found.json() for found in answers]}, to)
