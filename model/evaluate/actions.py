"""Actions and initial predicates: Python code that finds states, as TLC does (its `Tool.getNextStates`).

The conjuncts of an action are met in the order in which they stand. `x' = e`, `x' \\in S` and UNCHANGED give a variable
its next value when it has none yet; disjunctions and \\E are tried one alternative after the other, also where they are
mere guards, and each way through counts as a step of its own. IF, CASE, LET, implications and definitions are followed.
Everything else is a test. Once every variable has a value, the conjuncts that remain are tests as well.

Code is written in continuation style: `act` writes the code for a formula and calls `then` to write what comes after
it, with the variables that have values by then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from rmqproof.model.evaluate.binders import Loop, elements, loop_clauses
from rmqproof.model.evaluate.expressions import unchanged
from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.lets import worth_a_variable
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import (
    ByName,
    Entry,
    Env,
    LocalFrame,
    Names,
    OperatorValue,
    WholeFrame,
    operator_value,
)
from rmqproof.model.evaluate.shape import ANY, LAZY, NEVER, Shape, join, plain_shape, set_of, thunk_of
from rmqproof.model.evaluate.statements import Lines
from rmqproof.model.tla.core import (
    AngleAction,
    Binding,
    BoxAction,
    Builtin,
    Call,
    CallParameter,
    Case,
    Definition,
    Expression,
    FunctionApplication,
    FunctionConstructor,
    If,
    Label,
    Lambda,
    Let,
    Quantified,
    Reference,
    TupleExpression,
    VariableReference,
)
from rmqproof.model.tla.source import TlaError

_DEEPEST = 12
"""Indentation after which the rest goes into a nested function (CPython nests at most 20 loops)."""
_SMALL = 12
"""A continuation of at most this size is written once for each branch."""
_UNROLLED = 64


@dataclass(frozen=True, slots=True)
class Named:
    """The named operator whose body makes the step, with texts of its arguments. `final`: it is the innermost."""

    name: str = ""
    arguments: tuple[str, ...] = ()
    root: bool = True
    final: bool = False


def _same(a: Named, b: Named) -> bool:
    return a.name == b.name and a.arguments == b.arguments


@dataclass(frozen=True, slots=True)
class Place:
    """Where an action stands: what has a value already, and what the step is called."""

    frame: LocalFrame
    named: Named

    def bind(self, index: int, code: Code) -> Place:
        return replace(self, frame=self.frame.bind(index, code.text, code.shape))


@dataclass(frozen=True, slots=True)
class Then:
    """What comes after a formula. `size`: about how much code it is."""

    write: Callable[[Place], None]
    size: int = 0


@dataclass(slots=True)
class ActionWriter:
    """Writes the code of one action or initial predicate into `out`.

    `initial`: variables get their values without a prime. `leaf` writes what is done with a state that was found.
    """

    g: Generator
    out: Lines
    initial: bool
    public: frozenset[Definition] = frozenset()
    assigned: dict[int, Shape] = field(default_factory=dict)
    """The shapes of the values that variables were given."""
    followed: dict[Definition | Binding, str] = field(default_factory=dict)
    """The Python functions that follow recursive guards, while they are in scope."""

    # --- environments ------------------------------------------------------------------------------------------

    def env(self, env: Env, place: Place) -> Env:
        """The environment of an expression at a place."""
        if self.initial:
            return replace(env, current=place.frame)
        return replace(env, next=place.frame)

    def complete(self, place: Place) -> bool:
        return len(place.frame.texts) == len(self.g.variables)

    # --- formulas ----------------------------------------------------------------------------------------------

    def act(self, node: Expression, env: Env, place: Place, then: Then) -> None:
        """Write the code for a formula that is followed, and `then`."""
        if self.out.depth > _DEEPEST:
            self._nested(node, env, place, then)
            return
        match node:
            case Builtin(operator="/\\"):
                self._conjunction(node, env, place, then)
            case Builtin(operator="\\/"):
                self._branches([(None, argument, env) for argument in node.arguments], place, then)
            case Quantified(kind="\\E"):
                self._exists(node, env, place, then)
            case Quantified(kind="\\A"):
                self._forall(node, env, place, then)
            case If():
                condition = self.g.condition(node.condition, self.env(env, place))
                self._branches([(f"if {condition}", node.then, env), ("else", node.otherwise, env)], place, then)
            case Case():
                self._case(node, env, place, then)
            case Let():
                self._let(node, env, place, then)
            case Label():
                self.act(node.body, env, place, then)
            case Call():
                self._call(node, env, place, then)
            case CallParameter():
                self._call_parameter(node, env, place, then)
            case Reference() if isinstance(env.bindings.get(node.binding), ByName):
                entry = env.bindings[node.binding]
                assert isinstance(entry, ByName)
                self.act(entry.node, env.at(entry.env), place, then)
            case Builtin(operator="=") | Builtin(operator="\\in") | Builtin(operator="\\subseteq"):
                self._assignment(node, env, place, then)
            case Builtin(operator="UNCHANGED") if not self.initial:
                self._unchanged(node.arguments[0], env, place, then)
            case Builtin(operator="=>"):
                condition = self.g.condition(node.arguments[0], self.env(env, place))
                self._branches([(f"if {condition}", node.arguments[1], env), ("else", None, env)], place, then)
            case BoxAction() if not self.initial:
                self._branches(
                    [(None, node.action, env), (None, Builtin(node.at, "UNCHANGED", (node.subscript,)), env)],
                    place,
                    then,
                )
            case AngleAction() if not self.initial:
                self._angle(node, env, place, then)
            case Builtin(operator="\\cdot") if not self.initial:
                self._composition(node, env, place, then)
            case FunctionApplication():
                self._application(node, env, place, then)
            case _:
                self._test(node, env, place, then)

    def _test(self, node: Expression, env: Env, place: Place, then: Then) -> None:
        condition = self.g.condition(node, self.env(env, place))
        if condition == "True":
            then.write(place)
        elif condition != "False":
            with self.out.block(f"if {condition}"):
                then.write(place)

    def _conjunction(self, node: Builtin, env: Env, place: Place, then: Then) -> None:
        items = node.arguments
        if len(items) > 1:
            place = replace(place, named=replace(place.named, final=not place.named.root))
        sizes = [self.g.analysis.of(item).size for item in items]

        def rest(number: int) -> Then:
            if number == len(items):
                return then

            def write(reached: Place) -> None:
                if not _same(reached.named, place.named):
                    reached = replace(reached, named=replace(reached.named, final=True))
                if self.complete(reached):
                    self._test(items[number], env, reached, rest(number + 1))
                else:
                    self.act(items[number], env, reached, rest(number + 1))

            return Then(write, sum(sizes[number:]) + then.size)

        rest(0).write(place) if not self.complete(place) else self.act(items[0], env, place, rest(1))

    def _branches(
        self, branches: Sequence[tuple[str | None, Expression | None, Env]], place: Place, then: Then
    ) -> None:
        """Alternatives (head of the block or None, formula or None for TRUE, environment), each followed by `then`."""
        if then.size <= _SMALL or len(branches) < 2:
            for head, node, env in branches:
                self._branch(head, node, env, place, then)
            return
        calls: dict[tuple[object, ...], tuple[str, Place]] = {}
        out, self.out = self.out, Lines(self.out.depth)

        def write(reached: Place) -> None:
            new = [index for index in sorted(reached.frame.texts) if index not in place.frame.texts]
            shapes = tuple(reached.frame.shapes.get(index, ANY) for index in new)
            named = reached.named
            same = _same(named, place.named)
            key = (tuple(new), shapes, named.name, len(named.arguments), named.final, same)
            if key not in calls:
                name = Names(self._fresh()).fresh("after")
                frame = place.frame
                for index, shape in zip(new, shapes, strict=True):
                    frame = frame.bind(index, f"{name}_{index}", shape)
                arguments = reached.named.arguments
                if not _same(reached.named, place.named):
                    arguments = tuple(f"{name}_a{number}" for number in range(len(arguments)))
                calls[key] = (name, Place(frame, replace(reached.named, arguments=arguments)))
            name, _inside = calls[key]
            passed = [reached.frame.texts[index] for index in new]
            if not _same(reached.named, place.named):
                passed += reached.named.arguments
            self.out.add(f"{name}({', '.join(passed)})")

        for head, node, env in branches:
            self._branch(head, node, env, place, Then(write))
        branch_lines, self.out = self.out, out
        for name, inside in calls.values():
            new = [index for index in sorted(inside.frame.texts) if index not in place.frame.texts]
            parameters = [inside.frame.texts[index] for index in new]
            if not _same(inside.named, place.named):
                parameters += inside.named.arguments
            with self.out.block(f"def {name}({', '.join(parameters)})"):
                then.write(inside)
        self.out.lines += branch_lines.lines

    def _branch(self, head: str | None, node: Expression | None, env: Env, place: Place, then: Then) -> None:
        if head is None:
            assert node is not None
            self.act(node, env, place, then)
            return
        with self.out.block(head):
            if node is None:
                then.write(place)
            else:
                self.act(node, env, place, then)

    def _fresh(self) -> int:
        self.g._count += 1
        return self.g._count

    def _nested(self, node: Expression, env: Env, place: Place, then: Then) -> None:
        """Write the formula into a nested function, which starts afresh with CPython's limits on nesting."""
        name = f"deep_{self._fresh()}"
        depth = self.out.depth
        with self.out.block(f"def {name}()"):
            lines, self.out = self.out, Lines(0)
            self.act(node, replace(env, walrus=True), place, then)
            inner, self.out = self.out, lines
            for line in inner.lines or ["pass"]:
                self.out.add(line)
        assert self.out.depth == depth
        self.out.add(f"{name}()")

    def _exists(self, node: Quantified, env: Env, place: Place, then: Then) -> None:
        here = self.env(env, place)
        inner, clauses = loop_clauses(self.g, node.binders, here, Loop.IN_ORDER, walrus=True)
        for clause in clauses:
            self.out.add(clause + ":")
            self.out.depth += 1
        before = len(self.out.lines)
        self.act(node.body, replace(env, bindings=inner.bindings), place, then)
        if len(self.out.lines) == before:
            self.out.add("pass")
        self.out.depth -= len(clauses)

    def _forall(self, node: Quantified, env: Env, place: Place, then: Then) -> None:
        if self.complete(place) or not self._branching(node.body, env):
            self._test(node, env, place, then)
            return
        simple = len(node.binders) == 1 and not node.binders[0].is_tuple and len(node.binders[0].bindings) == 1
        if not simple or node.binders[0].domain is None:
            self._test(node, env, place, then)
            return
        here = self.env(env, place)
        binding = node.binders[0].bindings[0]
        code = self.g.value(node.binders[0].domain, here)
        known = self.g.known(code)
        if type(known) is frozenset and len(known) <= _UNROLLED:
            items = self.g.order[known]

            def unroll(number: int) -> Then:
                if number == len(items):
                    return then
                inner = env.bind({binding: self.g.value_code(items[number])})
                size = (len(items) - number) * self.g.analysis.of(node.body).size + then.size
                if number == 0:
                    return Then(lambda at: self.act(node.body, inner, at, unroll(1)), size)
                return Then(
                    lambda at: (
                        self._test(node.body, inner, at, unroll(number + 1))
                        if self.complete(at)
                        else self.act(node.body, inner, at, unroll(number + 1))
                    ),
                    size,
                )

            unroll(0).write(place)
            return
        iterated, element = elements(self.g, node.binders[0].domain, here, Loop.IN_ORDER)
        name, count = f"each_{self._fresh()}", f"number_{self._fresh()}"
        item, all_items = f"item_{self._fresh()}", f"items_{self._fresh()}"
        self.out.add(f"{all_items} = tuple({iterated})")
        with self.out.block(f"def {name}({count})"):
            with self.out.block(f"if {count} == len({all_items})"):
                then.write(place)
                self.out.add("return")
            self.out.add(f"{item} = {all_items}[{count}]")
            inner = env.bind({binding: Code(item, element, True)})
            self.act(node.body, inner, place, Then(lambda at: self.out.add(f"{name}({count} + 1)")))
        self.out.add(f"{name}(0)")

    def _branching(self, node: Expression, env: Env, depth: int = 0) -> bool:
        """Whether following the formula can find several ways through it, or give a variable a value."""
        if self._reaches_assignment(node, env):
            return True
        match node:
            case Builtin(operator="\\/"):
                return True
            case Quantified(kind="\\E"):
                return True
            case Quantified(kind="\\A") | Let() | Label():
                return self._branching(node.body, env, depth)
            case Builtin(operator="/\\"):
                return any(self._branching(argument, env, depth) for argument in node.arguments)
            case Builtin(operator="=>"):
                return self._branching(node.arguments[1], env, depth)
            case If():
                return self._branching(node.then, env, depth) or self._branching(node.otherwise, env, depth)
            case Case():
                bodies = [body for _, body in node.arms] + ([node.other] if node.other is not None else [])
                return any(self._branching(body, env, depth) for body in bodies)
            case Call():
                return (
                    depth < 8
                    and not node.definition.recursive
                    and self._branching(node.definition.body, env, depth + 1)
                )
        return False

    def _reaches_assignment(self, node: Expression, env: Env) -> bool:
        facts = self.g.analysis.of(node)
        return bool(facts.reads) if self.initial else bool(facts.primed)

    def _case(self, node: Case, env: Env, place: Place, then: Then) -> None:
        here = self.env(env, place)
        branches: list[tuple[str | None, Expression | None, Env]] = []
        for number, (guard, body) in enumerate(node.arms):
            branches.append((f"{'el' if number else ''}if {self.g.condition(guard, here)}", body, env))
        if node.other is not None:
            branches.append(("else", node.other, env))
        self._branches(branches, place, then)
        if node.other is None:
            with self.out.block("else"):
                self.out.add(self.g.places.mark(node.at, "no_arm()"))

    def _let(self, node: Let, env: Env, place: Place, then: Then) -> None:
        inner = env
        for definition in node.definitions:
            here = self.env(inner, place)
            facts = self.g.analysis.of_definition(definition)
            if facts.primed or not worth_a_variable(self.g, definition, node, here):
                continue
            code = self.g.eager_or_thunk(definition.body, here, False)
            if not code.atom:
                name = env.names.fresh(definition.name)
                self.out.add(f"{name} = {code.text}")
                code = Code(name, code.shape, True)
            inner = inner.let(definition, code)
        self.act(node.body, inner, place, then)

    # --- operators ---------------------------------------------------------------------------------------------

    def _call(self, node: Call, env: Env, place: Place, then: Then) -> None:
        definition = node.definition
        facts = self.g.analysis.of_definition(definition)
        if definition in env.lets or self.g.fold(node, self.env(env, place)) is not None:
            self._test(node, env, place, then)
            return
        if definition.recursive and not facts.primed and not (self.initial and facts.reads):
            self._recursive_call(node, env, place, then)
            return
        if env.depth > 100:
            raise TlaError(
                f"{definition.name} is an action that calls itself too deeply",
                node.at,
                "Recursion in actions is followed 100 levels deep; use a recursive function or operator of values.",
                "evaluation",
            )
        entries = {
            parameter: self._argument(definition, number, argument, env, place)
            for number, (parameter, argument) in enumerate(zip(definition.parameters, node.arguments, strict=True))
        }
        inner = env.bind(entries)
        outer = place.named
        if not outer.final and definition in self.public:
            texts: list[str] = []
            for entry in entries.values():
                if isinstance(entry, Code) and entry.shape.kind != "thunk":
                    texts.append(f"plain({entry.text})" if entry.shape.lazy else entry.text)
            place = replace(place, named=Named(definition.name, tuple(texts), root=not outer.name))

        def back(reached: Place) -> None:
            then.write(reached)

        self.act(definition.body, replace(inner, depth=env.depth + 1), place, Then(back, then.size))

    def _recursive_call(self, node: Call, env: Env, place: Place, then: Then) -> None:
        """A recursive operator that is a mere guard: the ways through it are found at run time."""
        definition = node.definition
        known = self.followed.get(definition)
        if known is None and (
            self.complete(place)
            or any(parameter.arity for parameter in definition.parameters)
            or not self._branching(definition.body, env)
        ):
            self._test(node, env, place, then)
            return
        here = self.env(env, place)
        inside = here.no_walrus()
        arguments = [Code(f"Thunk(lambda: {self.g.value(argument, inside).text})") for argument in node.arguments]
        if known is None:
            known = f"follow_{self._fresh()}"
            names = [env.names.fresh(parameter.name) for parameter in definition.parameters]
            bound: dict[Binding, Entry] = {
                parameter: Code(name, thunk_of(LAZY), True)
                for parameter, name in zip(definition.parameters, names, strict=True)
            }
            self._follow(definition, known, names, definition.body, env.bind(bound), place)
            self._continue(known, arguments, place, then)
            del self.followed[definition]
            return
        self._continue(known, arguments, place, then)

    def _follow(
        self, owner: Definition | Binding, name: str, names: Sequence[str], body: Expression, env: Env, place: Place
    ) -> None:
        """Write a Python function that calls `after` for every way through a formula."""
        self.followed[owner] = name
        after = f"after_{self._fresh()}"
        with self.out.block(f"def {name}({', '.join([*names, after])})"):
            self.act(body, env, place, Then(lambda at: self.out.add(f"{after}()")))

    def _continue(self, name: str, arguments: Sequence[Code], place: Place, then: Then) -> None:
        after = f"then_{self._fresh()}"
        with self.out.block(f"def {after}()"):
            then.write(place)
        self.out.add(f"{name}({', '.join([*(code.text for code in arguments), after])})")

    def _application(self, node: FunctionApplication, env: Env, place: Place, then: Then) -> None:
        """`f[x]` as a formula: the body of a function definition is followed, as TLC does."""
        function = node.function
        if isinstance(function, Reference) and function.binding in self.followed:
            argument = self.g.plain(node.argument, self.env(env, place))
            self._continue(self.followed[function.binding], [argument], place, then)
            return
        if (
            isinstance(function, Call)
            and not function.arguments
            and not (function.definition in self.public and self.g.analysis.of_definition(function.definition).constant)
        ):
            function = function.definition.body
        if (
            self.complete(place)
            or not isinstance(function, FunctionConstructor)
            or len(function.binders) > 1
            or function.binders[0].is_tuple
            or len(function.binders[0].bindings) > 1
            or function.binders[0].domain is None
            or not self._branching(function.body, env)
        ):
            self._test(node, env, place, then)
            return
        here = self.env(env, place)
        argument = self.g.plain(node.argument, here)
        domain = self.g.value(function.binders[0].domain, here)
        binding = function.binders[0].bindings[0]
        name, parameter = f"follow_{self._fresh()}", env.names.fresh(binding.name)
        bound: dict[Binding, Entry] = {binding: Code(parameter, domain.shape.element, True)}
        owner = function.recursion if function.recursion is not None else binding
        if function.recursion is not None:
            itself = self.g.value(node.function, here)
            bound[function.recursion] = Code(itself.text, itself.shape, itself.atom)
        checked = f"argument_in({parameter}, {domain.text})"
        inner = env.bind(bound)
        self.followed[owner] = name
        after = f"after_{self._fresh()}"
        with self.out.block(f"def {name}({parameter}, {after})"):
            self.out.add(self.g.places.mark(node.at, checked))
            self.act(function.body, inner, place, Then(lambda at: self.out.add(f"{after}()")))
        self._continue(name, [argument], place, then)
        del self.followed[owner]

    def _argument(self, definition: Definition, number: int, argument: Expression, env: Env, place: Place) -> Entry:
        if definition.parameters[number].arity:
            return operator_value(argument, env)
        here = self.env(env, place)
        facts = self.g.analysis.of(argument)
        if (
            facts.primed
            or number in self.g.analysis.by_name_parameters(definition)
            or (self.initial and not all(place.frame.assigned(index) for index in facts.reads))
        ):
            if facts.constant:
                return self.g.value(argument, here)
            return ByName(argument, env)
        if self._variable(argument, env, primed=False) is not None and self.initial:
            return ByName(argument, env)
        code = self.g.value(argument, here)
        if code.atom:
            return code
        code = self.g.eager_or_thunk(argument, here, False)
        name = env.names.fresh(definition.parameters[number].name)
        self.out.add(f"{name} = {code.text}")
        return Code(name, code.shape, True)

    def _call_parameter(self, node: CallParameter, env: Env, place: Place, then: Then) -> None:
        entry = env.bindings[node.binding]
        assert isinstance(entry, OperatorValue)
        target = entry.target
        while not isinstance(target, (Definition, Lambda)) and entry.env is not None and not isinstance(target, str):
            bound = entry.env.bindings[target] if target is not None else None
            assert isinstance(bound, OperatorValue)
            entry, target = bound, bound.target
        if entry.env is None or not isinstance(target, (Definition, Lambda)):
            self._test(node, env, place, then)
            return
        arguments: dict[object, Entry] = {}
        for parameter, argument in zip(target.parameters, node.arguments, strict=True):
            arguments[parameter] = operator_value(argument, env) if parameter.arity else ByName(argument, env)
        inner = env.at(entry.env).bind(arguments)  # type: ignore[arg-type]
        if isinstance(target, Definition) and not place.named.final and target in self.public:
            place = replace(place, named=Named(target.name, (), root=not place.named.name))
        self.act(target.body, inner, place, then)

    # --- giving variables their values -------------------------------------------------------------------------

    def _variable(self, node: Expression, env: Env, primed: bool) -> int | None:
        """The variable that a node is, through definitions without parameters and arguments."""
        match node:
            case VariableReference():
                return None if primed else node.variable.index
            case Builtin(operator="'"):
                return self._variable(node.arguments[0], env, False) if primed else None
            case Reference():
                entry = env.bindings.get(node.binding)
                return self._variable(entry.node, entry.env, primed) if isinstance(entry, ByName) else None
            case Call() if not node.arguments and not node.definition.recursive and not primed:
                return self._variable(node.definition.body, env, primed)
        return None

    def _assignment(self, node: Builtin, env: Env, place: Place, then: Then) -> None:
        index = self._variable(node.arguments[0], env, primed=not self.initial)
        if index is None:
            self._test(node, env, place, then)
            return
        here = self.env(env, place)
        if place.frame.assigned(index):
            self._test(node, env, place, then)
            return
        right = node.arguments[1]
        if node.operator == "=":
            code = self.g.plain(right, here)
            self._bind(index, code, place, then)
            return
        if node.operator == "\\subseteq":
            code = self.g.value(right, here)
            iterated, element = f"Powerset({code.text})", set_of(plain_shape(code.shape.element))
        else:
            iterated, element = elements(self.g, right, here, Loop.IN_ORDER)
        name = env.names.fresh(self.g.variables[index])
        with self.out.block(f"for {name} in {self.g.places.mark(node.at, iterated)}"):
            self._bind(index, Code(name, element, True), place, then)

    def _bind(self, index: int, code: Code, place: Place, then: Then) -> None:
        self.assigned[index] = join(self.assigned.get(index, NEVER), code.shape)
        if not code.atom:
            name = Names(self._fresh()).fresh(self.g.variables[index])
            self.out.add(f"{name} = {code.text}")
            code = Code(name, code.shape, True)
        then.write(place.bind(index, code))

    def _unchanged(self, node: Expression, env: Env, place: Place, then: Then) -> None:
        index = self._variable(node, env, primed=False)
        if index is not None:
            if not place.frame.assigned(index):
                text = env.current.read(index) if env.current is not None else None
                assert text is not None
                then.write(place.bind(index, Code(text, self.g.shapes[index], True)))
            else:
                here = self.env(env, place)
                with self.out.block(f"if {unchanged(self.g, node, here)}"):
                    then.write(place)
            return
        match node:
            case TupleExpression():
                self._unchanged_all(node.items, env, place, then)
            case Call() if not node.arguments:
                self._unchanged(node.definition.body, env, place, then)
            case Reference() if isinstance(env.bindings.get(node.binding), ByName):
                entry = env.bindings[node.binding]
                assert isinstance(entry, ByName)
                self._unchanged(entry.node, env.at(entry.env), place, then)
            case _:
                here = self.env(env, place)
                with self.out.block(f"if {self.g.places.mark(node.at, unchanged(self.g, node, here))}"):
                    then.write(place)

    def _unchanged_all(self, items: Sequence[Expression], env: Env, place: Place, then: Then) -> None:
        if not items:
            then.write(place)
            return
        rest = Then(lambda at: self._unchanged_all(items[1:], env, at, then), then.size + len(items))
        self._unchanged(items[0], env, place, rest)

    def _angle(self, node: AngleAction, env: Env, place: Place, then: Then) -> None:
        def changed(reached: Place) -> None:
            here = self.env(env, reached)
            with self.out.block(f"if not {unchanged(self.g, node.subscript, here)}"):
                then.write(reached)

        self.act(node.action, env, place, Then(changed, then.size + 2))

    def _composition(self, node: Builtin, env: Env, place: Place, then: Then) -> None:
        """A \\cdot B: a step of A to some state, then a step of B from there."""
        first, second = node.arguments
        start = place

        def between(reached: Place) -> None:
            missing = [name for i, name in enumerate(self.g.variables) if not reached.frame.assigned(i)]
            if missing:
                self.out.add(f"unassigned({missing!a}, {'the left side of cdot'!a})")
                return
            self.out.add("MIDDLE[0] += 1")
            middle = replace(env, current=replace(reached.frame, tuple_name=""))
            self.act(second, middle, Place(start.frame, reached.named), then)

        named = replace(place.named, final=True)
        self.act(first, env, Place(LocalFrame({}), named), Then(between, 1000))


def enabled(g: Generator, node: Expression, env: Env) -> str:
    """Condition: whether some step of the action is possible."""
    facts = g.analysis.of(node)
    captured, texts, key = g.capture(replace(facts, primed=frozenset()), env)
    current, current_key = g.pass_frame(env.current, frozenset(range(len(g.variables))))
    whole = ("enabled", id(node), current_key, key)
    name = g.searchers.get(whole)
    if name is None:
        names = Names()
        out = Lines(1)
        bindings: dict[object, Entry] = {}
        lets: dict[object, Code] = {}
        for bound, entry in captured:
            done = entry._replace(atom=True) if isinstance(entry, Code) else entry
            if isinstance(bound, Definition):
                assert isinstance(done, Code)
                lets[bound] = done
            else:
                bindings[bound] = done
        known = current_key if isinstance(current_key, frozenset) else None
        inner = Env(names, bindings, lets, WholeFrame("s", known) if current else None)  # type: ignore[arg-type]
        writer = ActionWriter(g, out, initial=False)
        named = Named("ENABLED", final=True)
        writer.act(node, inner, Place(LocalFrame({}), named), Then(lambda at: out_add(writer, "found()")))
        name = f"enabled_{writer._fresh()}"
        parameters = ["s"] * len(current) + texts_parameters(texts)
        lines = "\n".join(f" {line}" for line in writer.out.lines) or "  pass"
        g.execute(
            name, f"def {name}({', '.join(parameters)}):\n try:\n{lines}\n except Found: return True\n return False\n"
        )
        g.searchers[whole] = name
        g.keep.append(node)
    return f"{name}({', '.join([*current, *texts])})"


def out_add(writer: ActionWriter, text: str) -> None:
    writer.out.add(text)


def texts_parameters(texts: Sequence[str]) -> list[str]:
    return [f"c{number}" for number in range(len(texts))]


def composed(g: Generator, node: Builtin, env: Env) -> str:
    """Condition: A \\cdot B as a test of a step: some state is between."""
    first, second = node.arguments
    raise TlaError(
        "action composition is evaluated only where it gives variables their next values",
        first.at.to(second.at),
        "Use it as a disjunct or conjunct of the next-state relation.",
        "evaluation",
    )
