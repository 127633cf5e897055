"""What stops a walk: breakpoints at lines, operators and variables; properties that break, deadlocks, errors."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from rmqproof.model.debugger.passing import Names, Passing, Place, is_in, on_line, places_of
from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.explore.evaluation import Evaluation
from rmqproof.model.explore.language import Language
from rmqproof.model.explore.space import Space
from rmqproof.model.search.system import State
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location, TlaError

Test = Callable[[State | None, State], bool]
"""Of a step, or, where there is no state before, of an initial state. Raise `TlaError`."""
_CONDITION = "StopsIf_"
_HITS = re.compile(r"\s*(>=|>|<=|<|==?|%)?\s*(\d+)\s*")
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "=": operator.eq,
    "==": operator.eq,
    "": operator.ge,
    "%": lambda hits, number: number > 0 and hits % number == 0,
}


class CannotStop(Exception):
    """No breakpoint can be there; the message says why, and what can be done."""


@dataclass
class Stop:
    """A breakpoint. `counts` decides by the number of hits; a `log` is written instead of stopping.

    `around`: the operators in which it stands. `text`: the line as the client gave it, to be known again.
    """

    number: int
    test: Test
    at: Location | None = None
    around: frozenset[str] = frozenset()
    counts: Callable[[int], bool] = lambda hits: True
    log: str = ""
    kind: str = "breakpoint"
    hits: int = field(default=0)

    def hit(self, before: State | None, after: State) -> bool:
        """Whether the step hits it, which is counted. Raise `TlaError`."""
        if not self.test(before, after):
            return False
        self.hits += 1
        return self.counts(self.hits)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a client says of a breakpoint besides where it is."""

    condition: str = ""
    hits: str = ""
    log: str = ""


class Stops:
    """Makes breakpoints for a model."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.language = Language(space.files)
        self._initial = list(places_of(space.model.initial)) if space.model.initial is not None else []
        self._next = list(places_of(space.model.next)) if space.model.next is not None else []
        asked = [(each.body, each) for each in space.model.invariants]
        asked += [(formula, each.definition) for each in space.model.properties for formula in each.always]
        self._asked = [place for formula, of in asked for place in places_of(formula, of)]
        self._last = 0

    def on_line(self, file: Path, line: int, column: int | None, wanted: Wanted) -> Stop:
        """Raise `CannotStop`."""
        places = [place for place in (*self._initial, *self._next) if is_in(place.at, file)]
        found = on_line(places, line, column)
        if found and not self._elsewhere(file, line, places):
            return self._at(found, wanted)
        asked = [place for place in self._asked if is_in(place.at, file)]
        found = on_line(asked, line, column)
        if found and not self._elsewhere(file, line, asked):
            return self._where_false(found, wanted)
        raise CannotStop(
            "No step passes here: a breakpoint stands in Init, Next, an invariant, or an operator that they call."
        )

    def _where_false(self, found: set[Place], wanted: Wanted) -> Stop:
        """In an invariant: at states of which what stands there is false."""
        tests = [self.space.system.state_condition(place.node) for place in found]
        condition = self._plain(wanted.condition)

        def test(before: State | None, after: State) -> bool:
            return not all(holds(after) for holds in tests) and condition(before, after)

        return self._stop(test, wanted, min(found, key=lambda place: place.lines).at)

    def _elsewhere(self, file: Path, line: int, places: list[Place]) -> bool:
        """Whether a line is of a definition that no step passes."""
        passed = {place.head.in_file[0] for place in places if place.head is not None}
        around = set()
        for definition in self.space.model.specification.definitions.values():
            first, _, last, _ = definition.at.in_file
            if first <= line <= last and is_in(definition.at, file):
                around.add(first)
        return bool(around) and not passed & around

    def in_operator(self, name: str, wanted: Wanted) -> Stop:
        """At the beginning of an operator. Raise `CannotStop`."""
        places = (*self._initial, *self._next)
        found = {place for place in places if place.head is not None and place.around[-1] == name}
        if not found:
            named = dict.fromkeys(place.around[-1] for place in places if place.head is not None)
            raise CannotStop(f"No step passes an operator {name}; there are {', '.join(named)}.")
        return self._at(found, wanted)

    def on_change(self, variable: str, wanted: Wanted) -> Stop:
        """At steps that change a variable. Raise `CannotStop`."""
        if variable not in self.space.variables:
            raise CannotStop(f"{variable} is no variable.")
        index = list(self.space.variables).index(variable)
        condition = self._plain(wanted.condition)

        def test(before: State | None, after: State) -> bool:
            return before is not None and before[index] != after[index] and condition(before, after)

        return self._stop(test, wanted, kind="data breakpoint")

    def lines(self, file: Path, first: int, last: int) -> list[Location]:
        """Where breakpoints can stand in these lines."""
        places = [place for place in (*self._initial, *self._next, *self._asked) if is_in(place.at, file)]
        found: dict[tuple[int, int], Location] = {}
        for place in places:
            line, column, _, _ = place.at.in_file
            if first <= line <= last:
                found.setdefault((line, column), place.at)
        return [found[key] for key in sorted(found)]

    # --- how they are tested ---------------------------------------------------------------------------------------

    def _at(self, found: set[Place], wanted: Wanted) -> Stop:
        initial = {place for place in self._initial if place in found}
        steps = {place for place in self._next if place in found}
        if wanted.condition:
            tests = self._with_condition(initial, steps, wanted.condition)
        else:
            model, system = self.space.model, self.space.system
            formulas = [
                Passing(places).formula(root) if places and root is not None else None
                for places, root in ((initial, model.initial), (steps, model.next))
            ]
            tests = (
                system.state_condition(formulas[0]) if formulas[0] is not None else None,
                system.step_condition(formulas[1]) if formulas[1] is not None else None,
            )
        first = min(found, key=lambda place: (place.lines, place.at.column))
        around = frozenset(name for place in steps for name in place.around)
        return self._stop(_either(*tests), wanted, first.at, around)

    def _stop(self, test: Test, wanted: Wanted, at: Location | None = None, around: frozenset[str] = frozenset(),
              kind: str = "breakpoint") -> Stop:  # fmt: skip
        self._last += 1
        return Stop(self._last, test, at, around, counting(wanted.hits), wanted.log, kind)

    def _plain(self, text: str) -> Test:
        """A condition that speaks of the step alone. Raise `CannotStop`."""
        if not text:
            return lambda before, after: True
        try:
            evaluation = Evaluation.of(self.language, text)
        except TlaError as error:
            raise CannotStop(_said(error)) from None
        if evaluation.level > core.ACTION:
            raise CannotStop("The condition speaks of a whole behaviour; describe a state, or a step with primes.")
        if evaluation.level == core.ACTION:
            return lambda before, after: before is not None and evaluation.holds(before, after)
        return lambda before, after: evaluation.holds(before if before is not None else after)

    def _with_condition(
        self, initial: set[Place], steps: set[Place], text: str
    ) -> tuple[Callable[..., bool] | None, Callable[..., bool] | None]:
        """Tests of the places where the condition is true there too; it may use what is bound around them.

        The condition is read as an operator of the model, so the model is read once more with it.
        """
        words = set(re.findall(r"\w+", text))
        names = sorted({name.name for place in (*initial, *steps) for name in place.names} & words)
        head = f"{_CONDITION}({', '.join(names)})" if names else _CONDITION
        try:
            model = self.language.defining(f"{head} ==\n{text}").read("TRUE").model
        except TlaError as error:
            raise CannotStop(_said(error)) from None
        defined = model.specification.definitions[_CONDITION]
        if defined.level > (core.ACTION if steps else core.STATE):
            raise CannotStop("The condition speaks of more than is known here: of a step, or of a whole behaviour.")
        bare = core.Model(model.specification, None, None, words=model.words)
        system = deeply(system_of, bare)

        def called(bound: Names) -> core.Expression:
            known = {name.name: name for name in bound}
            if missing := [name for name in names if name not in known]:
                raise CannotStop(f"{', '.join(missing)} is not bound at every place of this line.")
            given = tuple(core.Reference(defined.at, known[name]) for name in names)
            return core.Call(defined.at, defined, given)

        found: list[Callable[..., bool] | None] = []
        for places, root, step in ((initial, model.initial, False), (steps, model.next, True)):
            formula = Passing(places, called).formula(root) if places and root is not None else None
            found.append(None if formula is None else _truth(system.careful_value(formula, step)))
        return found[0], found[1]


def _either(initial: Callable[..., bool] | None, step: Callable[..., bool] | None) -> Test:
    def test(before: State | None, after: State) -> bool:
        if before is None:
            return initial is not None and bool(initial(after))
        return step is not None and bool(step(before, after))

    return test


def _truth(value: Callable[..., object]) -> Callable[..., bool]:
    return lambda *states: bool(getattr(deeply(value, *states), "truth", False))


def _said(error: TlaError) -> str:
    return " ".join(part for part in (f"The condition: {error.message}.", error.remedy) if part)


def counting(text: str) -> Callable[[int], bool]:
    """`3`: from the third hit on; `= 3`, `> 3`, `% 3` as they say. Raise `CannotStop`."""
    if not text.strip():
        return lambda hits: True
    found = _HITS.fullmatch(text)
    if found is None:
        raise CannotStop(f"{text} is no number of hits: write 3, = 3, > 3 or % 3.")
    compare, number = _COMPARED[found[1] or ""], int(found[2])
    return lambda hits: compare(hits, number)
