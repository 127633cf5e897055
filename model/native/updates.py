"""EXCEPT: parts of values changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.types import operators
from rmqproof.model.types.domain import (
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Tuple,
    Type,
    Union,
    includes,
    join,
    kind,
    parts_of,
)

from .context import Context
from .maps import finding
from .questions import known_value, may_clash
from .ranks import rank_within
from .representation import is_map
from .terms import C, Change, Env


def updated(
    x: Context, e: core.Except, env: Env, want: Type | None, changes: Sequence[Change] = (), exactly: bool = False
) -> C:
    """`changes`: names, declared outside, for what each update changes; the result has them where they are set.

    `exactly`: the result is to be of the type `want` in the end, so that what does not fit may be reported at once.
    """
    result = x.compile(e.function, env, want)
    for i, update in enumerate(e.updates):
        target = _target(x, result, update, env, want, exactly)
        start = x.to(result, target)
        made, t = x.started(start)
        risks: list[bool] = []
        one = _Update(x, e, update, env, risks)
        if changes and target == want and isinstance(target, Function) and target.total:
            origin = start.code if i == 0 and start.lvalue else t
            part = C(t, target, lvalue=True, changes=(changes[i],))
            code = one.at(part, update.path, origin)
        else:
            changes = ()
            code = one.at(C(t, target, lvalue=True), update.path)
        made = replace(made, statements=f"{made.statements} {code}")
        result = C.of(made, target, start.risky or result.risky or any(risks))
    return replace(result, changes=tuple(changes))


def _target(x: Context, before: C, update: core.Update, env: Env, want: Type | None, exactly: bool) -> Type:
    """The type of a value that is changed. It is converted before that, so the type takes it before and after."""
    if exactly and want is not None and not isinstance(want, Union) and kind(want) == kind(before.type):
        return want
    natural = x.settle(join(before.type, _updated_type(x, before.type, update.path, update, env)))
    return want if want is not None and includes(want, natural) and kind(want) == kind(natural) else natural


def _updated_type(x: Context, target: Type, path: tuple[core.Expression, ...], update: core.Update, env: Env) -> Type:
    if not path:
        held = C("0", target, lvalue=True)
        return x.compile(update.value, env.bind({update.old: held}), target).type
    argument = x.compile(path[0], env).type
    literal = known_value(path[0], argument)
    return operators.update(target, argument, literal, lambda old: _updated_type(x, old, path[1:], update, env))


@dataclass(frozen=True, slots=True)
class _Update:
    """One update of an EXCEPT; `risks`: whether what it computes can fail, as far as it is written."""

    x: Context
    e: core.Except
    update: core.Update
    env: Env
    risks: list[bool]

    def at(self, part: C, path: Sequence[core.Expression], origin: str = "") -> str:
        """Statements that change what lies at `path` of `part`, whose type already takes the new value.

        With a name for the change in `part` it is noted there, too; `origin` is what the old element is read from.
        """
        if not path:
            return self._replace(part)
        x, type_ = self.x, part.type
        argument = x.compile(path[0], self.env)
        self.risks.append(argument.risky)
        if isinstance(type_, Seq | Tuple) and isinstance(argument.type, Union):
            number = next((m for m in argument.type.members if isinstance(m, Int)), None)
            if number is not None:  # a value of another kind is outside the domain, and changes nothing
                k = x.name("k")
                given, convert = x.converted(argument, number, k)
                inner = self._by(part, path, C(k, number, lvalue=True), origin)
                return f"{{ {given} {x.zero(number, k)} if ({convert}) {{ {inner} }} }}"
        return self._by(part, path, argument, origin)

    def _by(self, part: C, path: Sequence[core.Expression], argument: C, origin: str) -> str:
        """The same, with the argument that is first in `path`."""
        x, type_ = self.x, part.type
        literal, rest = known_value(path[0], argument.type), path[1:]
        # where its type has one value it may have none all the same
        looked_at = f"{{ (void)({argument.code}); " if argument.risky else "{ "
        match type_:
            case Record() if isinstance(literal, str):
                inner = self._item(part, type_.names.index(literal), rest) if literal in type_.names else ";"
                return f"{looked_at}{inner} }}"
            case Tuple() if isinstance(literal, int):
                inner = self._item(part, literal - 1, rest) if 1 <= literal <= len(type_.items) else ";"
                return f"{looked_at}{inner} }}"
            case Tuple() if isinstance(argument.type, Int):
                at = x.name("i")
                items = [self._item(part, i, rest) for i in range(len(type_.items))]
                cases = "".join(f"case {i + 1}: {{ {inner} }} break; " for i, inner in enumerate(items))
                return f"{{ I {at} = {argument.code}; switch ({at}) {{ {cases} }} }}"
            case Union() if any(isinstance(m, Record | Tuple | Seq | Function) for m in type_.members):
                cases = ""
                for i, member in enumerate(type_.members):
                    if isinstance(member, Record | Tuple | Seq | Function):
                        inner = self.at(C(f"{part.code}.m{i}", member, lvalue=True), path)
                    else:  # of what is no function nothing can be changed
                        inner = x.fail(self.e)
                        self.risks.append(True)
                    cases += f"case {i}: {{ {inner} }} break; "
                return f"switch ({part.code}.tag) {{ {cases} }}"
            case Seq() if type_.most == 0:
                return f"(void)({argument.code});"
            case Seq() if isinstance(argument.type, Int):
                at = x.name("i")
                inner = self.at(C(f"{part.code}.a[{at} - 1]", type_.element, lvalue=True), rest)
                return f"{{ I {at} = {argument.code}; if ({at} >= 1 && {at} <= {part.code}.n) {{ {inner} }} }}"
            case Function():
                return self._value(part, type_, argument, rest, origin)
            case Nothing():
                return x.fail(self.e)  # there is no value to be changed: this is not reached
        raise x.refuse(self.e, "EXCEPT on a value of several kinds")

    def _replace(self, part: C) -> str:
        x = self.x
        old = x.name("old")
        bound = self.env.bind({self.update.old: C(old, part.type, lvalue=True)})
        new = x.fitted(self.update.value, bound, part.type)
        self.risks.append(new.risky)
        return f"{{ {x.c_type(part.type)} {old} = {part.code}; (void){old}; {x.put(new, part.code)} }}"

    def _item(self, part: C, i: int, path: Sequence[core.Expression]) -> str:
        """The part with this number of a record or tuple."""
        assert isinstance(part.type, Record | Tuple)
        return self.at(C(f"{part.code}.f{i}", parts_of(part.type)[i], lvalue=True), path)

    def _value(self, part: C, type_: Function, argument: C, path: Sequence[core.Expression], origin: str) -> str:
        """A function's value at the argument."""
        x = self.x
        k, r = x.name("k"), x.name("r")
        if isinstance(type_.key, Nothing) or may_clash(argument.type, type_.key):
            raise x.refuse(self.e, "EXCEPT at an argument of another kind")
        given, convert = x.converted(argument, type_.key, k)
        if is_map(type_):
            inner = self.at(C(f"{part.code}.a[{r}].f1", type_.value, lvalue=True), path)
            return (
                f"{{ {given} {x.zero(type_.key, k)} if ({convert}) {{ "
                f"I {r} = {finding(x.routines, type_)}(&{part.code}, &{k}); if ({r} >= 0) {{ {inner} }} }} }}"
            )
        rank = rank_within(x.routines, type_.key, k, argument.risky)
        item = C(f"{part.code}.a[{r}]", type_.value, lvalue=True)
        if part.changes:
            change = part.changes[0]
            inner = self.at(C(change.value, type_.value, lvalue=True), path)
            inner = f"{change.value} = {origin}.a[{r}]; {inner} {item.code} = {change.value}; {change.rank} = {r};"
        else:
            inner = self.at(item, path)
        present = "" if type_.total else f"if ({part.code}.w[{r} >> 6] >> ({r} & 63) & 1)"
        return f"{{ {given} {x.zero(type_.key, k)} if ({convert}) {{ I {r} = {rank}; {present} {{ {inner} }} }} }}"
