"""What is told about a lemma: an answer that can leave its process, a line of the table, an object of JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rmqproof.model.prove.ask import Z3_ALONE, Asked
from rmqproof.model.prove.certificates import Tally
from rmqproof.model.prove.countermodel import Countermodel, behaviour_of
from rmqproof.model.prove.decide import DISPUTED, PROVED, REFUTED, UNKNOWN, VACUOUS, Part, Verdict, decide
from rmqproof.model.prove.second_solver import Opinions
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import Lemma
from rmqproof.model.prove.ways import Way
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import reached


@dataclass(frozen=True, slots=True)
class Answer:
    """`satisfiable` None: no model of the hypotheses was found in the time. `countermodel` as a behaviour."""

    module: str
    name: str
    sentence: str
    expected: str
    verdict: str
    seconds: float
    satisfiable: bool | None
    reason: str = ""
    countermodel: Behaviour | None = None
    parts: tuple[Part, ...] = ()
    ways: tuple[Way, ...] = ()
    """What was asked one by one; empty where everything was."""
    values: Countermodel | None = None
    reached: str = ""
    """What the explicit search says of the countermodel's first state."""
    sizes: tuple[tuple[str, str], ...] = ()
    """The constants that the lemma reads and that had one value, each with it; of a set, the number of elements."""
    second: Opinions = field(default_factory=Opinions)
    """What a second solver said of what Z3 answered; none asked where there was none."""
    checked: Tally | None = None
    """What a checker said of certificates, where these stand in the place of a solver."""
    proved_for: tuple[str, ...] = ()
    """The actions for which it is proved, where no other was asked about."""

    @property
    def as_expected(self) -> bool:
        """Whether the lemma is settled as the line EXPECT above it says, and says something."""
        return self.verdict == self.expected and self.satisfiable is True

    def json(self) -> dict[str, Any]:
        return {
            "module": self.module,
            "lemma": self.name,
            "sentence": self.sentence,
            "verdict": self.verdict,
            "expected": self.expected,
            "asExpected": self.as_expected,
            "sizes": dict(self.sizes),
            "seconds": round(self.seconds, 3),
            "hypothesesSatisfiable": self.satisfiable,
            "reason": self.reason,
            "countermodel": None
            if self.countermodel is None
            else [dict(step.state) for step in self.countermodel.steps],
            "reached": self.reached,
            **({"provedFor": list(self.proved_for)} if self.proved_for else {}),
            **({"cvc5": self.second.json()} if self.second.asked else {}),
            **({"certificates": self.checked.json()} if self.checked is not None else {}),
            "parts": [
                {"step": p.step, "goal": p.goal, "verdict": p.verdict, "seconds": round(p.seconds, 3)}
                for p in self.parts
            ],
        }


def answer(
    subject: Subject,
    lemma: Lemma,
    timeout: float,
    used: tuple[Lemma, ...],
    command: str,
    asked: Asked = Z3_ALONE,
    share: tuple[Way, ...] | None = None,
    first: bool = True,
) -> Answer:
    """Settle the lemma, or a share of the ways to take its step. Raise `Untranslatable`."""
    found: Verdict = decide(subject, lemma, timeout, used, asked, share, first)
    picture = None
    if found.countermodel is not None:
        picture = behaviour_of(subject.model, lemma, found.countermodel, command)
    return Answer(
        subject.model.specification.name, lemma.name, lemma.sentence, lemma.expected, found.verdict, found.seconds,
        found.satisfiable, found.reason, picture, found.parts, share or (), found.countermodel,
        sizes=sizes_of(subject, lemma), second=found.second,
    )  # fmt: skip


def sizes_of(subject: Subject, lemma: Lemma) -> tuple[tuple[str, str], ...]:
    """The constants that a lemma reads and that have one value: of a set the number of elements, else the value.

    A lemma about states reads what the types of the variables are made of, so of it every set is told.
    """
    formulas = [domain for _, domain in lemma.fresh] + [h.formula for h in lemma.hypotheses] + [lemma.goal]
    read = {n.constant for f in formulas for n in reached(f) if isinstance(n, core.ConstantReference)}
    found = []
    for constant in subject.model.specification.constants:
        value = constant.value
        is_set = isinstance(value, core.SetEnumeration)
        if value is None or constant in subject.free or not (constant in read or (is_set and subject.types)):
            continue
        if constant in subject.open_sets:
            found.append((constant.name, "of any number"))
        elif isinstance(value, core.SetEnumeration):
            found.append((constant.name, f"of {len(value.items)}"))
        elif isinstance(value, core.Literal) and isinstance(value.value, int) and not isinstance(value.value, bool):
            found.append((constant.name, f"= {value.value}"))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ActionTime:
    """`questions` of an action, so many of them `proved`, for `ways` to take it, `asked` of which were asked about."""

    action: str
    asked: int
    ways: int
    questions: int
    proved: int
    seconds: float


def actions_of(answer: Answer) -> list[ActionTime]:
    """What was asked about each action, and how long it took; nothing for a lemma that is not about many steps."""
    found: dict[str, ActionTime] = {}
    for way in answer.ways:
        parts = [part for part in answer.parts if part.step == way.title]
        asked = [part for part in parts if part.goal]
        old = found.get(way.action, ActionTime(way.action, 0, 0, 0, 0, 0.0))
        found[way.action] = ActionTime(
            way.action, old.asked + 1, old.ways + 1 + len(way.alike), old.questions + len(asked),
            old.proved + sum(part.verdict == PROVED for part in asked),
            old.seconds + sum(part.seconds for part in parts),
        )  # fmt: skip
    return list(found.values())


def together(shares: Sequence[Answer]) -> Answer:
    """The answers of all shares of a lemma as one: proved when each share is, refuted when one is."""
    verdicts = {share.verdict for share in shares}
    verdict = next((v for v in (DISPUTED, REFUTED, UNKNOWN, VACUOUS) if v in verdicts), PROVED)
    return replace(
        shares[0],
        verdict=verdict,
        satisfiable=next((True for share in shares if share.satisfiable), None),
        seconds=sum(share.seconds for share in shares),
        reason="; ".join(share.reason for share in shares if share.reason and verdict in (DISPUTED, UNKNOWN, VACUOUS)),
        countermodel=next((share.countermodel for share in shares if share.countermodel is not None), None),
        parts=tuple(part for share in shares for part in share.parts),
        ways=tuple(way for share in shares for way in share.ways),
        second=sum((share.second for share in shares), Opinions()),
        checked=sum(tallies, Tally()) if (tallies := [s.checked for s in shares if s.checked is not None]) else None,
        values=next((share.values for share in shares if share.countermodel is not None), None),
    )


def of_actions(answer: Answer, actions: Sequence[str]) -> Answer:
    """What is known of the lemma when only some actions were asked about: it is not proved."""
    said = f"proved for {', '.join(actions)}; no other action was asked about"
    return replace(answer, verdict=UNKNOWN, reason=said, proved_for=tuple(actions))


def stopped(module: str, lemma: Lemma, timeout: float, at: str = "") -> Answer:
    """The answer of a process that did not come to an end. `at`: what it was asking about, if it had come so far."""
    reason = f"stopped: the time was over{f' at {at}' if at else ''}"
    return Answer(module, lemma.name, lemma.sentence, lemma.expected, UNKNOWN, timeout, None, reason)


def unmade(module: str, lemma: Lemma, reason: str) -> Answer:
    """The answer where already the ways to take the step take too much work to find."""
    return Answer(module, lemma.name, lemma.sentence, lemma.expected, UNKNOWN, 0.0, None, reason)
