"""What a lemma says anything for: whether its step can be taken, and which hypotheses it needs.

Each named hypothesis, each part of an invariant, is dropped in turn, of an invariant also as a part of the goal: then
something else must have no proof, or the part is there for its own sake only. Where the unsatisfiable cores of proofs
do not have the part they are proofs without it; everything else is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

from rmqproof.model.prove.ask import Asked, Asker, Asking
from rmqproof.model.prove.cores import core_of, core_of_impossible
from rmqproof.model.prove.countermodel import Countermodel
from rmqproof.model.prove.decide import PROVED, Part, prove_grounds, prove_obligation, refuted, satisfied
from rmqproof.model.prove.effort import Unmade
from rmqproof.model.prove.lemma_obligations import obligations_of
from rmqproof.model.prove.lemma_parts import WHOLE
from rmqproof.model.prove.modules import used_by
from rmqproof.model.prove.obligation import EVERYTHING, Obligation, Selection
from rmqproof.model.prove.progress import Heard, Told, place
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.tasks import Task, run_all
from rmqproof.model.prove.theorems import Lemma, lemmas_of
from rmqproof.model.prove.ways import Way, apart, cases_of, likeness
from rmqproof.model.tla.source import TlaError

STOPPED = "stopped: the time was over"
_IMPOSSIBLE = "a case that cannot be"
_CORE = "what is enough for"
_PATIENCE, _GRACE = 400, 20.0
"""So many times the seconds of a question, and so many more, is what a process may take."""
Cores = Mapping[str, frozenset[str] | None]
"""By the name of a part of the goal the names in its proof's core, those of the state after the step with a prime;
None: no proof was found at once."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One way to take the step; without one what is the same for all ways, or a lemma without steps.

    `possible`: whether it can be taken from a state that satisfies the hypotheses; None: no values were found.
    `open`: the parts of the goal that have no proof at all.
    """

    lemma: str
    way: Way | None
    possible: bool | None
    open: tuple[str, ...]
    cores: Cores


@dataclass(frozen=True, slots=True)
class Need:
    """`needed`: something has no proof without the part; None: that is not known.

    `step` and `goal`: what. `countermodel`: values that show it, which the Python engine confirms; None: no proof was
    found, and no values. `why`: why it is not known. `among`: only these actions were asked about; without any all.
    """

    lemma: str
    part: str
    needed: bool | None
    step: str = ""
    goal: str = ""
    countermodel: Countermodel | None = None
    why: str = ""
    among: tuple[str, ...] = ()


def taken(
    subject: Subject,
    lemma: Lemma,
    way: Way | None,
    used: tuple[Lemma, ...],
    timeout: float,
    asked: Asked,
    tell: Callable[[Asking], None],
) -> Taken:
    """Whether the step can be taken in this way, and what the proofs use. Raise `Untranslatable`."""
    asked = replace(asked, tell=tell)
    possible = satisfied(subject, lemma, timeout, _selection(way), asked)
    obligations = list(_obligations(subject, lemma, way, used))
    if possible is None and all(Asker(obligation, timeout).impossible() for obligation, _ in obligations):
        possible = False
    answers = [part for each, is_case in obligations for part in _answers(lemma, way, each, is_case, timeout, asked)]
    open_ = dict.fromkeys(answer.goal or WHOLE for answer in answers if answer.verdict != PROVED)
    return Taken(
        lemma.name, way, possible, tuple(open_), {} if open_ else _cores(lemma, way, obligations, timeout, tell)
    )


def _is_common(lemma: Lemma, way: Way | None) -> bool:
    """Whether what is asked is the same for all ways to take a step, that the hypotheses have values, and only that."""
    return way is None and lemma.is_about_steps


def _answers(
    lemma: Lemma, way: Way | None, obligation: Obligation, is_case: bool, timeout: float, asked: Asked
) -> list[Part]:
    found = prove_grounds(obligation, timeout, asked, True) if way is None else []
    return found if _is_common(lemma, way) else [*found, *prove_obligation(obligation, timeout, asked, is_case)]


def _selection(way: Way | None) -> Selection:
    return EVERYTHING if way is None else Selection(frozenset({way.title}))


def _cores(
    lemma: Lemma,
    way: Way | None,
    obligations: Sequence[tuple[Obligation, bool]],
    timeout: float,
    tell: Callable[[Asking], None],
) -> Cores:
    found: dict[str, frozenset[str] | None] = {}

    def note(name: str, names: frozenset[str] | None) -> None:
        known = found.get(name, frozenset())
        found[name] = None if names is None or known is None else known | names

    for obligation, is_case in obligations:
        asker = Asker(obligation, timeout)
        if is_case and asker.impossible():
            note(_IMPOSSIBLE, core_of_impossible(asker))
            continue
        common = _is_common(lemma, way)
        grounds = [
            *(obligation.on_grounds(True) if way is None else ()),
            *(() if common else obligation.on_grounds(False)),
        ]
        for ground in grounds:
            tell(Asking(obligation.title, f"{_CORE} {ground.goals[0].name}"))
            note(ground.goals[0].name, core_of(Asker(ground, timeout), ground.goals[0]))
        for goal in () if common else obligation.goals:
            if goal.truth is not True:
                tell(Asking(obligation.title, f"{_CORE} {goal.name}"))
                note(goal.name, core_of(asker, goal))
    return found


def _proved_without(cores: Cores, part: str, lost: frozenset[str], goal: str, seen: frozenset[str]) -> bool:
    """Whether the cores are a proof of this part of the goal without that part of the hypotheses, and these lemmas."""
    names = cores.get(goal)
    if names is None or goal in seen:
        return False
    for name in names:
        after = name.removesuffix("'")
        if after == part or name in lost:
            return False
        if after != name and not _proved_without(cores, part, lost, after, seen | {goal}):
            return False
    return True


def _obligations(
    subject: Subject, lemma: Lemma, way: Way | None, used: tuple[Lemma, ...]
) -> Iterator[tuple[Obligation, bool]]:
    """Those of one way to take the step, and whether each is one of several cases.

    Without a step all; for what is the same for all ways the first of any.
    """
    if way is None:
        found = obligations_of(subject, lemma, None, used)
        yield from ((each, False) for each in (islice(found, 1) if _is_common(lemma, way) else found))
        return
    like = likeness(subject, lemma)
    selection = Selection(frozenset({way.title}), {}, like.partial)
    obligations = list(obligations_of(subject, lemma, None, used, selection))
    for case in cases_of(obligations, selection, like.names):
        some = obligations if case is selection else obligations_of(subject, lemma, None, used, case)
        yield from ((obligation, case is not selection) for obligation in some)


def need(
    subject: Subject,
    lemma: Lemma,
    part: str,
    ways: Sequence[Taken],
    used: tuple[Lemma, ...],
    lost: frozenset[str],
    timeout: float,
    asked: Asked,
    tell: Callable[[Asking], None],
) -> Need:
    """What has no proof without the part, first of all what a core has it for.

    `ways`: all of the lemma. `lost`: lemmas among those that are used which need the part themselves.
    """
    asked = replace(asked, tell=lambda asking: tell(replace(asking, without=part)))
    touched = [(_touched(each.cores, part, lost), each.way) for each in ways]
    for _, way in sorted((one for one in touched if one[0]), key=lambda one: -one[0]):
        for obligation, is_case in _obligations(subject, lemma, way, used):
            left = _dropped(obligation, part, lost)
            for answer in _answers(lemma, way, left, is_case, timeout, asked):
                if answer.verdict != PROVED:
                    counter = refuted(subject, lemma.without(part), timeout, _selection(way), asked)
                    shown = counter if counter is not None and counter.confirmed else None
                    return Need(lemma.name, part, True, answer.step, answer.goal, shown)
    return Need(lemma.name, part, False)


def _touched(cores: Cores, part: str, lost: frozenset[str]) -> float:
    """0: the cores are proofs without the part; else the more the likelier it is needed."""
    others = [goal for goal in cores if goal not in _own(part)]
    if all(_proved_without(cores, part, lost, goal, frozenset()) for goal in others):
        return 0.0
    return 0.1 + sum(part in (cores[goal] or ()) for goal in others)


def _own(part: str) -> tuple[str, str]:
    return part, f"{part} has a value"


def _dropped(obligation: Obligation, part: str, lost: frozenset[str]) -> Obligation:
    """The same without this part among hypotheses and goals, and without these lemmas."""
    gone, own = lost | {part}, _own(part)
    kept = [given.name not in gone for given in obligation.hypotheses]
    return replace(
        obligation,
        hypotheses=[given for given, stays in zip(obligation.hypotheses, kept, strict=True) if stays],
        goals=[goal for goal in obligation.goals if goal.name not in own],
        later=[later for later in obligation.later if later.given.name not in {f"{name}'" for name in lost}],
        grounds=tuple(
            replace(ground, before=sum(kept[: ground.before]))
            for ground in obligation.grounds
            if ground.goal.name not in own
        ),
    )


@dataclass(frozen=True, slots=True)
class Vacuity:
    """What was found out about a lemma. `needs` is empty where it has no proof in the first place."""

    lemma: Lemma
    ways: tuple[Taken, ...] = ()
    needs: tuple[Need, ...] = ()

    @property
    def open(self) -> list[str]:
        """What has no proof, with nothing dropped."""
        return [
            f"{each.way.title}: {goal}" if each.way is not None else goal for each in self.ways for goal in each.open
        ]

    @property
    def actions(self) -> dict[str, bool | None]:
        """Of a lemma about steps, whether each action can be taken in some way."""
        found: dict[str, bool | None] = {}
        for each in self.ways:
            if each.way is not None:
                known = found.get(each.way.action, each.possible)
                found[each.way.action] = True if True in (known, each.possible) else known and each.possible
        return found


def vacuities(
    subject: Subject,
    names: Sequence[str],
    timeout: float,
    workers: int,
    asked: Asked,
    *,
    hypotheses: Sequence[str] = (),
    actions: Sequence[str] = (),
    told: Told | None = None,
) -> Iterator[Taken | Need | Vacuity]:
    """What the lemmas of these names need, and those that they use; each way and each need as it is found, then the
    whole lemma.

    Without names all that are to be proved. `hypotheses`: only these are dropped; without any all are. `actions`: of
    lemmas about steps only these, `HYPOTHESES` for what is the same for all; a part may be needed for others then.
    `told`: what the processes ask about, whenever that is something else, and every second. Raise `TlaError`.
    """
    known: dict[tuple[str, str], Need] = {}
    limit = timeout * _PATIENCE + _GRACE
    subject, lemmas = subject.for_seconds(timeout), _with_used(subject, names)
    if missing := {*hypotheses} - {part for lemma in lemmas for part in lemma.parts}:
        raise TlaError(
            f"there is no hypothesis {' or '.join(sorted(missing))} in {', '.join(lemma.name for lemma in lemmas)}",
            lemmas[0].at if lemmas else None,
            "A hypothesis is named by its label, a part of an invariant by the operator that says it.",
            "evaluation",
        )
    for lemma in lemmas:
        used = used_by(subject, lemma)
        try:
            steps = apart(subject, lemma, actions) if lemma.is_about_steps else [None]
        except Unmade as error:
            yield Vacuity(lemma, (Taken(lemma.name, None, None, (error.reason,), {}),))
            continue
        ask = [partial(taken, subject, lemma, way, used, timeout, asked) for way in steps]
        found: dict[int, Taken] = {}
        tasks = [Task(str(number), each, limit) for number, each in enumerate(ask)]
        for name, result, why in _results(tasks, lemma, workers, told):
            number = int(name)
            found[number] = result or Taken(lemma.name, steps[number], None, (why,), {})
            yield found[number]
        ways = tuple(found[number] for number in range(len(steps)))
        if any(each.open for each in ways):
            yield Vacuity(lemma, ways)
            continue
        tasks = []
        parts = [part for part in lemma.parts if not hypotheses or part in hypotheses]
        for part in parts:
            lost = frozenset(
                u.name for u in used if (u.name, part) not in known or known[u.name, part].needed is not False
            )
            lost &= frozenset(u.name for u in used if part in u.parts)
            tasks.append(Task(part, partial(need, subject, lemma, part, ways, used, lost, timeout, asked), limit))
        for part, result, why in _results(tasks, lemma, workers, told):
            among = tuple(actions) if lemma.is_about_steps else ()
            known[lemma.name, part] = replace(result or Need(lemma.name, part, None, why=why), among=among)
            yield known[lemma.name, part]
        yield Vacuity(lemma, ways, tuple(known[lemma.name, part] for part in parts))


def _results(tasks: Sequence[Task], lemma: Lemma, workers: int, told: Told | None) -> Iterator[tuple[str, Any, str]]:
    """What came out, by the names of the tasks; None where nothing did, and why.

    Raise what one has raised.
    """
    heard = Heard(told)
    for task in tasks:
        heard.expect(task, lemma.name)
    for done in run_all(tasks, workers, heard.hear):
        at = place(heard.end(done.task))
        if isinstance(done.error, Unmade):
            yield done.task.name, None, done.error.reason
            continue
        if done.error is not None:
            raise done.error
        yield done.task.name, done.result, f"{STOPPED}{f' at {at}' if at else ''}" if done.stopped else ""


def _with_used(subject: Subject, names: Sequence[str]) -> list[Lemma]:
    """The lemmas of these names, or all that are to be proved, and those that they use, in the module's order."""
    lemmas = lemmas_of(subject.model.specification)
    wanted = {lemma.name for lemma in lemmas if lemma.name in names or (not names and lemma.expected == PROVED)}
    for lemma in reversed(lemmas):
        if lemma.name in wanted:
            wanted |= {other.name for other in used_by(subject, lemma)}
            if lemma.expected != PROVED:
                raise TlaError(
                    f"{lemma.name} is known to be false, so nothing is needed for it",
                    lemma.at,
                    "Ask about a lemma that is to be proved.",
                    "evaluation",
                )
    return [lemma for lemma in lemmas if lemma.name in wanted]
