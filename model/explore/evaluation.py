"""Values of expressions: of none, of a state, of a step, of a whole behaviour."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.evaluate.itf import from_itf, to_itf
from rmqproof.model.evaluate.lazy import LazyFunction, LazySet, plain
from rmqproof.model.evaluate.show import show
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.evaluate.values import Value
from rmqproof.model.explore.language import Asked, Language
from rmqproof.model.explore.temporal import lasso_holds
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.value import Notation
from rmqproof.model.search.system import State
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError

_MOST_SHOWN = 10_000
"""Elements of a described set up to which they are listed."""
_WHAT = {
    core.STATE: "speaks of the variables of a state",
    core.ACTION: "speaks of a step, from one state to the next",
    core.TEMPORAL: "speaks of a whole behaviour",
}


@dataclass(frozen=True, slots=True)
class Found:
    """What an expression is: a value, or why it has none. `text`: the value in one line, as TLC prints it."""

    text: str
    value: Any = None
    """ITF."""
    error: TlaError | None = None
    model_values: frozenset[str] = frozenset()

    def lines(self, width: int) -> list[str]:
        """The value as TLC prints it, where it fits; else in lines of this width."""
        return [self.text] if len(self.text) <= width else self.as_in_states(width)

    def as_in_states(self, width: int = 1_000_000) -> list[str]:
        """The value as those of variables are written: the fields of records in one order."""
        if self.error is not None or self.value is None:
            return [self.text]
        return Notation(self.model_values).lines(self.value, width)


class Evaluation:
    """An expression, ready to be evaluated in states whatever their values are. Raise `TlaError` on each question."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        bare = core.Model(asked.model.specification, None, None, words=asked.model.words)
        self._system: PythonSystem = deeply(system_of, bare)
        self._functions: dict[bool | None, Callable[..., Value]] = {}

    @classmethod
    def of(cls, language: Language, text: str) -> Evaluation:
        return cls(language.read(text))

    @property
    def level(self) -> int:
        return self.asked.level

    @property
    def variables(self) -> Sequence[str]:
        return self._system.variables

    @property
    def names(self) -> frozenset[str]:
        """The model values."""
        return frozenset(self.asked.model.model_values)

    def value(self, before: State | None = None, after: State | None = None, at: int = 0) -> Value:
        """The value, of no state, of one, or of a step; temporal formulas have none here. `at`: `TLCGet("level")`."""
        needed = {core.CONSTANT: 0, core.STATE: 1, core.ACTION: 2}.get(self.level, 3)
        if needed > (before is not None) + (after is not None):
            raise self.wrong(f"this {_WHAT[self.level]}, and there is none")
        step = None if needed == 0 else needed == 2
        if step not in self._functions:
            self._functions[step] = self._system.careful_value(self.asked.node, step, _listed)
        states = () if needed == 0 else (before,) if needed == 1 else (before, after)
        self._system.runtime.level = at
        try:
            return deeply(self._functions[step], *states)
        except TlaError as error:
            raise self.asked.placed(error) from None

    def found(self, before: State | None = None, after: State | None = None, at: int = 0) -> Found:
        """The value as text; an error is one, too."""
        return answered(lambda: self.value(before, after, at), self.names)

    def holds(self, state: State, after: State | None = None) -> bool:
        """The truth of a formula of a state, or of a step. Raise `TlaError` where it is no truth value."""
        value = self.value(state, after)
        if not hasattr(value, "truth"):
            raise self.wrong(f"this is {show(value)}, and no formula", "Write a formula, as x > 3.")
        return bool(value.truth)

    def wrong(self, message: str, remedy: str = "") -> TlaError:
        """An error about the expression as a whole."""
        return self.asked.placed(TlaError(message, self.asked.node.at, remedy, "evaluation"))

    def state(self, shown: Mapping[str, Any]) -> State:
        """A state of these ITF values. Raise `TlaError` where a variable has none."""
        missing = [name for name in self.variables if name not in shown]
        if missing:
            raise TlaError(
                f"the state has no value for {', '.join(missing)}",
                None,
                "Name the specification that the trace is of: --spec S.tla --config S.cfg.",
                "system",
            )
        try:
            return (*(from_itf(shown[name], self.names) for name in self.variables), 0)
        except ValueError as error:
            raise TlaError(f"the state cannot be read: {error}", kind="system") from None

    def over(self, behaviour: Behaviour) -> Found:
        """The truth of a formula about the whole behaviour; one without a loop stays for ever in its last state."""

        def question() -> Value:
            try:
                return lasso_holds(self.asked, behaviour)
            except TlaError as error:
                raise self.asked.placed(error) from None

        return answered(question)


def answered(question: Callable[[], Any], model_values: frozenset[str] = frozenset()) -> Found:
    """The answer as text, or the error."""
    try:
        value = question()
        return Found(show(value), to_itf(value), model_values=model_values)
    except (TlaError, RecursionError, MemoryError) as error:
        raised = error if isinstance(error, TlaError) else TlaError("its evaluation does not end", kind="evaluation")
        return Found(f"no value: {raised.message}", None, raised)


def _listed(value: Value) -> Value:
    """The value, what is described in it listed where that is short."""
    described = value.domain if isinstance(value, LazyFunction) else value
    long = isinstance(described, LazySet) and (described.size is None or described.size > _MOST_SHOWN)
    return value if long else plain(value)


def along(evaluation: Evaluation, behaviour: Behaviour) -> list[Found | None]:
    """The value at each state of a behaviour; of an expression about steps at the state that the step starts in.

    None: after the last state there is no step.
    """
    states: list[State] = [evaluation.state(step.state) for step in behaviour.steps]
    found: list[Found | None] = []
    for index, state in enumerate(states):
        following = index + 1 if index + 1 < len(states) else behaviour.loop
        after = states[following] if following is not None else None
        if evaluation.level == core.ACTION and after is None:
            found.append(None)
        else:
            found.append(evaluation.found(state, after, index + 1))
    return found
