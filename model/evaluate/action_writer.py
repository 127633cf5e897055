"""The code of an action as it is written: what is known at each point of it, and how its parts follow one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from typing import Any

from rmqproof.model.actions.effects import Effects
from rmqproof.model.actions.form import Choice
from rmqproof.model.evaluate.binders import Loop, loop_clauses
from rmqproof.model.evaluate.expressions import unchanged
from rmqproof.model.evaluate.generator import Evaluations, Generator
from rmqproof.model.evaluate.lets import worth_a_variable
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.lines import Lines
from rmqproof.model.evaluate.scope import (
    Env,
    Frame,
    LocalFrame,
    Names,
)
from rmqproof.model.evaluate.shape import ANY, NEVER, Shape, join
from rmqproof.model.evaluate.steps import Named, Progress, Then
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core

_DEEPEST = 12
"""Indentation after which the rest goes into a nested function (CPython nests at most 20 loops)."""
_SMALL = 12
"""A continuation of at most this size is written once for each branch."""


Exit = tuple[tuple[int, ...], Named | None]
"""The variables that got a value, and what the step is called by then (None: as before)."""


@dataclass(slots=True, eq=False)
class Followed:
    """A Python function for one way of calling a recursive definition."""

    name: str
    title: str
    parameters: Sequence[str]
    body: core.Expression
    env: Env
    progress: Progress
    exits: list[Exit] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Following:
    """The functions of one action. `unsettled` are those whose exits are not all known yet."""

    functions: dict[Any, Followed] = field(default_factory=dict)
    unsettled: list[Followed] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    """Their text, to stand before the code that calls them."""


@dataclass(slots=True)
class ActionWriter:
    """Writes the code of one action or initial predicate into `out`.

    `initial`: variables get their values without a prime. `leaf` writes what is done with a state that was found.
    """

    follow: Follow
    """Writes the code for a formula of any form."""
    g: Generator
    out: Lines
    initial: bool
    public: frozenset[core.Definition] = frozenset()
    assigned: dict[int, Shape] = field(default_factory=dict)
    """The shapes of the values that variables were given."""
    current: Frame | None = None
    """The state that the action starts from: the code that is written reads it everywhere."""
    following: Following = field(default_factory=Following)
    counted_for: str | None = None
    """What evaluations are counted for where the step has no name yet; None: for what asked."""
    effects: Effects = field(init=False)

    def __post_init__(self) -> None:
        self.effects = Effects(self.initial)

    # --- environments ------------------------------------------------------------------------------------------

    def env(self, env: Env, progress: Progress) -> Env:
        """The environment of an expression at a place."""
        if self.initial:
            return replace(env, current=progress.frame)
        return replace(env, next=progress.frame)

    def complete(self, progress: Progress) -> bool:
        return len(progress.frame.texts) == len(self.g.variables)

    def settled(self, env: Env, progress: Progress) -> bool:
        """Whether the conjuncts that remain are tests. UNCHANGED of what has no value is none."""
        return self.complete(progress) and not (
            env.composed
            and env.current is not None
            and not all(env.current.assigned(index) for index in range(len(self.g.variables)))
        )

    def assign(self, index: int, shape: Shape) -> None:
        """Note that a variable gets a value of this shape."""
        self.assigned[index] = join(self.assigned.get(index, NEVER), shape)
        if self.g.learning:
            self.g.learn(index, shape)

    # --- formulas ----------------------------------------------------------------------------------------------

    def act(self, node: core.Expression, env: Env, progress: Progress, then: Then) -> None:
        """Write the code for a formula that is followed, and `then`."""
        if self.out.depth > _DEEPEST:
            self.nested(node, env, progress, then)
            return
        with self._counted(progress) as evaluations:
            if evaluations is not None and (counter := evaluations.at_start(self.g, node.at)):
                self.out.add(counter)
            self.follow(self, node, env, progress, then)

    def test(self, node: core.Expression, env: Env, progress: Progress, then: Then) -> None:
        with self._counted(progress):
            condition = self.g.condition(node, self.env(env, progress))
        if condition == "True":
            then.write(progress)
        elif condition != "False":
            with self.out.block(f"if {condition}"):
                then.write(progress)

    @contextmanager
    def _counted(self, progress: Progress) -> Iterator[Evaluations | None]:
        """What is written meanwhile is counted for the action that the step is called by at this place."""
        evaluations = self.g.evaluations
        if evaluations is None or self.counted_for is None:
            yield evaluations
            return
        with evaluations.written_for(self.counted_for if self.initial else progress.named.name or self.counted_for):
            yield evaluations

    def conjunction(self, items: Sequence[core.Expression], env: Env, progress: Progress, then: Then) -> None:
        progress = replace(progress, named=progress.named.in_conjunction(len(items)))
        sizes = [self.g.analysis.of(item).size for item in items]

        def rest(number: int) -> Then:
            if number == len(items):
                return then

            def write(reached: Progress) -> None:
                reached = replace(reached, named=progress.named.after_conjunct(reached.named))
                if self.settled(env, reached):
                    self.test(items[number], env, reached, rest(number + 1))
                else:
                    self.act(items[number], env, reached, rest(number + 1))

            return Then(write, sum(sizes[number:]) + then.size)

        rest(0).write(progress) if not self.settled(env, progress) else self.act(items[0], env, progress, rest(1))

    def branches(
        self, branches: Sequence[tuple[str | None, core.Expression, Env]], progress: Progress, then: Then
    ) -> None:
        """Alternatives (head of the block or None, formula, environment), each followed by `then`."""
        if then.size <= _SMALL or len(branches) < 2:
            for head, node, env in branches:
                self._branch(head, node, env, progress, then)
            return
        calls: dict[tuple[object, ...], tuple[str, Progress]] = {}
        out, self.out = self.out, Lines(self.out.depth)

        def write(reached: Progress) -> None:
            new = [index for index in sorted(reached.frame.texts) if index not in progress.frame.texts]
            shapes = tuple(reached.frame.shapes.get(index, ANY) for index in new)
            named = reached.named
            is_same = named.same(progress.named)
            key = (tuple(new), shapes, named.name, len(named.arguments), named.final, is_same)
            if key not in calls:
                name = Names(self.fresh()).fresh("after")
                frame = progress.frame
                for index, shape in zip(new, shapes, strict=True):
                    frame = frame.bind(index, f"{name}_{index}", shape)
                arguments = reached.named.arguments
                if not reached.named.same(progress.named):
                    arguments = tuple(f"{name}_a{number}" for number in range(len(arguments)))
                calls[key] = (name, Progress(frame, replace(reached.named, arguments=arguments)))
            name, _inside = calls[key]
            passed = [reached.frame.texts[index] for index in new]
            if not reached.named.same(progress.named):
                passed += reached.named.arguments
            self.out.add(f"{name}({', '.join(passed)})")

        for head, node, env in branches:
            self._branch(head, node, env, progress, Then(write))
        branch_lines, self.out = self.out, out
        for name, inside in calls.values():
            new = [index for index in sorted(inside.frame.texts) if index not in progress.frame.texts]
            parameters = [inside.frame.texts[index] for index in new]
            if not inside.named.same(progress.named):
                parameters += inside.named.arguments
            with self.out.block(f"def {name}({', '.join(parameters)})"):
                then.write(inside)
        self.out.lines += branch_lines.lines

    def _branch(self, head: str | None, node: core.Expression, env: Env, progress: Progress, then: Then) -> None:
        if head is None:
            self.act(node, env, progress, then)
            return
        with self.out.block(head):
            self.act(node, env, progress, then)

    def fresh(self) -> int:
        self.g._count += 1
        return self.g._count

    def nested(self, node: core.Expression, env: Env, progress: Progress, then: Then) -> None:
        """Write the formula into a nested function, which starts afresh with CPython's limits on nesting."""
        name = f"deep_{self.fresh()}"
        depth = self.out.depth
        with self.out.block(f"def {name}()"):
            lines, self.out = self.out, Lines(0)
            self.act(node, replace(env, walrus=True), progress, then)
            inner, self.out = self.out, lines
            for line in inner.lines or ["pass"]:
                self.out.add(line)
        assert self.out.depth == depth
        self.out.add(f"{name}()")

    def choice(self, choice: Choice, env: Env, progress: Progress, then: Then) -> None:
        here = self.env(env, progress)
        inner, clauses = loop_clauses(self.g, choice.binders, here, Loop.IN_ORDER, walrus=True)
        loops = self.out.enter(clauses)
        before = len(self.out.lines)
        self.act(choice.quantified.body, replace(env, bindings=inner.bindings), progress, then)
        if len(self.out.lines) == before:
            self.out.add("pass")
        self.out.depth -= loops

    def arms(
        self,
        node: core.Expression,
        arms: Sequence[tuple[core.Expression, core.Expression]],
        otherwise: core.Expression | None,
        env: Env,
        progress: Progress,
        then: Then,
    ) -> None:
        here = self.env(env, progress)
        branches: list[tuple[str | None, core.Expression, Env]] = []
        for number, (condition, body) in enumerate(arms):
            branches.append((f"{'el' if number else ''}if {self.g.condition(condition, here)}", body, env))
        if otherwise is not None:
            branches.append(("else", otherwise, env))
        self.branches(branches, progress, then)
        if otherwise is None:
            with self.out.block("else"):
                self.out.add(self.g.places.mark(node.at, "no_arm()"))

    def let(self, node: core.Let, env: Env, progress: Progress, then: Then) -> None:
        inner = env
        for definition in node.definitions:
            here = self.env(inner, progress)
            facts = self.g.analysis.of_definition(definition)
            if facts.primed or facts.draws or not worth_a_variable(self.g, definition, node, here):
                continue
            code = self.g.eager_or_thunk(definition.body, here, False)
            if not code.atom:
                name = env.names.fresh(definition.name)
                self.out.add(f"{name} = {code.text}")
                code = Code(name, code.shape, True)
            inner = inner.let(definition, code)
        self.act(node.body, inner, progress, then)

    def changing(self, node: core.AngleAction, env: Env, progress: Progress, then: Then) -> None:
        def changed(reached: Progress) -> None:
            here = self.env(env, reached)
            with self.out.block(f"if not {unchanged(self.g, node.subscript, here)}"):
                then.write(reached)

        self.act(node.action, env, progress, Then(changed, then.size + 2))

    def composition(
        self, first: core.Expression, second: core.Expression, env: Env, progress: Progress, then: Then
    ) -> None:
        """A \\cdot B: a step of A to some state, then a step of B from there.

        A may leave variables without a value: B does not read those, or its step is an error. TLC counts the states
        between, but not those of compositions inside of this one.
        """
        inside = replace(elsewhere(self.g, env), composed=True)

        def between(reached: Progress) -> None:
            if not env.composed:
                self.out.add("MIDDLE[0] += 1")
            middle = replace(inside, current=replace(reached.frame, tuple_name=""))
            self.act(second, middle, Progress(progress.frame, reached.named), then)

        named = progress.named.settled()
        self.act(first, inside, Progress(LocalFrame({}), named), Then(between, 1000))


Follow = Callable[[ActionWriter, core.Expression, Env, Progress, Then], None]


def elsewhere(g: Generator, env: Env) -> Env:
    """The names around a formula that speaks of other states: what depends on the state is computed anew there."""
    kept = {
        definition: code
        for definition, code in env.lets.items()
        if not (facts := g.analysis.of_definition(definition)).reads and not facts.primed
    }
    return replace(env, lets=kept)
