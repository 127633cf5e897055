"""Init and Next to C: formulas that assign variables become nested loops and conditions that emit states.

As in TLC, every way to make the formula true emits a state: a disjunction tries each side, `\\E` each element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace

from rmqproof.model.actions.form import (
    Arms,
    Assignment,
    Changing,
    Choice,
    Composition,
    Conjunction,
    Disjunction,
    Enter,
    EnterParameter,
    ForEach,
    Inside,
    Keep,
    Local,
    Parameter,
    form_of,
)
from rmqproof.model.actions.names import kept_parts, variable_of
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import reached, used_by
from rmqproof.model.types.domain import Function
from rmqproof.model.types.truth import arms_left

from .assigning import Assignments
from .calls import local_definitions
from .context import Context
from .fitting import fitted
from .loops import each, nested
from .narrowing import narrowed
from .terms import Bound, C, Change, Closure, Env, Named
from .ways import Ways

Continue = Callable[[Env], str]
LARGEST_ACTION = 3_000_000
"""Letters of what Next does."""


@dataclass(frozen=True, slots=True)
class Definitions:
    """Of LET: the statements that compute them."""

    statements: str
    names: frozenset[core.Definition]

    def behind(self, outer: Definitions | None) -> Definitions:
        return self if outer is None else Definitions(outer.statements + self.statements, outer.names | self.names)

    def are_in(self, e: core.Expression) -> bool:
        """Whether `e` needs one of them, itself or in what it uses."""
        return any(not self.names.isdisjoint(used_by(node)) for node in reached(e))


@dataclass(slots=True)
class Formulas:
    """Compiles Init (`initial`) or Next to statements that emit states."""

    expressions: Context
    variables: tuple[core.Variable, ...]
    emit: Callable[[Env, core.Expression], str]
    initial: bool
    public: frozenset[core.Definition] = frozenset()
    """Definitions that give a step its name."""
    showing: bool = False
    """Steps carry the arguments of their actions."""
    joins: bool = False
    """What follows a choice between few ways is written once, and is no copy in each of them: values are copied for
    it, but the text does not double with each choice."""
    most: int = LARGEST_ACTION
    """Letters of the text; for more there is no form."""
    composing: bool = False
    """Whether A \\cdot B is followed: the states between are counted, which not every reader of steps asks for."""
    assignments: Assignments = field(init=False)
    first: bool = False
    """Whether what is emitted leaves: the first way ends it, as in ENABLED."""
    ways: Ways = field(init=False)
    _entered: list[core.Definition] = field(default_factory=list)
    _chosen: int = 0
    """How many values were chosen from sets so far."""
    _apart: set[int] = field(default_factory=set)
    """Parts, by their `id`, that were found not to be joined with those after them: they are not tried again."""
    _composed: int = 0
    """How many compositions are around."""

    def __post_init__(self) -> None:
        self.assignments = Assignments(self.expressions, self.initial)
        self.ways = Ways(self.expressions, self.assignments, self.first)

    def compile(self, e: core.Expression, env: Env) -> str:
        return self.act(e, env, lambda final: self.emit(final, e))

    def act(self, e: core.Expression, env: Env, then: Continue) -> str:
        """Statements that run `then` for every way to make `e` true."""
        x = self.expressions
        if not self.assignments.effects.gives_value(e, env):
            return self.ways.guard(e, env, then)
        match form_of(e, self.initial):
            case Conjunction(parts=parts):
                return self.conjunction(parts, env, then)
            case Disjunction(parts=parts):
                return self.disjunction(e, parts, env, then)
            case Arms(arms=arms, otherwise=otherwise):
                bodies = [body for _, body in arms] + ([] if otherwise is None else [otherwise])
                joined = self.joined(bodies, env, then, lambda end: [self.arms(e, arms, otherwise, env, end)])
                return joined if joined is not None else self.arms(e, arms, otherwise, env, then)
            case Choice(quantified=quantified):
                few = Choice(narrowed(x, quantified, env))
                body = few.quantified.body
                return nested(
                    x, few.binders, env, lambda _, at: self.act(body, at, then), leaves=self.first, condition=body
                )[0]
            case ForEach():
                raise x.refuse(e, "\\A over what a step may do")
            case Assignment(target=target) as given:
                variable = self.assignments.unassigned(target, env)
                if variable is not None:
                    return self.given(e, given, variable, env, then)
            case Keep(kept=kept):
                return self.unchanged(e, kept, env, then)
            case Local(let=let):
                return self.local(let, env, self._back(env, then))
            case Inside(body=body):
                return self.act(body, env, then)
            case Parameter(reference=reference) if (passed := env.passed(reference.binding)) is not None:
                return self.act(*passed, self._back(env, then))
            case Enter(call=call):
                return self.call(call, env, then)
            case EnterParameter(call=call_parameter):
                closure = env.bindings.get(call_parameter.binding)
                if isinstance(closure, Closure):
                    return self.closure(e, closure, call_parameter.arguments, env, then)
            case Changing(step=step):
                changed = core.Builtin(e.at, "#", (core.Builtin(e.at, "'", (step.subscript,)), step.subscript))
                return self.act(
                    step.action, env, lambda after: f"if ({x.condition(changed, after).code}) {{ {then(after)} }}"
                )
            case Composition(first=first, second=second) if self.composing and not self.complete(env):
                return self.composition(first, second, env, then)
        condition = x.condition(e, env)
        return f"if ({condition.code}) {{ {then(env)} }}"

    def arms(
        self,
        e: core.Expression,
        arms: Sequence[tuple[core.Expression, core.Expression]],
        otherwise: core.Expression | None,
        env: Env,
        then: Continue,
    ) -> str:
        x = self.expressions
        code = ""
        left, last = arms_left(arms, otherwise, lambda condition: x.truth(condition, env, self.initial))
        for condition, body in left:
            taken = self._arm(body, env, then)
            code += f"if ({x.condition(condition, env).code}) {{ {taken} }} else "
        return code + ("{ " + (self._arm(last, env, then) if last is not None else x.fail(e)) + " }")

    def _arm(self, body: core.Expression, env: Env, then: Continue) -> str:
        return ";" if self.expressions.truth(body, env, self.initial) is False else self.act(body, env, then)

    def given(self, e: core.Expression, given: Assignment, variable: core.Variable, env: Env, then: Continue) -> str:
        """The variable gets the value, or each of the values, that the formula says."""
        if given.operator == "=":
            return self.assign(variable, given.value, env, then)
        values = given.value if given.operator == "\\in" else core.Builtin(e.at, "SUBSET", (given.value,))
        return self.choose(values, variable, env, then)

    def _back(self, outer: Env, then: Continue) -> Continue:
        """`then` in the scope `outer` with what was assigned since."""
        return lambda inner: then(replace(outer, primed=inner.primed).named_as(inner))

    def local(self, let: core.Let, env: Env, then: Continue, outer: Definitions | None = None) -> str:
        """The body of LET; `outer`: what is defined around it and not computed yet."""
        x = self.expressions
        statements, inner = local_definitions(x, let, env)
        definitions = Definitions(statements, frozenset(let.definitions)).behind(outer)
        if definitions.statements and self.assignments.effects.gives_value(let.body, inner):
            match form_of(let.body, self.initial):
                case Local(let=nearer):
                    return self.local(nearer, inner, then, definitions)
                case Conjunction(parts=parts):
                    return self.conjunction(parts, inner, then, definitions)
        return f"{{ {definitions.statements} {self.act(let.body, inner, then)} }}"

    def conjunction(
        self, parts: tuple[core.Expression, ...], env: Env, then: Continue, definitions: Definitions | None = None
    ) -> str:
        """The conjuncts one after the other; `definitions` are computed behind conditions that do not need them."""
        env = replace(env, step=env.step.in_conjunction(len(parts)))

        def rest(number: int, at: Env, waiting: Definitions | None) -> str:
            if number == len(parts):
                return then(at)
            part = parts[number]
            if waiting is not None and (self.assignments.effects.gives_value(part, at) or waiting.are_in(part)):
                return f"{{ {waiting.statements} {rest(number, at, None)} }}"
            at = replace(at, step=env.step.after_conjunct(at.step))
            return self.follow(part, at, lambda after: rest(number + 1, after, waiting))

        return rest(0, env, definitions)

    def complete(self, env: Env) -> bool:
        return len(env.primed or {}) == len(self.variables)

    def follow(self, e: core.Expression, env: Env, then: Continue) -> str:
        """A conjunct: once every variable has a value it is a test, as in TLC."""
        if self.expressions.truth(e, env, self.initial) is False:
            return ";"
        if self.complete(env):
            return f"if ({self.expressions.condition(e, env).code}) {{ {then(env)} }}"
        return self.act(e, env, then)

    def joined(
        self,
        parts: Sequence[core.Expression],
        env: Env,
        then: Continue,
        write: Callable[[Continue], list[str]],
    ) -> str | None:
        """Statements that run what `write` gives one after the other, and `then` behind each that came to its end.

        None where ways are not joined, or these cannot be: each of `parts` has to have one way, without a value from a
        set, and to give values to the same variables as the others.
        """
        x = self.expressions
        if not self.joins or len(parts) < 2 or id(parts[0]) in self._apart:
            return None
        if any(self.assignments.effects.several_ways(part, env) for part in parts):
            return None
        ends, chosen = list[Env](), self._chosen
        mark = x.name("end")

        def end(after: Env) -> str:
            ends.append(after)
            return f"/*{mark}:{len(ends) - 1}*/"

        codes = write(end)
        assigned = [end.primed or {} for end in ends]
        alike = all(one.keys() == assigned[0].keys() for one in assigned) and all(e.step == ends[0].step for e in ends)
        if self._chosen > chosen or not alike:
            self._apart.add(id(parts[0]))
            return None
        if not ends:
            return " ".join(codes)
        declared, after, copies = "", dict(env.primed or {}), [""] * len(ends)
        for variable in [variable for variable in assigned[0] if variable not in after]:
            given = [one[variable] for one in assigned]
            after[variable] = given[0]
            if any(value.code != self.same(variable, env).code for value in given):
                name, type_ = x.name("t"), x.variables[variable]
                after[variable] = C(name, type_, False, True)
                declared += f"{x.c_type(type_)} {name}; "
                for number, value in enumerate(given):
                    copies[number] += f"{name} = {value.code}; "
        for number, copied in enumerate(copies):
            codes = [code.replace(f"/*{mark}:{number}*/", f"{copied}{mark} = 1;") for code in codes]
        rest = f"if ({mark}) {{ {then(replace(env, primed=after).named_as(ends[0]))} }}"
        if len(codes) == 1:
            return f"{{ {declared}int {mark} = 0; {codes[0]} {rest} }}"
        way = x.name("way")
        ways = " else ".join(f"if ({way} == {number}) {{ {code} }}" for number, code in enumerate(codes))
        return f"for (int {way} = 0; {way} < {len(codes)}; {way}++) {{ {declared}int {mark} = 0; {ways} {rest} }}"

    def disjunction(self, e: core.Expression, parts: Sequence[core.Expression], env: Env, then: Continue) -> str:
        x = self.expressions
        joined = self.joined(parts, env, then, lambda end: [self.act(part, env, end) for part in parts])
        if joined is not None:
            return joined
        codes = []
        size = 0
        for part in parts:
            code = self.act(part, env, then)
            size += len(code)
            if size > self.most:
                raise x.refuse(e, "an action that unfolds to too much code")
            codes.append(f"{{ {code} }}")
        return " ".join(codes)

    def stored(self, variable: core.Variable, value: C) -> C:
        """The value in the variable's own type, checked."""
        x = self.expressions
        with x.aiming(variable.index):
            return x.to(value, x.variables[variable])

    def computed(self, variable: core.Variable, e: core.Expression, env: Env, changes: Sequence[Change] = ()) -> C:
        """The value of `e` in the variable's own type, checked."""
        x = self.expressions
        with x.aiming(variable.index):
            return fitted(x, e, env, x.variables[variable], changes)

    def assign(self, variable: core.Variable, e: core.Expression, env: Env, then: Continue) -> str:
        if not self.initial and not env.next and isinstance(e, core.VariableReference) and e.variable is variable:
            return then(env.assign(variable, self.same(variable, env)))
        changes = self.changes(variable, e, env)
        declared = "".join(f"I {change.rank} = -1; {self.element_of(variable)} {change.value}; " for change in changes)
        value = self.computed(variable, e, env, changes)
        statements, held = self.owned(variable, value)
        inner = then(env.assign(variable, replace(held, changes=value.changes)))
        return f"{{ {declared}{statements} {inner} }}"

    def owned(self, variable: core.Variable, value: C) -> tuple[str, C]:
        """Statements that give a C variable the value, and the value there."""
        x, type_ = self.expressions, self.expressions.variables[variable]
        if value.made is not None and value.made.own:
            return value.made.text, C(value.made.place, type_, False, True)
        name = x.name("t")
        statements, place = "", value.code
        if value.made is not None:
            statements, place = value.made.text, value.made.place
        return f"{statements} {x.c_type(type_)} {name} = {place}; (void){name};", C(name, type_, False, True)

    def changes(self, variable: core.Variable, e: core.Expression, env: Env) -> tuple[Change, ...]:
        """Names for what changes of a function where `e` says so element by element."""
        x = self.expressions
        if self.initial or env.next or env.current != "s" or not isinstance(e, core.Except):
            return ()
        base = e.function
        if not (isinstance(base, core.VariableReference) and base.variable is variable):
            return ()
        if not isinstance(x.variables[variable], Function):
            return ()
        return tuple(Change(x.name("r"), x.name("e")) for _ in e.updates)

    def element_of(self, variable: core.Variable) -> str:
        """The C type of the values of a variable that is a function."""
        type_ = self.expressions.variables[variable]
        assert isinstance(type_, Function)
        return self.expressions.c_type(type_.value)

    def same(self, variable: core.Variable, env: Env) -> C:
        return C(f"{env.current}->v{variable.index}", self.expressions.variables[variable], False, True)

    def choose(self, values: core.Expression, variable: core.Variable, env: Env, then: Continue) -> str:
        x = self.expressions
        self._chosen += 1

        def body(value: C) -> str:
            statements, held = self.owned(variable, self.stored(variable, value))
            return f"{statements} {then(env.assign(variable, held))}"

        return each(x, values, env, body)[0]

    def unchanged(self, at: core.Expression, e: core.Expression, env: Env, then: Continue) -> str:
        """`e` keeps its value: assign its variables, test those that are assigned."""
        x = self.expressions
        tests: list[str] = []
        for part, scope in list(kept_parts(e, env)):
            variable = variable_of(part, scope, primed=False)
            if variable is not None and variable not in (env.primed or {}):
                env = env.assign(variable, self.same(variable, env))
            else:
                same = core.Builtin(at.at, "=", (core.Builtin(at.at, "'", (part,)), part))
                tests.append(x.condition(same, env.inside(scope)).code)
        inner = then(env)
        return f"if ({' && '.join(tests)}) {{ {inner} }}" if tests else inner

    def composition(self, first: core.Expression, second: core.Expression, env: Env, then: Continue) -> str:
        """`A \\cdot B`: a step of A to some state, then a step of B from there.

        As in TLC the states between are counted, but not those of a composition in a composition.
        """
        counted = "" if self._composed else "c->between++; "

        def between(reached: Env) -> str:
            primed = reached.primed or {}
            if len(primed) < len(self.variables):
                raise self.expressions.refuse(first, "the left side of \\cdot, which leaves a variable open")
            middle = self.expressions.name("u")
            values = " ".join(f"{middle}.v{v.index} = {value.code};" for v, value in primed.items())
            inner = replace(env, current=f"(&{middle})").named_as(reached)
            return f"{{ {counted}S {middle}; {values} {self.act(second, inner, self._back(env, then))} }}"

        self._composed += 1
        try:
            return self.act(first, replace(env, primed={}, step=env.step.settled()), between)
        finally:
            self._composed -= 1

    def call(self, e: core.Call, env: Env, then: Continue) -> str:
        x, definition = self.expressions, e.definition
        meaning = env.local.get(definition)
        if isinstance(meaning, Named):
            inner = env.inside(meaning.env)
            return self.act(meaning.body, inner, self._back(env, then))
        if isinstance(meaning, Closure):
            return self.closure(e, meaning, e.arguments, env, then)
        if definition.recursive:
            raise x.refuse(e, f"{definition.name}, a recursive action")
        return self.enter(e, definition, e.arguments, replace(env, bindings={}, local={}), env, then, named=True)

    def enter(
        self,
        e: core.Expression,
        definition: core.Definition,
        arguments: tuple[core.Expression, ...],
        outer: Env,
        env: Env,
        then: Continue,
        *,
        named: bool = False,
    ) -> str:
        """The body of a definition, whose own scope is `outer`, applied to arguments of the scope `env`.

        `named`: a step of it is called by its name, and with these arguments.
        """
        if self._entered.count(definition) > 20:
            raise self.expressions.refuse(e, f"{definition.name} is recursive")
        statements, bound = self.assignments.arguments(definition, arguments, env)
        if not env.step.final and definition in self.public:
            shown = tuple(value for value in map(self._shown, bound.values()) if value is not None) if named else ()
            outer = replace(outer, step=env.step.entering(definition.name, shown))
        self._entered.append(definition)
        try:
            inner = self.act(definition.body, outer.bind(bound), self._back(env, then))
        finally:
            self._entered.pop()
        return f"{{ {statements} {inner} }}" if statements else inner

    def _shown(self, bound: Bound) -> C | None:
        """The value of an argument by which a step is told from others, where it is a value that can be had."""
        if not self.showing:
            return None
        if isinstance(bound, C):  # one without a value may be used nowhere
            return bound if bound.kept is None else C(bound.kept.place, bound.type, False, True)
        if isinstance(bound, Named) and bound.value is not None:
            return bound.value
        if isinstance(bound, Named) and variable_of(bound.body, bound.env, primed=False) is not None:
            return self.expressions.compile(bound.body, bound.env)
        return None

    def closure(
        self, e: core.Expression, closure: Closure, arguments: tuple[core.Expression, ...], env: Env, then: Continue
    ) -> str:
        operator, outer = closure.operator, env.inside(closure.env)
        if isinstance(operator, core.Definition):
            return self.enter(e, operator, arguments, outer, env, then)
        if isinstance(operator, core.OperatorArgument) and isinstance(operator.target, core.Definition):
            return self.enter(e, operator.target, arguments, replace(outer, bindings={}, local={}), env, then)
        if isinstance(operator, core.Lambda):
            named = {p: Named(a, env) for p, a in zip(operator.parameters, arguments, strict=True)}
            return self.act(operator.body, outer.bind(named), self._back(env, then))
        return f"if ({self.expressions.condition(e, env).code}) {{ {then(env)} }}"
