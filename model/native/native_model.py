"""A model compiled under some bounds, which grow when a run shows them too small."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.values import Value
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import reached
from rmqproof.model.types.domain import Type, includes
from rmqproof.model.types.rendering import render

from . import build
from .description import Program, describe
from .errors import Cancelled, NotCompilable
from .makers import keep_growths, kept_growths, key_of
from .program_cache import content_of, keep_program, kept_program, program_of
from .representation import Capacity, bounded
from .room import Met, Outgrown, narrow
from .wanted import Wanted

if TYPE_CHECKING:
    from rmqproof.model.types.infer import TypeReport

    from .layout import Layout
    from .symmetry import Group
    from .writer import Writer

MUCH = 2000
"""Expressions in Init, Next and the definitions that they lead to, of which the C text is written in half a second."""
GROWTHS_OF_CLAIMED = 3
"""How often the room of a variable for whose type there is a claim grows before the claim is taken to be false."""
GROWTHS = 6
"""How often each variable's room may grow, on average, before a value is taken to grow without end."""


@dataclass(slots=True)
class NativeModel:
    """A model compiled under some bounds; the bounds grow when a run shows them too small."""

    model: core.Model
    check_deadlock: bool
    say: Callable[[str], None] = lambda text: None
    flags: tuple[str, ...] = ()
    group: Group | None = None
    """The permutations of SYMMETRY (see `permutations_of`)."""
    travels: bool = False
    """The shared object may be given to machines with other processors."""
    arguments: bool = False
    """The kernel gives the arguments of actions, too."""
    labels: Sequence[Wanted] = ()
    """Predicates of the liveness check; see `Program.labels`."""
    levels: bool = False
    """It is for a search, so `TLCGet("level")` has a value in constraints of states and in invariants."""
    backed: bool = False
    """It is for a search with the Python engine at hand: that finds the initial states where Init has no machine code
    (`Program.starts`), and takes over where what has none is reached (see `unreached`)."""
    identity: str = ""
    """Tells the model's texts from others; given, the program is kept for the next time."""
    met: Met | None = None
    """States that another search of the model has met: `compile` has room for them."""
    fingerprint_bits: int = 64
    """Of a state in a search: 64 or 128."""
    capacity: Capacity = field(default_factory=Capacity)
    """Of what lies in no variable; grows as variables' do."""
    program: Program = field(init=False)
    library: Path = field(init=False)
    """The shared object."""
    _unclaimed: frozenset[core.Variable] = frozenset()
    _capacities: dict[core.Variable, Capacity] = field(default_factory=dict)
    growths: list[int] = field(default_factory=list)
    """What was widened so far, in this order; `widen` repeats it."""
    _followed: int = 0
    """The growths that the bounds have followed so far: a program that is kept needs none of them."""
    cancelled: threading.Event = field(default_factory=threading.Event)
    """Set from another thread, or by `cancel`: `compile` is to end soon."""
    building: bool = False
    """The compiler runs."""
    large: bool = False
    """The text that it got last takes it long."""
    writer: Writer | None = None
    """The process that writes texts, and knows types and bounds, in the place of this one."""
    _report: TypeReport | None = None
    _settled: bool | None = None
    _passing: bool = False
    """The program is for this run only; see `written`."""
    at_first: Capacity = field(init=False)
    """`capacity` before anything grew: `growths` lead from there."""

    def __post_init__(self) -> None:
        self.at_first = self.capacity

    @property
    def options(self) -> tuple[str, ...]:
        """For the C compiler."""
        wide = () if self.fingerprint_bits == 64 else (f"-DFINGERPRINT_BITS={self.fingerprint_bits}",)
        return (*wide, *self.flags) if self.travels else (*build.of_this_processor(), *wide, *self.flags)

    @property
    def report(self) -> TypeReport:
        """The types of the variables, as far as claims were not found to be wrong."""
        if self._report is None:
            from rmqproof.model.types.infer import infer_types

            self._report = infer_types(self.model, self._unclaimed)
        return self._report

    @property
    def much(self) -> bool:
        """Whether there is much to be written, by the size of what the behaviour is made of."""
        return sum(1 for _ in reached(*(e for e in (self.model.initial, self.model.next) if e is not None))) > MUCH

    def compile(self) -> None:
        """With the bounds that were enough the last time. Raise `NotCompilable` or `NoCompiler`, `Cancelled` soon
        after `cancelled` was set."""
        build.find_compiler()  # before a text is written that nobody compiles
        if self.identity and not self.growths:
            self.growths = kept_growths(self._key_of_growths)
        self._make_room()
        while True:
            try:
                self._build()
            except Cancelled:
                if self.cancelled.is_set():
                    raise
                self._make_room()
            else:
                if not self._make_room():
                    return

    def _make_room(self) -> bool:
        """The bounds grow until states that were met fit; whether they did not."""
        before = list(self.growths)
        try:
            states = self.met() if self.met is not None else ()
            for _ in range(GROWTHS):
                index = self._narrow_somewhere(states) if states else None
                if index is None:
                    return len(self.growths) > len(before)
                self._widen(index)
        except (NotCompilable, RecursionError):  # which whoever generates the text says
            pass
        self.met = None  # a search in C will tell
        self.begin(before)
        return False

    @property
    def _apart(self) -> Writer | None:
        """Who writes texts, if not this process. Raise `Cancelled`."""
        if self.writer is None or not self.writer.closed:
            return self.writer
        if self.cancelled.is_set():
            raise Cancelled
        return None

    def _narrow_somewhere(self, states: Sequence[Sequence[Value]]) -> int | None:
        if (writer := self._apart) is not None:
            return writer.narrow(self.growths, states)
        return self.narrow(states)

    def narrow(self, states: Sequence[Sequence[Value]]) -> int | None:
        """The number of a variable for whose value in one of these states there is no room under the bounds as they
        are. Raise `NotCompilable`."""
        return narrow(self._layout(), states)

    def fitted(self) -> None:
        """The bounds are enough: they are kept for the next time."""
        if self.identity and self.growths:
            keep_growths(self._key_of_growths, self.growths)

    @property
    def lasts(self) -> bool:
        """Whether the program is kept for the next time."""
        return bool(self.identity) and not self._passing

    @property
    def _key_of_growths(self) -> str:
        """Whatever labels there are: the states are the same, and a search without them may have found the bounds."""
        return key_of(self.identity, self.check_deadlock, self.group, self.arguments)

    def _key(self, *bounds: object) -> str:
        """Of the program that is kept of the model under these bounds."""
        labels = [(str(label.expression.at), label.step) for label in self.labels]
        return key_of(
            self.identity, self.check_deadlock, self.group, self.arguments, self.levels, self.backed, bounds, labels
        )

    def _build(self) -> None:
        self.generate()
        self.large, self.building = len(self.program.source) > build.LARGE, True
        try:
            if self.cancelled.is_set():
                raise Cancelled
            leave = self.cancelled if self.met is None else Outgrown(self.cancelled, self.program.layout, self.met)
            self.library = build.compiled(self.program.source, self.options, leave, self.say)
        finally:
            self.building = False

    def cancel(self) -> bool:
        """Have the compiler end soon; false where it does not run. May be called from a signal handler."""
        if self.building:
            self.cancelled.set()
        return self.building

    def generate(self) -> None:
        """The C text alone. Raise `NotCompilable`, also where expressions nest deeper than the compiler's own stack."""
        try:
            self._generate()
        except RecursionError:
            raise NotCompilable(None, "expressions or definitions that nest very deeply") from None

    def _generate(self) -> None:
        key = self._key(self.capacity.universe, self.growths) if self.identity and not self._settled else None
        known = kept_program(key) if key is not None else None
        if known is not None:
            self.program = known
            return
        if (writer := self._apart) is not None:
            content, self._passing = writer.written(self.growths)
            self.program = program_of(content)
        else:
            content, self._passing = self.written()
        if key is not None and not self._passing:
            keep_program(key, content)

    def written(self) -> tuple[dict[str, Any], bool]:
        """The content of the program under the bounds as they are, which `program` is then. Raise `NotCompilable`.

        And whether it is for this run only: what the Python engine computed may depend on more than the texts, a file
        or the environment.
        """
        self.follow()
        self.program = self._generated()
        described = describe(self.model, self.program, Path(), self.check_deadlock)
        return content_of(described, self.program), bool(self._settled)

    def _generated(self) -> Program:
        from .program import compile_model  # imported where there is no program from the last time

        return compile_model(
            self.model,
            self.report,
            self._capacities,
            self.capacity,
            check_deadlock=self.check_deadlock,
            group=self.group,
            arguments=self.arguments,
            labels=self.labels,
            levels=self.levels,
            backed=self.backed,
        )

    def grow(self, index: int) -> None:
        """Compile again with more room for variable `index`, or for what lies between variables (-1)."""
        what = self._widen(index)
        self.say(f"{what}: the layout is widened and the search starts over.")
        self._build()

    def widen(self, growths: Sequence[int]) -> None:
        """Compile with the bounds to which these growths lead from the first ones. Raise as `compile`."""
        self.begin(growths)
        self._build()

    def begin(self, growths: Sequence[int]) -> None:
        """With the bounds to which these growths lead; they follow when they are needed."""
        if [*growths[: self._followed]] != self.growths[: self._followed]:
            self._capacities, self.capacity = {}, self.at_first
            self._unclaimed, self._report, self._followed = frozenset(), None, 0
        self.growths = [*growths]

    def _widen(self, index: int) -> str:
        """The bounds grow; what did is said."""
        self.growths.append(index)
        if len(self.growths) > GROWTHS * (1 + len(self.model.specification.variables)):
            raise NotCompilable(None, "a value that grows without end")
        writer = self._apart
        return writer.follow(self.growths) if writer is not None else self.follow()

    def follow(self) -> str:
        """The bounds follow what was widened, and constants have their values; the last growth is said."""
        if self._settled is None:
            from .constants import settle_constants

            self._settled = settle_constants(self.model)
        what = ""
        while self._followed < len(self.growths):
            self._followed += 1
            what = self._grown(self.growths[self._followed - 1])
        return what

    def _grown(self, index: int) -> str:
        """The bounds after one growth; it is said."""
        variables = self.model.specification.variables
        if 0 <= index < len(variables):
            variable = variables[index]
            left = self._stored(variable)
            what = f"variable {variable.name} left {render(left)}"
            more = self._capacities.get(variable, self.capacity).grown()
            often = self.growths[: self._followed].count(index)
            claimed = variable in self.report.claims and variable not in self._unclaimed
            # What is claimed mostly holds: room that was assumed is looked at first.
            if claimed and (often > GROWTHS_OF_CLAIMED or bounded(self.report.variables[variable], more) == left):
                self._unclaimed |= {variable}
                self._report = None
                self._widen_bounds(variable, left)
            else:
                self._capacities[variable] = more
        else:
            what = "a value on the way needs more room"
            self.capacity = self.capacity.grown()
        return what

    def _layout(self) -> Layout:
        """Under the bounds as they are."""
        from .program import layout_under

        self.follow()
        group = self.group or ()
        return layout_under(self.model, self.report, self._capacities, self.capacity, group, self.labels)[0]

    def _stored(self, variable: core.Variable) -> Type:
        """The type of the variable in a layout under the bounds as they are."""
        from .program import stored_type

        return stored_type(variable, self.report, self._capacities, self.capacity, self.group or ())

    def _widen_bounds(self, variable: core.Variable, before: Type) -> None:
        """Bounds that are no narrower than those that a value has left, and wider where nothing is claimed.

        What of the value has left its bounds is not known: perhaps what the claim says nothing about.
        """
        found = self.report.variables[variable]
        for _ in range(GROWTHS):
            capacity = self._capacities.get(variable, self.capacity)
            self._capacities[variable] = capacity.grown()
            if includes(bounded(found, capacity), before):
                return


def permutations_of(system: PythonSystem) -> Group | None:
    """The permutations under which the model is symmetric, as the Python engine found them."""
    if system.symmetry is None:
        return None
    if system.symmetry.many:
        from .symmetry import Interchangeable

        sets = sorted(tuple(sorted(value.name for value in values)) for values in system.symmetry.sets)
        return Interchangeable(tuple(sets))
    named = [sorted((a.name, b.name) for a, b in permutation.items()) for permutation in system.symmetry.group]
    return [dict(permutation) for permutation in sorted(named)]  # a set has another order in each process
