"""A model as a transition system that searches explore."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from typing import Any, TypeVar

from rmqproof.model.actions.antecedents import antecedents_of
from rmqproof.model.actions.facts import Analysis
from rmqproof.model.evaluate.abstract_enabled import AbstractEnabled, Wrap, abstract_enabled
from rmqproof.model.evaluate.deep_stack import deeply, in_deep_stack
from rmqproof.model.evaluate.fingerprint import digest_tables, fingerprint
from rmqproof.model.evaluate.forms import FORMS
from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.in_turns import Few, TooMany, in_turns
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.lazy import plain
from rmqproof.model.evaluate.library.operator import Runtime
from rmqproof.model.evaluate.literals import literal
from rmqproof.model.evaluate.locate import Places, located
from rmqproof.model.evaluate.nesting import Nesting
from rmqproof.model.evaluate.program import Appendable, Program, State
from rmqproof.model.evaluate.shape import ANY, NEVER, Shape, bounded, fits, join
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.symmetry import LARGEST_GROUP, Symmetry, permuted, symmetry_of, symmetry_of_sets
from rmqproof.model.evaluate.value_order import use
from rmqproof.model.evaluate.values import Order, Value
from rmqproof.model.evaluate.verdicts import memoised_test
from rmqproof.model.search.system import StateProperty, StepProperty, Transition
from rmqproof.model.tla.asking import writes_files
from rmqproof.model.tla.core import Binding, Constant, Definition, Expression, Model, Variable
from rmqproof.model.tla.source import Location, TlaError
from rmqproof.model.tla.stack import grow_stack
from rmqproof.model.tla.written_fields import in_written_order

_Found = TypeVar("_Found")

_ROUNDS = 12
_PATIENCE = 20
"""So often may the fast code give up before it is replaced by code that evaluates less beforehand."""
_RECURSION = 6_000
"""Python frames for the fast code, on the thread's own stack."""


class PythonSystem:
    """`search.system.System` for a model. Made by `system_of`."""

    def __init__(self, model: Model, runtime: Runtime | None = None, known: Sequence[str] | None = None) -> None:
        """`known`: the names of its actions; its steps are written when they are first asked for (see `_fast`)."""
        grow_stack()
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION))
        self.model = model
        specification = model.specification
        self.variables: Sequence[str] = tuple(variable.name for variable in specification.variables)
        self._actions = list(known) if known is not None else []
        self.check_deadlock = model.check_deadlock
        self.has_constraints = bool(model.constraints or model.action_constraints)
        self.runtime = runtime if runtime is not None else Runtime()
        self.runtime.deadlock = model.check_deadlock
        self.order = Order(model.words)
        self.places = Places()
        self.analysis = Analysis(partial(writes_files, model))
        self._nesting = Nesting()
        self.tables = digest_tables(len(self.variables))
        self.deoptimised = 0
        """How often the fast code gave up and the careful code had to answer."""
        self.intermediate = [0]
        """States found inside of action compositions (A \\cdot B), which TLC counts as generated too."""
        self._constants: dict[Constant | Definition, Value] = {}
        self.plain_fingerprint = model.view is None and model.symmetry is None
        self._careful: Program | None = None
        self._patient: Program | None = None
        self._shapes: Sequence[Shape] = [NEVER] * len(self.variables)
        self._written: Program | None = None
        self._met_early = False
        if known is None:
            self._written = self._compile()
        self.symmetry: Symmetry | None = None
        if model.symmetry is not None:
            self.symmetry = self._symmetry_of(model.symmetry)
        self._ask(model)
        self._constraints = [self.state_condition(d.body) for d in model.constraints]
        self._action_constraints = [self.step_condition(d.body) for d in model.action_constraints]
        self._view = self.state_value(model.view.body) if model.view is not None else None
        self._view_table = digest_tables(1)[0]

    def _ask(self, model: Model) -> None:
        """Make the model's properties what is asked of states and steps."""
        self.invariants = [self._state_property(d.name, d.body, d) for d in model.invariants]
        self.initial_properties = [
            self._state_property(p.name, formula, p.definition) for p in model.properties for formula in p.initial
        ]
        self.invariants += [
            self._state_property(p.name, formula, p.definition) for p in model.properties for formula in p.always
        ]
        self.step_properties = [
            self._step_property(p.name, step, p.definition) for p in model.properties for step in p.steps
        ]
        assumed = antecedents_of(model)
        self.idle = [StateProperty(a.name, self._noted(a.idle)) for a in assumed if not a.step]
        self.idle_steps = [StepProperty(a.name, self.step_condition(a.idle)) for a in assumed if a.step]

    def part(
        self, model: Model, runtime: Runtime, analysis: Analysis, is_stale: Callable[[Constant | Definition], bool]
    ) -> PythonSystem:
        """A system of the same variables, constants and limits with the steps and properties of `model`; it has no
        initial states. The states of both are alike: same fingerprints, same order of values.

        What was found of values is kept but where `is_stale`; `analysis` has facts that are true of `model`. `shapes`
        are at least those of this system: where they are the same, each takes the states of the other.
        """
        other = copy(self)
        other.model = replace(model, initial=None)
        other.runtime, other.analysis, other.places = runtime, analysis, Places()
        other._constants = {key: value for key, value in self._constants.items() if not is_stale(key)}
        other.deoptimised, other.intermediate = 0, [0]
        other._careful = other._patient = None
        vars(other).pop("_draws", None)
        other._shapes = self.shapes
        other._written = other._compile()
        other._ask(model)
        return other

    # --- the system --------------------------------------------------------------------------------------------

    @property
    def _fast(self) -> Program:
        """The fast code, which takes states of the `shapes` alone. Written late it takes all that were met before."""
        if self._written is None:
            self._written = self._compile()
        return self._written

    @property
    def shapes(self) -> Sequence[Shape]:
        """Of the values that steps give variables; before code is written for them any."""
        if self._written is None:
            self._met_early = True
            return [ANY] * len(self.variables)
        return self._shapes

    @property
    def actions(self) -> list[str]:
        return self._actions

    def initial_states(self) -> Iterator[State]:
        """Raise `TlaError` where the initial predicate cannot be evaluated."""
        if self.model.initial is None:
            return iter(())
        return iter(self._found(lambda code, out: code.initial(out), "initial"))

    def successors(self, state: State) -> Iterable[Transition]:
        """The transitions, each way to reach a state once. Raise `TlaError` where an action cannot be evaluated."""
        return self._found(lambda code, out: code.next(state, out), "next", state)

    def draw_anew(self, salt: str) -> None:
        """From now on what is drawn at random depends on this too."""
        self.runtime.draws.salt = salt

    def _found(self, run: Callable[[Program, Appendable], None], what: str, *states: State) -> Iterable[Any]:
        """What a function of the program appends to its second argument; `what` it finds, of these states."""
        if self._draws:
            run = self._on_occasion(run, what, states)
        found = Few()
        between = self.intermediate[0]
        use(self.order)
        try:
            run(self._fast, found)
        except TooMany:
            return self._in_turns(run, between)
        except Exception:
            return self._careful_run(run, between)
        return found.items

    def _in_turns(self, run: Callable[[Program, Appendable], None], between: int) -> Iterator[Any]:
        """The same, a portion at a time; the careful code finds first what the fast code found before it gave up."""
        self.intermediate[0] = between
        count = 0
        try:
            for item in in_turns(lambda out: self._run(run, self._fast, out)):
                count += 1
                yield item
            return
        except Exception:
            self.deoptimised += 1
        self.intermediate[0] = between
        try:
            yield from islice(in_turns(lambda out: self._run(run, self.careful(), out)), count, None)
        except Exception as raised:
            raise located(raised, self.places) from raised

    def _on_occasion(self, run: Callable[..., _Found], what: str, states: Sequence[State]) -> Callable[..., _Found]:
        """The same, which draws at random what these states say."""
        marks = [fingerprint(self.values(state), self.tables) for state in states]

        def drawing(*given: Any) -> _Found:
            with self.runtime.draws.occasion(what, *marks):
                return run(*given)

        return drawing

    @cached_property
    def _draws(self) -> bool:
        """Whether steps or initial states depend on what is drawn at random."""
        model = self.model
        return any(self.analysis.of(node).draws for node in (model.initial, model.next) if node is not None)

    def _run(self, run: Callable[[Program, Appendable], None], program: Program, out: Appendable) -> None:
        """Run in a thread of its own."""
        use(self.order)
        run(program, out)

    def _symmetry_of(self, definition: Definition) -> Symmetry:
        """Raise `TlaError` where it is no set of permutations of model values, or one that is too large."""
        if self.model.view is not None:  # it is asked of the least image
            return symmetry_of(self.constant(definition.body), definition, self.tables, LARGEST_GROUP)
        sets = permuted(definition.body)
        if sets is not None:
            found = symmetry_of_sets([self.constant(each) for each in sets], self.tables)
            if found is not None:
                return found
        return symmetry_of(self.constant(definition.body), definition, self.tables)

    def fingerprint(self, state: State) -> int:
        if self.plain_fingerprint:
            return int(state[-1])
        if self._view is not None:
            if self.symmetry is not None:
                state = (*self.symmetry.least(state, self.order, self.model.specification.compared), 0)
            return self._view_table[self._view(state)]
        assert self.symmetry is not None
        return self.symmetry.fingerprint(state)

    def within(self, state: State) -> bool:
        return all(constraint(state) for constraint in self._constraints)

    def allowed(self, before: State, after: State) -> bool:
        return all(constraint(before, after) for constraint in self._action_constraints)

    # --- states ------------------------------------------------------------------------------------------------

    def state(self, values: Sequence[Value]) -> State:
        """The state with these values of the variables.

        Raise `ValueError` for values that no step of the model gives a variable: the code is compiled for those.
        """
        values = tuple(plain(value) for value in values)
        for name, value, shape in zip(self.variables, values, self.shapes, strict=True):
            if not fits(value, shape):
                raise ValueError(f"no step of the model gives {name} a value like {shorten(value)}")
        return (*values, fingerprint(values, self.tables) if self.plain_fingerprint else 0)

    def takes(self, state: State) -> bool:
        """Whether the code is compiled for the state, which another system may have found."""
        return all(map(fits, state, self.shapes))

    def with_value(self, state: State, index: int, value: Value) -> State:
        """The state with another value of a variable, as a state has it."""
        before = state[index]
        if value == before:
            return state
        mark = state[-1]
        if self.plain_fingerprint:
            mark ^= self.tables[index][before] ^ self.tables[index][value]
        return (*state[:index], value, *state[index + 1 : -1], mark)

    def value_of_variable(self, index: int, value: Value) -> tuple[Value, int]:
        """The value as a state has it, and its part of the state's fingerprint (exclusive or). Raise as `state`."""
        value = plain(value)
        if not fits(value, self.shapes[index]):
            raise ValueError(f"no step of the model gives {self.variables[index]} a value like {shorten(value)}")
        return value, self.tables[index][value] if self.plain_fingerprint else 0

    def values(self, state: State) -> tuple[Value, ...]:
        """The values of the variables."""
        return state[:-1]

    def to_itf(self, state: State) -> dict[str, Any]:
        """The state as ITF JSON, by variable."""
        return {name: to_itf(value) for name, value in zip(self.variables, state, strict=False)}

    def alias(self, state: State, successor: State | None = None) -> dict[str, Any]:
        """What ALIAS shows instead of a state, as ITF JSON; without an ALIAS the state itself.

        `successor` is the state after it in the behaviour (the last one: itself).
        """
        definition = self.model.alias
        if definition is None:
            return self.to_itf(state)
        value = self.evaluate_step(definition.body, state, successor if successor is not None else state)
        shown = to_itf(value)
        if isinstance(shown, dict) and not any(key.startswith("#") for key in shown):
            return in_written_order(shown, definition.body)
        return {definition.name: shown}

    def evaluate_step(self, node: Expression, before: State, after: State) -> Value:
        """The value of an expression of a step."""
        return self._test(node, True, "value")(before, after)

    def evaluate_state(self, node: Expression, state: State) -> Value:
        """The value of a state expression."""
        return self._test(node, False, "value")(state)

    # --- compilation -------------------------------------------------------------------------------------------

    def generator(self, shapes: Sequence[Shape], careful: bool = False, eager: bool = True) -> Generator:
        use(self.order)
        g = Generator(
            FORMS,
            *(self.variables, shapes, self.analysis, self.places, self.runtime),
            *(careful, eager, self._constants, self.order, self._nesting),
        )
        g.abstract = self.abstract_enabled
        return g

    def abstract_enabled(
        self, action: Expression, instance: str, names: Sequence[Binding] = (), wrap: Wrap = lambda node: node
    ) -> AbstractEnabled | None:
        """See `abstract_enabled.abstract_enabled`."""
        return abstract_enabled(self._wider, len(self.variables), action, instance, names, wrap)

    def _wider(self, more: Sequence[Variable], condition: Expression) -> Callable[[State], bool]:
        """A state formula as a test of states with more variables."""
        specification = self.model.specification
        specification = replace(specification, variables=(*specification.variables, *more))
        wider = PythonSystem(Model(specification, None, None, words=self.model.words), self.runtime)
        wider._constants.update(self._constants)
        return wider.careful_condition(condition)

    def _compile(self) -> Program:
        """The fast code, and `shapes`: at least those that there are, and closed under what steps do."""
        shapes = [ANY] * len(self.variables) if self._met_early else list(self._shapes)
        first = 0 if self.model.initial is None else 1
        for number in range(_ROUNDS):
            # a step from values of no shape has none either: the first round is about initial states alone
            g = self.generator(shapes)
            g.learning = number == first
            code = self._program(g, number >= first)
            new = [bounded(join(shape, code.assigned.get(i, NEVER))) for i, shape in enumerate(shapes)]
            if new == shapes and code.steps:
                break
            shapes = new
        else:
            shapes = [ANY] * len(shapes)
            code = self._program(self.generator(shapes))
        self._shapes = shapes
        return code.linked()

    def _of_constants(self) -> Program:
        """The code of a model without steps."""
        model = replace(self.model, initial=None, next=None)
        g = self.generator([NEVER] * len(self.variables))
        return Program(g, model, [], self.intermediate, self.tables, self.plain_fingerprint, False).linked()

    def _program(self, g: Generator, steps: bool = True) -> Program:
        return Program(g, self.model, self._actions, self.intermediate, self.tables, self.plain_fingerprint, steps)

    def patient(self) -> Program:
        """The fast code that evaluates beforehand only what has a value."""
        if self._patient is None:
            self._patient = self._program(self.generator(self.shapes, eager=False)).linked()
        return self._patient

    def careful(self) -> Program:
        """The code with every check, compiled when it is first needed."""
        if self._careful is None:
            self._careful = self._program(self.generator([ANY] * len(self.variables), careful=True)).linked()
        return self._careful

    def _careful_run(self, run: Callable[[Program, Appendable], None], between: int) -> Iterator[Any]:
        """What the careful code finds; then its error, if it has one, with its place."""
        self.deoptimised += 1
        self.intermediate[0] = between
        use(self.order)
        found = Few()
        error: TlaError | None = None
        try:
            try:
                run(self.careful(), found)
            except RecursionError:
                found = Few()
                in_deep_stack(lambda: run(self.careful(), found))
        except TooMany:
            yield from self._in_turns(run, between)
            return
        except Exception as raised:
            error = located(raised, self.places)
        if error is None and self.deoptimised >= _PATIENCE:
            self._written = self.patient()
        yield from found.items
        if error is not None:
            raise error

    def constant(self, node: Expression) -> Value:
        """The value of a constant expression. Raise `TlaError`."""
        return self._test(node, None, "value")()

    def constant_truth(self, node: Expression) -> bool:
        return bool(self._test(node, None, "condition")())

    def state_condition(self, node: Expression) -> Callable[..., bool]:
        """A state formula as a test of a state."""
        return self._test(node, False, "condition")

    def step_condition(self, node: Expression) -> Callable[..., bool]:
        """An action as a test of a step, from one state to another."""
        return self._test(node, True, "condition")

    def state_value(self, node: Expression) -> Callable[[State], Value]:
        """A state function."""
        return self._test(node, False, "value")

    def careful_condition(self, node: Expression) -> Callable[[State], bool]:
        """A state formula as a test that assumes nothing of the values in a state."""
        return self._carefully(node, False, "condition", bool)

    def careful_value(
        self, node: Expression, step: bool | None = False, finish: Callable[[Value], Value] = plain
    ) -> Callable[..., Value]:
        """An expression of a state as a function that assumes nothing of the values in it.

        `step` True: of two states; None: of none. `finish` makes a value of what may be described, and not listed.
        """
        return self._carefully(node, step, "value", finish)

    def _carefully(
        self, node: Expression, step: bool | None, form: str, finish: Callable[[Any], Any]
    ) -> Callable[..., Any]:
        test = self.careful().test(node, step, form, plainly=False)

        def asked(*states: State) -> Any:
            use(self.order)
            try:
                return finish(test(*states))
            except Exception as raised:
                raise located(raised, self.places, node.at) from raised

        return self._drawing(asked, node)

    def _drawing(self, asked: Callable[..., _Found], node: Expression) -> Callable[..., _Found]:
        """A function of states, which draws at random what they say."""
        if not self.analysis.of(node).draws:
            return asked
        return lambda *states: self._on_occasion(asked, node.at.short, states)(*states)

    def fixed(self, name: str, at: Location, value: Value) -> Constant:
        """A constant that has this value: what a bound variable of a formula that is written out becomes."""
        try:
            expression: Expression | None = literal(value, at)
        except TypeError:
            expression = None  # a set that is not enumerated: the Python engine alone knows it
        constant = Constant(name, at, 0, expression)
        self._constants[constant] = value
        return constant

    def _test(self, node: Expression, step: bool | None, form: str) -> Callable[..., Any]:
        """A Python function of one state (`step` False), two (True) or none (None): the fast code's answer."""
        fast: Callable[..., Any] | None = None
        careful: Callable[..., Any] | None = None
        failures = 0
        order = self.order

        def run(*states: State) -> Any:
            nonlocal fast
            use(order)
            try:
                if fast is None:
                    code = self._fast if step is not None or self._written is not None else self._of_constants()
                    fast = code.test(node, step, form)
                return fast(*states)
            except Exception:
                return again(*states)

        def again(*states: State) -> Any:
            """The careful code's answer."""
            nonlocal fast, failures
            use(order)
            self.deoptimised += 1
            failures += 1
            try:
                answer = deeply(evaluated, *states)
            except Exception as raised:
                raise located(raised, self.places, node.at) from raised
            if failures == _PATIENCE:
                fast = self.patient().test(node, step, form)
            return answer

        def evaluated(*states: State) -> Any:
            nonlocal careful
            if careful is None:
                careful = self.careful().test(node, step, form)
            return careful(*states)

        return self._drawing(run, node)

    def _state_property(self, name: str, node: Expression, definition: Definition) -> StateProperty:
        return StateProperty(name, self._noted(node), sentence(definition))

    def _noted(self, node: Expression) -> Callable[[State], bool]:
        """The test of a state formula, which answers from memory where that pays."""
        test, facts = self.state_condition(node), self.analysis.of(node)
        some = 0 < len(facts.reads) < len(self.variables)
        if some and not facts.impure and not facts.primed and not facts.free and self.analysis.loops(node):
            return memoised_test(test, facts.reads)
        return test

    def _step_property(self, name: str, node: Expression, definition: Definition) -> StepProperty:
        return StepProperty(name, self.step_condition(node), sentence(definition))


def sentence(definition: Definition) -> str:
    """The first sentence of the comment above a definition; not what a translation of PlusCal writes there."""
    text = " ".join(definition.comment.split())
    if text == "define statement":
        return ""
    for end in (". ", "! ", "? "):
        head, found, _ = text.partition(end)
        if found:
            text = head + end.strip()
    return text


def system_of(model: Model, runtime: Runtime | None = None, known: Sequence[str] | None = None) -> PythonSystem:
    """The model as a transition system; `known`: the actions of one that was explored before, and may not be here.

    Raise `TlaError` for what is wrong with the constants; what is wrong with a formula is raised when it is evaluated.
    """
    return PythonSystem(model, runtime, known)


def check_assumptions(model: Model, system: PythonSystem | None = None) -> list[tuple[str, Location]]:
    """The assumptions that do not hold: names and places. Raise `TlaError` for one that cannot be evaluated."""
    system = system if system is not None else PythonSystem(model)
    return [
        (assumption.name, assumption.at)
        for assumption in model.specification.assumptions
        if not assumption.axiom and not system.constant_truth(assumption.body)
    ]


def check_postconditions(system: PythonSystem) -> list[str]:
    """The names of the post-conditions that do not hold; `system.runtime` should have the search's last numbers."""
    return [d.name for d in system.model.postconditions if not system.constant_truth(d.body)]
