"""Infer an inductive invariant: open, search, minimise, write, and have it proved by whoever proves lemmas."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic

from rmqproof.model.api.proofs import asked_of, settled
from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.infer.finding import Conjunct, Finding
from rmqproof.model.infer.induction import Breach, Induction
from rmqproof.model.infer.invariant_module import Written, invariant_module, write_module
from rmqproof.model.infer.minimising import minimised
from rmqproof.model.infer.opening import TYPES, Opened, Wish, opened
from rmqproof.model.infer.telling import Near, nearest, reached, step_of
from rmqproof.model.prove.answers import Answer
from rmqproof.model.prove.decide import PROVED
from rmqproof.model.prove.modules import CONFIGURED, Sizes, open_module
from rmqproof.model.prove.scope import Bounds
from rmqproof.model.prove.state import unbounded
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError
from rmqproof.model.types.domain import Union, all_parts
from rmqproof.model.types.infer import infer_types

_WITHIN_TYPES = Bounds(3, 3, -1, 4, as_inferred=True)
"""Of counterexamples whose numbers are in the ranges that the types have: so many messages there are quickly found."""
_BOUNDS = (Bounds(3, 3, -1, 4), Bounds(5, 5, -1, 8))
"""How large the states of counterexamples are; larger ones where `prove` is not content with what is inductive here."""
_REACH, _SHARE = 20.0, 0.25
"""Seconds for the question whether the state before a step is reachable, and what part of all there are at most."""


@dataclass(eq=False)
class Outcome:
    """`found`: an inductive invariant was proved, for the sizes asked for. `left`: a step that nothing excludes;
    `violated`: a property that does not hold. `answers`: what `prove` says of the module."""

    opened: Opened
    conjuncts: list[Conjunct] = field(default_factory=list)
    whole: list[Conjunct] = field(default_factory=list)
    """Those that were inductive, before it was asked which of them are needed."""
    spare: list[Conjunct] = field(default_factory=list)
    """What was assumed besides, since it holds in the states that are known: no conjunct has needed it so far."""
    configured: bool = False
    """It was proved for the sizes of the configuration."""
    found: bool = False
    violated: str = ""
    left: Breach | None = None
    interrupted: bool = False
    out_of_time: bool = False
    step: Behaviour | None = None
    """That step as a behaviour."""
    trace: Behaviour | None = None
    """A behaviour that violates the property."""
    reached: str = ""
    nearest: tuple[Near, ...] = ()
    answers: tuple[Answer, ...] = ()
    written: Written | None = None
    tried: int = 0
    questions: int = 0
    seconds: float = 0.0

    @property
    def proved(self) -> bool:
        return bool(self.answers) and all(answer.verdict == PROVED for answer in self.answers)


def infer(
    files: ModelFiles,
    wish: Wish,
    folder: Path,
    sizes: Sizes = CONFIGURED,
    tell: Callable[[str], None] = lambda text: None,
) -> Outcome:
    """Look for an inductive invariant and write it into the folder. Ctrl-C ends it with what was found so far.

    Raise `TlaError`, `OSError`.
    """
    result: Outcome = deeply(_inferred, files, wish, folder, sizes, tell)
    return result


def _inferred(files: ModelFiles, wish: Wish, folder: Path, sizes: Sizes, tell: Callable[[str], None]) -> Outcome:
    begun, end = _worked(), monotonic() + wish.seconds
    start = opened(files, wish, tell)
    outcome = Outcome(start, list(start.given), spare=list(start.spare))
    if start.reachable.violated:
        name, place = next(iter(start.reachable.violated.items()))
        outcome.violated = name
        outcome.trace = start.reachable.behaviour(start.system, place, name, start.sentence(name), "")
        return outcome
    if wish.stored is not None:
        for name in start.properties:
            trace = wish.stored.shortest(f"~{name}") if wish.stored.failing([name]) != [None] else None
            if trace is not None:
                outcome.violated, outcome.trace = name, replace(trace, violated=name, sentence=start.sentence(name))
                return outcome
    for text in start.refused:
        tell(f"not used, for it does not hold in every reachable state: {text}")
    saved = folder / f"{files.spec.stem}Invariant.part.json"
    try:
        if _proved_as_configured(outcome, wish, folder, saved, end, tell):
            outcome.configured = True
            outcome.found = not sizes.any or _proved(outcome, wish, folder, sizes, tell)
            saved.unlink(missing_ok=True)
    except KeyboardInterrupt:
        outcome.interrupted = True
    outcome.seconds = _worked() - begun
    return outcome


def _proved_as_configured(
    outcome: Outcome, wish: Wish, folder: Path, saved: Path, end: float, tell: Callable[[str], None]
) -> bool:
    """Whether a conjunction was found that is inductive, and proved for the sizes of the configuration."""
    for bounds in _bounds(outcome.opened):
        if outcome.whole:  # what smaller bounds did not need, these may
            outcome.conjuncts[:] = outcome.whole
        for support in _supports(outcome.opened, bounds):
            if support:
                tell(f"begun again with what conjuncts may need to have a value: {', '.join(c.text for c in support)}")
            outcome.conjuncts[:] = dict.fromkeys((*support, *outcome.conjuncts))
            if not _search(outcome, wish, bounds, support, saved, end, tell):
                return False
            if not bounds.as_inferred and _proved(outcome, wish, folder, CONFIGURED, tell):
                return True
    return False


def _supports(start: Opened, bounds: Bounds) -> Iterator[tuple[Conjunct, ...]]:
    """Nothing; then, as some conjunct may not be known to have a value, what says of which types values are."""
    yield ()
    types = tuple(conjunct for conjunct in start.spare if conjunct.name in TYPES)
    if start.shapes and not bounds.as_inferred:
        yield start.shapes
    if types and not bounds.as_inferred:
        yield (*start.shapes, *types)


def _bounds(start: Opened) -> Sequence[Bounds]:
    """Those within the types first, where the types say more than those without bounds, or have kinds of messages."""
    types = infer_types(start.model).variables.values()
    is_narrower = any(unbounded(type_, True) != type_ for type_ in types)
    has_kinds = any(isinstance(part, Union) for type_ in types for part in all_parts(type_))
    return (_WITHIN_TYPES, *_BOUNDS) if is_narrower or has_kinds else _BOUNDS


def _search(
    outcome: Outcome,
    wish: Wish,
    bounds: Bounds,
    support: Collection[Conjunct],
    saved: Path,
    end: float,
    tell: Callable[[str], None],
) -> bool:
    """Whether a conjunction was found that Z3 finds no step to break, within the bounds; it is minimal then, but for
    the support, which it has in any case."""
    start = outcome.opened
    induction = Induction(start.words.model, bounds, wish.timeout, end)

    def over() -> bool:
        return monotonic() > end

    outcome.spare[:] = [conjunct for conjunct in outcome.spare if conjunct not in outcome.conjuncts]
    finding = Finding(
        start.words, start.reachable, induction, outcome.conjuncts, start.stages, tell, over=over, stored=wish.stored,
        spare=outcome.spare,
    )  # fmt: skip
    finding.added = lambda: _save(saved, [*outcome.conjuncts, *outcome.spare])
    try:
        done = finding.run()
    finally:
        outcome.tried += finding.tried
        outcome.questions += induction.questions
    outcome.left, outcome.out_of_time = finding.left, finding.out_of_time
    if finding.left is not None:
        broken = next((c.text for c in outcome.conjuncts if c.formula is finding.left.goal), "")
        outcome.step = step_of(start, finding.left, broken)
        outcome.reached = reached(start, finding.left, min(_REACH, wish.seconds * _SHARE))
        if not finding.out_of_time:
            outcome.nearest = tuple(nearest(start, finding, finding.left))
    if done:
        needed = frozenset(conjunct.text for conjunct in (*start.given, *support))
        outcome.whole = list(outcome.conjuncts)
        kept = minimised(outcome.conjuncts, needed, induction, lambda c: start.words.cost(c.clause) if c.clause else 0)
        outcome.conjuncts[:] = kept
        whole = len(outcome.whole)
        where = " within the inferred types" if bounds.as_inferred else ""
        tell(f"inductive{where}; {whole - len(kept)} of {whole} conjuncts are not needed")
    return done


def _proved(outcome: Outcome, wish: Wish, folder: Path, sizes: Sizes, tell: Callable[[str], None]) -> bool:
    """Write the module, and ask `prove`, which knows nothing of how the invariant was found."""
    start = outcome.opened
    name = f"{start.files.spec.stem}Invariant"
    text = invariant_module(start.files, start.model, start.properties, outcome.conjuncts, name)
    outcome.written = written = write_module(start.files, text, name, folder)
    answers: list[Answer] = []
    subject = open_module(written.module, written.config, sizes)
    asked = asked_of(("z3",), wish.timeout)
    own = tuple(re.findall(r"^THEOREM (\w+) ==", text, re.MULTILINE))  # not those of modules that it extends
    for each in settled([(subject, str(written.module))], own, timeout=wish.timeout, workers=1, asked=asked):
        if each.error is not None:
            raise each.error
        if each.whole and each.answer is not None:
            answers.append(each.answer)
            tell(f"{each.answer.name}: {each.answer.verdict}{f' ({each.answer.reason})' if each.answer.reason else ''}")
    outcome.answers = tuple(answers)
    return outcome.proved


def _worked() -> float:
    """Seconds of a processor that this process and those that it has started have had."""
    return sum(os.times()[:4])


def _save(file: Path, conjuncts: Sequence[Conjunct]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    content = {"conjuncts": [conjunct.text for conjunct in conjuncts if not conjunct.name]}
    new = file.with_suffix(".new")
    new.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    new.replace(file)


def saved_conjuncts(files: ModelFiles, folder: Path) -> tuple[str, ...]:
    """What an earlier search of the specification had found. Raise `TlaError` for a file that is none of ours."""
    file = folder / f"{files.spec.stem}Invariant.part.json"
    try:
        found = json.loads(file.read_text(encoding="utf-8"))["conjuncts"]
        if isinstance(found, list) and all(isinstance(text, str) for text in found):
            return tuple(found)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise TlaError(f"{file}: not what rmqproof infer had saved", remedy="Remove it.", kind="system")
