"""What is being compiled, as every part of the compiler sees it: names, types, the C text so far, failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from typing import Any

from rmqproof.model.actions.facts import Analysis
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.types.domain import (
    BOOL,
    NOTHING,
    Bool,
    Function,
    Int,
    Nothing,
    Seq,
    Set,
    Tuple,
    Type,
    Union,
    function_of,
    includes,
    join,
)
from rmqproof.model.types.expressions import typing_of
from rmqproof.model.types.primed import NONE_PASSED, Passed
from rmqproof.model.types.truth import decided
from rmqproof.model.types.typing import Closure as TypeClosure
from rmqproof.model.types.typing import Scope, Typing

from .code_motion import Loop
from .conversion import converting
from .errors import NotCompilable
from .questions import bracketed, is_lazy
from .representation import Capacity, is_map, larger, settle
from .routines import Routines
from .terms import C, Env, Kept, Lifted, Made, Named, Recursion


@dataclass(frozen=True, slots=True)
class Forms:
    """How expressions are compiled: the entries to the parts that know every node, which use one another."""

    value: Callable[[Context, core.Expression, Env, Type | None], C]
    member: Callable[[Context, core.Expression, C, core.Expression, Env, bool], C]
    fitted: Callable[[Context, core.Expression, Env, Type], C]


@dataclass(slots=True)
class Context:
    """A model that is being compiled, and the C functions and constants that its expressions need so far.

    The parts of the compiler are functions that take it; `forms` leads from it to them.
    """

    forms: Forms
    variables: dict[core.Variable, Type]
    landmarks: tuple[int, ...]
    capacity: Capacity
    routines: Routines
    passed: Passed = NONE_PASSED
    """What Next passes to operators."""
    levels: bool = False
    """Whether `TLCGet("level")` has a value."""
    analysis: Analysis = field(default_factory=Analysis)
    functions: list[str] = field(default_factory=list)
    prototypes: list[str] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    initialisers: list[str] = field(default_factory=list)
    sites: list[core.Node] = field(default_factory=list)
    target: int = -1
    """Index of the variable whose assignment is being compiled: overflows are its."""
    capacities: dict[int, Capacity] = field(default_factory=dict)
    """Of variables that have grown, by their indices."""
    _count: int = 0
    written: int = 0
    asked: int = 0
    lifted: dict[object, tuple[str, Type, bool]] = field(default_factory=dict)
    recursions: dict[object, Lifted] = field(default_factory=dict)
    """By definition, or instance of one of LET."""
    lifting: list[object] = field(default_factory=list)
    """The recursive operators and functions whose C functions are being written, the innermost last."""
    inlining: list[core.Definition] = field(default_factory=list)
    _typing: Typing | None = None
    closed: dict[core.Expression, bool] = field(default_factory=dict)
    hoisted: dict[tuple[object, Type | None], C] = field(default_factory=dict)
    tables: dict[object, Any] = field(default_factory=dict)
    """Constant sets that are tables (`tables.py`)."""
    loops: list[Loop] = field(default_factory=list)
    """The loops around what is being written, in the same C function, the innermost last."""
    repeating: set[str] = field(default_factory=set)
    """C functions with loops."""
    remembered: list[tuple[Type, int]] = field(default_factory=list)
    """Of operators whose values are remembered with a state: the type of a value, and how many there are."""

    def compile(self, e: core.Expression, env: Env, want: Type | None = None) -> C:
        """The value of `e`. Where its type fits `want`, it comes in that type's representation."""
        return self.forms.value(self, e, env, want)

    def fitted(self, e: core.Expression, env: Env, want: Type) -> C:
        """The value of `e` in exactly the type `want`; what does not fit is reported by `widen` at run time."""
        return self.forms.fitted(self, e, env, want)

    def member(self, e: core.Expression, candidate: C, domain: core.Expression, env: Env, evaluated: bool = False) -> C:
        """`candidate \\in domain`, asked by `e`; the candidate is an lvalue.

        `evaluated`: what TLC evaluates of the set before it asks it has been evaluated (`loops.evaluated`).
        """
        return self.forms.member(self, e, candidate, domain, env, evaluated)

    def name(self, prefix: str = "x") -> str:
        self._count += 1
        return f"{prefix}{self._count}_"

    @contextmanager
    def apart(self) -> Iterator[None]:
        """What is written in the meantime stands in a C function of its own."""
        loops, self.loops = self.loops, []
        try:
            yield
        finally:
            self.loops = loops

    @contextmanager
    def turning(self, first: int) -> Iterator[Loop]:
        """What is written in the meantime is the body of a loop; `first`: of the numbers in its names."""
        self.loops.append(Loop(first))
        try:
            yield self.loops[-1]
        finally:
            self.loops.pop()

    @property
    def names(self) -> int:
        """The number of the next name."""
        return self._count + 1

    @contextmanager
    def aiming(self, target: int) -> Iterator[None]:
        """What does not fit in the meantime is too large for the variable with this index."""
        before, self.target = self.target, target
        try:
            yield
        finally:
            self.target = before

    def anything(self, write: Callable[[], str]) -> str:
        """What is written; where that is nothing, all is as if it had not been tried."""
        texts: tuple[list[Any], ...] = (
            self.functions, self.prototypes, self.constants, self.initialisers, self.sites,
        )  # fmt: skip
        lengths = [len(text) for text in texts]
        lifted, hoisted, written, count = dict(self.lifted), dict(self.hoisted), self.written, self._count
        tables = dict(self.tables)
        recursions, repeating = dict(self.recursions), set(self.repeating)
        loops = [(dict(loop.kept), dict(loop.known)) for loop in self.loops]
        text = write()
        if not text:
            for each, length in zip(texts, lengths, strict=True):
                del each[length:]
            self.lifted, self.hoisted, self.written, self._count = lifted, hoisted, written, count
            self.tables = tables
            self.recursions, self.repeating = recursions, repeating
            for loop, (kept, known) in zip(self.loops, loops, strict=True):
                loop.kept, loop.known = kept, known
        return text

    def attempt(self, write: Callable[[], str]) -> str | None:
        """What is written, or None where it has no form in C; then nothing is left of what was begun."""
        texts = (self.functions, self.prototypes, self.constants, self.initialisers)
        lengths = [len(text) for text in texts]
        lifted, hoisted, written, tables = dict(self.lifted), dict(self.hoisted), self.written, dict(self.tables)
        try:
            return write()
        except NotCompilable:
            for text, length in zip(texts, lengths, strict=True):
                del text[length:]
            self.lifted, self.hoisted, self.written, self.tables = lifted, hoisted, written, tables
            self.recursions.clear()
            return None

    def settle(self, type_: Type) -> Type:
        """The type of a value on the way: what is too large for it has the variable grow for which it is made, if any,
        so it has the room of that."""
        return settle(type_, larger(self.capacity, self.capacities.get(self.target, self.capacity)))

    def universe_size(self, element: Type) -> int | None:
        """The number of bits of a set of such elements; None: a vector."""
        return self.routines.structures.universe_size(element)

    def c_type(self, type_: Type) -> str:
        return self.routines.structures.of(type_)

    def has_form(self, e: core.Expression, env: Env) -> bool:
        """Whether values of the type of `e` have a form in C; a function on a large set that is only described, and so
        never listed by TLC, has none."""
        type_ = self.settle(self.typed(e, env))
        listed = not isinstance(e, core.FunctionConstructor) or not any(
            binder.domain is None or is_lazy(binder.domain) for binder in e.binders
        )
        if is_map(type_) and not listed:
            return False
        try:
            self.c_type(type_)
        except NotCompilable:
            return False
        return True

    def fail(self, e: core.Expression) -> str:
        """A statement that reports a failure of evaluation at `e`."""
        self.sites.append(e)
        return f"fail_(c, EVALUATE, {len(self.sites) - 1});"

    def widen(self) -> str:
        return f"fail_(c, WIDEN, {self.target});"

    def may_overflow(self, type_: Set, count: int) -> bool:
        """Whether a set of this type may have no room for so many elements: it fails then, and is risky."""
        return self.universe_size(type_.element) is None and (type_.most or 0) < count

    def zero(self, type_: Type, name: str) -> str:
        """A declaration of `name` with all bits zero."""
        return f"{self.c_type(type_)} {name}; {self.routines.structures.cleared(type_, name)}"

    def made(self, type_: Type, name: str, statements: str, risky: bool = False) -> C:
        """The value of the variable `name` after the statements, which give it one."""
        return C.of(Made(f"{self.c_type(type_)} {name};", statements, name), type_, risky)

    def filled(self, type_: Type, name: str, statements: str, risky: bool = False) -> C:
        """The value of the variable `name`, all bits zero at first, after the statements."""
        return self.made(type_, name, f"{self.routines.structures.cleared(type_, name)} {statements}", risky)

    def started(self, value: C) -> tuple[Made, str]:
        """A variable of one's own with the value, which may be changed, and its name."""
        if value.made is not None and value.made.own:
            return value.made, value.made.place
        name = self.name()
        statements, held = ("", value) if value.made is None else (value.made.text, C(value.made.place, value.type))
        return Made(f"{self.c_type(value.type)} {name};", f"{statements} {name} = {held.code};", name), name

    def into(self, value: C, name: str) -> str:
        """Statements that give the variable `name`, which has no value yet, this one."""
        made = value.made
        if made is None:
            return f"{name} = {value.code};"
        if not made.own:
            return f"{{ {made.text} {name} = {made.place}; }}"
        return f"{{ {made.statements.replace(made.place, name)} }}"  # no name ends as another one does

    def either(self, condition: C, then: C, otherwise: C) -> C:
        """One of two values of one type."""
        risky = condition.risky or then.risky or otherwise.risky
        if then.made is None and otherwise.made is None:
            return C(f"({condition.code} ? {then.code} : {otherwise.code})", then.type, risky)
        name = self.name()
        first, second = self.into(then, name), self.into(otherwise, name)
        return self.made(then.type, name, f"if ({condition.code}) {{ {first} }} else {{ {second} }}", risky)

    def put(self, value: C, place: str) -> str:
        """Statements that put the value at `place`, a path."""
        statements, held = self.held(value) if value.made is not None else ("", value)
        return f"{statements} {place} = {held.code};"

    def behind(self, statements: str, value: C, type_: Type | None = None, risky: bool | None = None) -> C:
        """The value behind statements, which may declare what it speaks of."""
        type_, risky = value.type if type_ is None else type_, value.risky if risky is None else risky
        if value.made is not None:
            return C.of(value.made.behind(statements), type_, risky)
        if value.lvalue and not self.routines.structures.is_scalar(type_):
            asked = f" (void)({value.code});" if value.risky else ""
            return C.of(Made("", f"{statements}{asked}", value.code, False), type_, risky)
        return C(f"({{ {statements} {value.code}; }})", type_, risky)

    def part(self, whole: C, path: str, type_: Type) -> C:
        """The part of a structure at this path."""
        if whole.made is not None:
            part = C(f"{whole.made.place}{path}", type_, lvalue=True)
            return self.behind(whole.made.text, part, risky=whole.risky)
        return C(f"{bracketed(whole)}{path}", type_, whole.risky, whole.lvalue)

    def held(self, value: C) -> tuple[str, C]:
        """Statements that evaluate it, and an lvalue that holds the value. A name that may have none (a constant, what
        is passed on) is asked: what comes of the value may be known without it."""
        if value.lvalue:
            return f"(void)({value.code});" if value.risky else "", value
        if value.made is not None:
            return value.made.text, C(value.made.place, value.type, value.risky, True)
        name = self.name()
        return f"{self.c_type(value.type)} {name} = {value.code};", C(name, value.type, value.risky, True)

    def coerce(self, value: C, want: Type) -> C:
        """The value in the representation of `want`; checked at run time where the type does not show that it fits."""
        fits = includes(want, value.type)
        if fits and self.routines.structures.same(want, value.type):
            return value
        name = self.name()
        statements, convert = self.converted(value, want, name)
        check = f"(void){convert};"
        if not fits:
            check = f"if (!{convert}) {{ {self.widen()} {self.routines.structures.cleared(want, name)} }}"
        return self.structure(want, name, f"{statements} {check}", value.risky or not fits)

    def converted(self, value: C, want: Type, name: str) -> tuple[str, str]:
        """Statements, and a condition that puts the value as one of `want` into the variable `name`."""
        statements, place = "", value.code
        if not self.routines.structures.is_scalar(value.type):
            statements, held = self.held(value)
            place = held.code
        return statements, converting(self.routines, value.type, want, place, f"&{name}")

    def structure(self, type_: Type, name: str, statements: str, risky: bool) -> C:
        """As `filled`, also of what is no structure."""
        if self.routines.structures.is_scalar(type_):
            return C(f"({{ {self.zero(type_, name)} {statements} {name}; }})", type_, risky)
        return self.filled(type_, name, statements, risky)

    def to(self, value: C, want: Type) -> C:
        """`coerce`, with exactly the type `want`."""
        return replace(self.coerce(value, want), type=want)

    def refuse(self, e: core.Expression | core.Binder, construct: str) -> NotCompilable:
        at = e.at if isinstance(e, core.Node) else e.domain.at if e.domain is not None else None
        return NotCompilable(at, construct)

    def condition(self, e: core.Expression, env: Env) -> C:
        return self.boolean(e, self.compile(e, env))

    def boolean(self, e: core.Expression, value: C) -> C:
        """A value that decides something: an int in C. What is no Boolean fails, as in TLC."""
        value = self.only(e, value, Bool)
        if isinstance(value.type, Nothing):
            return C(f"(int)({value.code})", BOOL, value.risky)
        if not isinstance(value.type, Bool):
            raise self.refuse(e, "a condition that may be no Boolean")
        return value

    def alike(self, values: list[C]) -> list[C]:
        """The values in one type."""
        type_: Type = NOTHING
        for value in values:
            type_ = join(type_, value.type)
        type_ = self.settle(type_)
        return [self.to(value, type_) for value in values]

    def scope(self, env: Env) -> Scope:
        """The types of what is bound, for inference."""
        known: dict[core.Binding, Type | TypeClosure] = {}
        for binding, value in env.bindings.items():
            if isinstance(value, C):
                known[binding] = value.type
            elif isinstance(value, Named):
                known[binding] = value.value.type if value.value is not None else self.typed(value.body, value.env)
            elif isinstance(value, Recursion):
                known[binding] = function_of(value.key, value.value, False)
            else:
                operator = value.operator
                if isinstance(operator, core.Definition):  # of LET, passed by its name
                    operator = core.OperatorArgument(operator.at, operator, len(operator.parameters))
                known[binding] = TypeClosure(operator, self.scope(value.env))
        return Scope(known)

    def typed(self, e: core.Expression, env: Env) -> Type:
        """The type of `e`, found without generating code."""
        return self.typing.of(e, self.scope(env))

    @property
    def typing(self) -> Typing:
        if self._typing is None:
            self._typing = typing_of(dict(self.variables), self.landmarks, self.passed)
        return self._typing

    def after(self, dropped: C, kept: C) -> C:
        """`kept`; `dropped`, whose value is not needed, still fails where it cannot be evaluated."""
        if not dropped.risky:
            return kept
        return self.behind(f"(void)({dropped.code});", kept, risky=True)

    def truth(self, e: core.Expression, env: Env, initial: bool = False) -> bool | None:
        """The value of a condition that constants and types decide."""
        known = decided(self.typing, e, self.scope(env), initial or env.next)
        if known is None:
            return None
        try:
            return None if self.condition(e, env).risky else known
        except NotCompilable:  # it may have no value
            return None

    def softly(self, value: C) -> tuple[str, Kept]:
        """Statements that compute the value and keep its failure."""
        if value.kept is not None:
            return "", value.kept
        name = self.name()
        statements = f"{self.zero(value.type, name)} I {name}bad; {self.soft_statement(name, value)}"
        return statements, Kept(name, f"{name}bad")

    def soft_statement(self, name: str, value: C) -> str:
        """A statement that computes the value and keeps its failure."""
        return (
            f"{{ int soft_ = c->soft; I kept_ = c->kept; c->soft = 1; c->kept = 0; {self.into(value, name)} "
            f"{name}bad = c->kept; c->soft = soft_; c->kept = kept_; }}"
        )

    def computed_at_start(self, name: str, compute: str, risky: bool) -> str:
        """Statements for the start of a search, which keep the failure of a constant called `name` for whoever uses it.

        One of what is not `risky` would be looked at by nobody: it ends the search.
        """
        kept = f"c->soft = 1; c->kept = 0; c->depth = 0; {compute} {name}bad = c->kept; c->soft = 0;"
        return kept if risky else f"{kept} raise_(c, {name}bad);"

    def given(self, argument: C) -> tuple[str, C]:
        """Statements that compute an argument, and what stands for it: it fails where it is used, as in TLC."""
        if argument.lvalue:
            return "", argument
        if argument.risky:
            statements, kept = self.softly(argument)
            return statements, kept.value(argument.type)
        return self.held(argument)

    def only(self, e: core.Expression, value: C, *kinds: type[Type]) -> C:
        """The value as the one member of its union that is of these kinds; to be of another fails, as in TLC.

        What is never met, an element of a set or sequence that is always empty, is an empty set where one is wanted.
        """
        if isinstance(value.type, Nothing) and kinds == (Set,):
            return self.never(e, value, core.SetEnumeration(e.at, ()))
        if not isinstance(value.type, Union):
            return value
        found = [i for i, member in enumerate(value.type.members) if isinstance(member, kinds)]
        if len(found) != 1:
            return value
        statements, u = self.held(value)
        check = f"if ({u.code}.tag != {found[0]}) {{ {self.fail(e)} }}"
        member = value.type.members[found[0]]
        return self.behind(f"{statements} {check}", C(f"{u.code}.m{found[0]}", member, lvalue=True), risky=True)

    def never(self, e: core.Expression, value: C, as_if: core.Expression) -> C:
        """A value that is never met, as if it were another one."""
        return self.behind(f"(void)({value.code}); {self.fail(e)}", self.compile(as_if, Env()), risky=True)

    def number(self, e: core.Expression, env: Env) -> C:
        value = self.only(e, self.compile(e, env), Int)
        if not isinstance(value.type, Int | Nothing):
            raise self.refuse(e, "arithmetic on what may be no integer")
        return value

    def sequence(self, e: core.Expression, value: C) -> C:
        """The value as a sequence."""
        if isinstance(value.type, Nothing):
            value = self.never(e, value, core.TupleExpression(e.at, ()))
        type_ = value.type
        if isinstance(type_, Seq):
            return value
        if isinstance(type_, Tuple):
            element: Type = NOTHING
            for item in type_.items:
                element = join(element, item)
            return self.to(value, self.settle(Seq(element, len(type_.items), len(type_.items))))
        if isinstance(type_, Function) and isinstance(type_.key, Int) and type_.key.high is not None:
            target = self.settle(Seq(type_.value, 0, max(0, type_.key.high)))
            s = self.name()
            statements, convert = self.converted(value, target, s)
            return self.filled(target, s, f"{statements} if (!{convert}) {{ {self.fail(e)} }}", True)
        if isinstance(type_, Union):
            for i, member in enumerate(type_.members):
                if isinstance(member, Seq | Tuple):
                    statements, u = self.held(value)
                    inner = self.sequence(e, C(f"{u.code}.m{i}", member, lvalue=True))
                    check = f"if ({u.code}.tag != {i}) {{ {self.fail(e)} }}"
                    return self.behind(f"{statements} {check}", inner, risky=True)
        raise self.refuse(e, "a sequence operator on what may be no sequence")

    def checked(self, e: core.Expression, value: C, want: Type) -> C:
        """The value as one of `want`; a failure of evaluation where it is none."""
        name = self.name()
        statements, convert = self.converted(value, want, name)
        test = f"if (!{convert}) {{ {self.fail(e)} {self.routines.structures.cleared(want, name)} }}"
        return self.structure(want, name, f"{statements} {test}", True)

    def failing(self, e: core.Expression, type_: Type) -> C:
        """An expression that always fails."""
        return C(f"({{ {self.fail(e)} (I)0; }})", type_, True)

    def named(self, meaning: Named, env: Env, want: Type | None) -> C:
        if meaning.value is not None and meaning.env.same_state(env):
            return meaning.value
        return self.compile(meaning.body, env.inside(meaning.env), want)
