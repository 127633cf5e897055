"""Prove lemmas for all sizes, with Z3."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from rmqproof.model.api.behaviour import Behaviour
from rmqproof.model.api.checks import opened
from rmqproof.model.api.errors import ConfigError, typed, typed_errors
from rmqproof.model.api.models import Model
from rmqproof.model.prove.answers import Answer, answer, of_actions, stopped, together, unmade
from rmqproof.model.prove.ask import Asked, Asking
from rmqproof.model.prove.certificates import Certificates
from rmqproof.model.prove.decide import NO_WAY, PROVED
from rmqproof.model.prove.effort import Unmade
from rmqproof.model.prove.modules import ANY, Sizes, chosen, open_files, used_by
from rmqproof.model.prove.progress import Heard, Told, place
from rmqproof.model.prove.proof_cache import ProofCache
from rmqproof.model.prove.reach import reach as asked_to_reach
from rmqproof.model.prove.recheck import Checker, rechecked
from rmqproof.model.prove.second_solver import SecondSolver
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.tasks import Task, run_all
from rmqproof.model.prove.theorems import Lemma
from rmqproof.model.prove.ways import Way, apart
from rmqproof.model.tla.source import TlaError

SOLVERS = ("z3", "cvc5")
_GRACE = 20.0
"""Seconds to set up a question."""
_MANY, _SHORT, _LONG = 8, 20, 200
"""A lemma about steps whose goal has more conjuncts, or whose hypotheses have more parts, gets a process for each way
to take the step. The others are the times, in time-outs, after which a process is stopped."""


@dataclass(frozen=True)
class Proof:
    """What is known of a lemma. True when it is settled as the line EXPECT above it says, `proved` without one.

    `verdict`: `proved`, `refuted`, `unknown`, or `vacuous` where its hypotheses contradict each other. `sizes`: the
    constants that had one value, each with it; the proof is for every value of all else.
    """

    answer: Answer = field(repr=False)
    name: str
    verdict: str
    sentence: str

    def __bool__(self) -> bool:
        return self.answer.as_expected

    @property
    def sizes(self) -> dict[str, str]:
        return dict(self.answer.sizes)

    @property
    def reason(self) -> str:
        """Why it is not known, or vacuous."""
        return self.answer.reason

    @property
    def seconds(self) -> float:
        return self.answer.seconds

    @property
    def countermodel(self) -> Behaviour | None:
        """Values that refute it, as a behaviour of one or two states; nothing says that they can be reached."""
        shown = self.answer.countermodel
        return Behaviour(shown) if shown is not None else None

    @property
    def reached(self) -> str:
        """Whether the first of two states of the countermodel can be reached, where that was asked; else empty."""
        return self.answer.reached

    def json(self) -> dict[str, Any]:
        return self.answer.json()


@dataclass(frozen=True, slots=True)
class Settled:
    """What came out of one question about a lemma, `module!name`: an answer, or why there is none.

    A lemma about steps with many conjuncts is asked for one way to take the step after the other. `whole`: the answer
    is that of the lemma, all its questions together.
    """

    lemma: str
    answer: Answer | None = None
    error: TlaError | None = None
    whole: bool = False


def _telling(
    by: Callable[..., Answer],
    subject: Subject,
    lemma: Lemma,
    timeout: float,
    used: tuple[Lemma, ...],
    again: str,
    asked: Asked,
    share: tuple[Way, ...] | None,
    first: bool,
    tell: Callable[[Asking], None],
) -> Answer:
    return by(subject, lemma, timeout, used, again, replace(asked, tell=tell), share, first)


@dataclass(frozen=True, slots=True)
class _Asked:
    subject: Subject
    lemma: Lemma
    questions: int
    in_part: bool


def is_in_ways(lemma: Lemma) -> bool:
    """Whether each way to take the step is asked about by itself."""
    return lemma.is_about_steps and max(lemma.conjuncts, len(lemma.parts)) > _MANY


def shares_of(subject: Subject, lemma: Lemma, actions: Sequence[str] = ()) -> list[tuple[Way, ...] | None]:
    """What is asked about by itself: `NO_WAY` and each way to take the step; or None, everything at once.

    `actions`: only the ways of these; `HYPOTHESES` among them stands for `NO_WAY`. Raise `TlaError`.
    """
    if not is_in_ways(lemma):
        return [None]
    return [NO_WAY if way is None else (way,) for way in apart(subject, lemma, actions)]


def time_of(lemma: Lemma, timeout: float, asked: Asked) -> float:
    """Seconds after which a process that asks about the lemma is stopped; with so many seconds a question.

    They do not depend on how many of its actions are asked about.
    """
    return timeout * (_LONG if is_in_ways(lemma) else _SHORT) * (1 if asked.second is None else 2) + _GRACE


def settled(
    modules: Iterable[tuple[Subject, str]],
    lemmas: Sequence[str],
    *,
    timeout: float,
    workers: int | None,
    asked: Asked,
    actions: Sequence[str] = (),
    by: Callable[..., Answer] = answer,
    told: Told | None = None,
) -> Iterator[Settled]:
    """Answers of the lemmas of these modules as they come, each in a process of its own: of these lemmas, or of all.

    Beside a module: how a command line names it. `actions`: of a lemma that every step keeps something only these, and
    `HYPOTHESES` for what is the same for all, that the hypotheses have values. `by`: what settles one, see
    `by_certificates`. `told`: what the processes ask about, whenever that is something else, and every second.
    """
    tasks: list[Task] = []
    heard = Heard(told)
    questions: dict[str, _Asked] = {}
    for given, called in modules:
        subject = given.for_seconds(timeout)
        for lemma in chosen(subject, tuple(lemmas)):
            key = f"{subject.model.specification.name}!{lemma.name}"
            try:
                shares = shares_of(subject, lemma, actions)
            except Unmade as error:
                yield Settled(key, unmade(subject.model.specification.name, lemma, error.reason), whole=True)
                continue
            limit = time_of(lemma, timeout, asked)
            again = f"rmqproof prove {called} --lemma {lemma.name}" if called else ""
            used = used_by(subject, lemma)
            for index, share in enumerate(shares):
                ask = partial(_telling, by, subject, lemma, timeout, used, again, asked, share, index == 0)
                tasks.append(Task(key, ask, limit))
                heard.expect(tasks[-1], lemma.name)
            questions[key] = _Asked(subject, lemma, len(shares), bool(actions) and shares != [None])
    got: dict[str, list[Answer]] = {}
    for done in run_all(tasks, workers or os.cpu_count() or 1, heard.hear):
        key, last = done.task.name, heard.end(done.task)
        if isinstance(done.error, TlaError):
            yield Settled(key, error=done.error)
            continue
        if done.error is not None:
            raise done.error
        of = questions[key]
        module = of.subject.model.specification.name
        parts = got.setdefault(key, [])
        parts.append(stopped(module, of.lemma, done.task.seconds, place(last)) if done.stopped else done.result)
        if of.questions > 1:
            yield Settled(key, parts[-1])
        if len(parts) == of.questions:
            whole = together(parts)
            yield Settled(
                key, of_actions(whole, actions) if of.in_part and whole.verdict == PROVED else whole, whole=True
            )


def by_certificates(folder: Path, program: str, signatures: Path | None) -> Callable[..., Answer]:
    """Lemmas are settled by the certificates in this folder, and this checker. Raise `TlaError`."""
    if not folder.is_dir():
        raise TlaError(
            f"there are no certificates: {folder} is no folder",
            remedy=f"Make them: --solver {','.join(SOLVERS)} --certificates {folder}.",
            kind="config",
        )
    return partial(rechecked, Certificates(folder), Checker.found(program, signatures))


def without_any_number(subjects: Iterable[Subject]) -> None:
    """Raise `TlaError` where a constant is any finite set: of such proofs there are no certificates."""
    for name in (constant.name for subject in subjects for constant in subject.open_sets):
        raise TlaError(
            f"there are no certificates for any number of elements of {name}",
            remedy="Which hypotheses such a question has is found by a solver. Ask for so many: --replicas N.",
            kind="config",
        )


def asked_of(solvers: Sequence[str], timeout: float, remember: bool = True, certificates: Path | None = None) -> Asked:
    """Who is asked besides Z3: of `SOLVERS` the first, or both. Raise `TlaError`.

    `certificates`: where proofs of the second one are kept.
    """
    if tuple(solvers) not in (SOLVERS[:1], SOLVERS):
        raise TlaError(
            f"no such solvers: {', '.join(solvers)}",
            remedy="Ask z3, or z3 and cvc5: Z3 finds the proofs and values, cvc5 says what it thinks of them.",
            kind="config",
        )
    cache = ProofCache.of_user() if remember else ProofCache(None)
    if tuple(solvers) != SOLVERS:
        return Asked(cache)
    return Asked(cache, SecondSolver.cvc5(timeout, cache, Certificates.made(certificates) if certificates else None))


def _settling(
    folder: Path | None, solvers: Sequence[str], checker: str | None, signatures: str | Path | None
) -> Callable[..., Answer]:
    """What settles a lemma: `checker` None: solvers. Raise `TlaError`, `ValueError` for what does not go together."""
    if checker is None:
        if folder is not None and tuple(solvers) != SOLVERS:
            raise ValueError("certificates are cvc5's proofs: ask solvers=('z3', 'cvc5'), or recheck=True")
        return answer
    if folder is None:
        raise ValueError("recheck=True needs the folder of the certificates")
    return by_certificates(folder, checker, None if signatures is None else Path(signatures))


def reached(answer: Answer, subject: Subject, seconds: float, tell: Callable[[str], None] | None = None) -> Answer:
    """With what an explicit search of so many seconds says of the first state of a countermodel of two states.

    An answer without one stays as it is. Raise `TlaError`.
    """
    found = answer.values
    if found is None or found.now is None or found.then is None:
        return answer
    return replace(answer, reached=str(asked_to_reach(subject.model, found, seconds, tell or (lambda text: None))))


def prove(
    model: Model | str | Path,
    lemmas: Iterable[str] = (),
    *,
    replicas: int | str | None = None,
    any_size: Iterable[str] = (),
    actions: Iterable[str] = (),
    timeout: float = 60.0,
    reach: float | None = None,
    workers: int | None = None,
    remember: bool = True,
    solvers: Sequence[str] = SOLVERS[:1],
    certificates: str | Path | None = None,
    recheck: bool = False,
    checker: str = "ethos",
    signatures: str | Path | None = None,
) -> dict[str, Proof]:
    """What can be shown of the lemmas of a module, the THEOREMs with a name, by name; of these, or of all.

    `replicas`: so many elements, or "any" number, for the set that the line `\\* REPLICAS Name` of the
    configuration names; `any_size`: constants that are any finite set. `actions`: of a lemma that every step keeps
    something only these, "hypotheses" for what is the same for all. `timeout`: seconds a question. `reach`: so many
    seconds a search may look for the first state of a countermodel of two states, see `Proof.reached`. `remember`:
    answers are kept in the user's cache, and not asked for again. `solvers`: with ("z3", "cvc5") cvc5 is asked
    about each proof and countermodel, see `Proof.json`. `certificates`: a folder where cvc5's proofs are kept. With
    `recheck` no solver is believed, but those of them that the `checker` accepts by the rules in the folder
    `signatures`, see `Proof.json`.

    Raise `ParseError`, `ConfigError`, and `EvaluationError` for what has no translation.
    """
    model, lemmas = opened(model), tuple(lemmas)
    with typed_errors():
        sizes = Sizes(ANY if replicas == "any" else None if replicas is None else int(replicas), tuple(any_size))
        folder = None if certificates is None else Path(certificates)
        by = _settling(folder, solvers, checker if recheck else None, signatures)
        asked = asked_of(solvers, timeout, remember, folder)
        subject = open_files(model.files, sizes)
        if folder is not None:
            without_any_number([subject])
        wanted = [lemma.name for lemma in chosen(subject, lemmas)]
        missing = {*lemmas} - {*wanted}
        if missing or not wanted:
            raise ConfigError(
                f"{model.name} has no lemma{' ' + ', '.join(sorted(missing)) if missing else ''}",
                None,
                "A lemma is a THEOREM with a name: THEOREM Name == formula.",
            )
        proofs: dict[str, Proof] = {}
        for found in settled(
            [(subject, "")], lemmas, timeout=timeout, workers=workers, asked=asked, actions=tuple(actions), by=by
        ):
            if found.error is not None:
                raise typed(found.error) from found.error
            if found.whole and found.answer is not None:
                name = found.lemma.partition("!")[2]
                whole = found.answer if reach is None else reached(found.answer, subject, reach)
                proofs[name] = Proof(whole, name, whole.verdict, whole.sentence)
    return {name: proofs[name] for name in wanted}
