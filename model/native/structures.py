"""Records, tuples, and EXCEPT."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rmqproof.model.tla import core
from rmqproof.model.types import operators
from rmqproof.model.types.domain import (
    EMPTY_SEQUENCE,
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
    members_of,
)

from .functions import FunctionWriter
from .questions import (
    comparable,
    known_value,
    narrower,
)
from .terms import C, Change, Env


class StructureWriter(FunctionWriter):
    """Builds records and tuples, and changes parts of values."""

    __slots__ = ()

    def record(self, e: core.Record, env: Env, want: Type | None) -> C:
        names = tuple(sorted(name for name, _ in e.fields))
        wanted = (
            next((m for m in members_of(want) if isinstance(m, Record) and m.names == names), None) if want else None
        )
        values = {n: self.compile(v, env, wanted.field(n) if wanted else None) for n, v in e.fields}
        fields = []
        for name in names:
            natural = values[name].type
            target = wanted.field(name) if wanted is not None else None
            fields.append((name, target if target is not None and includes(target, natural) else natural))
        # Enumerations and ranges stay as narrow as they are: only the representation follows what is wanted.
        type_ = Record(tuple((n, narrower(t, values[n].type, self.structures)) for n, t in fields))
        r = self.name()
        sets = " ".join(f"{r}.f{i} = {self.to(values[n], t).code};" for i, (n, t) in enumerate(type_.fields))
        risky = any(v.risky for v in values.values())
        return C(f"({{ {self.c_type(type_)} {r}; {sets} {r}; }})", type_, risky)

    def row(self, e: core.TupleExpression, env: Env, want: Type | None) -> C:
        if not e.items:
            s = self.name()
            return C(f"({{ {self.zero(EMPTY_SEQUENCE, s)} {s}; }})", EMPTY_SEQUENCE)
        wants: list[Type | None] = [None] * len(e.items)
        for member in members_of(want) if want is not None else ():
            if isinstance(member, Tuple) and len(member.items) == len(e.items):
                wants = list(member.items)
            elif isinstance(member, Seq):
                wants = [member.element] * len(e.items)
        values = [self.compile(item, env, w) for item, w in zip(e.items, wants, strict=True)]
        type_ = Tuple(tuple(v.type for v in values))
        t = self.name()
        sets = " ".join(f"{t}.f{i} = {v.code};" for i, v in enumerate(values))
        return C(f"({{ {self.c_type(type_)} {t}; {sets} {t}; }})", type_, any(v.risky for v in values))

    def updated(self, e: core.Except, env: Env, want: Type | None, changes: Sequence[Change] = ()) -> C:
        """`changes`: names, declared outside, for what each update changes; the result has them where they are set."""
        result = self.compile(e.function, env, want)
        for i, update in enumerate(e.updates):
            # The old value is converted before it is changed, so the type must take both.
            natural = self.settle(join(result.type, self._updated_type(result.type, update.path, update, env)))
            target = want if want is not None and includes(want, natural) and kind(want) == kind(natural) else natural
            start = self.to(result, target)
            t = self.name()
            risks: list[bool] = []
            if changes and target == want and isinstance(target, Function) and target.total:
                origin = start.code if i == 0 and start.place else t
                place = C(t, target, place=True, changes=(changes[i],))
                code = self._update(e, place, list(update.path), update, env, risks, origin)
            else:
                changes = ()
                code = self._update(e, C(t, target, place=True), list(update.path), update, env, risks)
            result = C(
                f"({{ {self.c_type(target)} {t} = {start.code}; {code} {t}; }})",
                target,
                start.risky or result.risky or any(risks),
            )
        return replace(result, changes=tuple(changes))

    def _updated_type(self, target: Type, path: tuple[core.Expression, ...], update: core.Update, env: Env) -> Type:
        if not path:
            held = C("0", target, place=True)
            return self.compile(update.value, env.bind({update.old: held}), target).type
        argument = self.compile(path[0], env).type
        literal = known_value(path[0], argument)
        return operators.update(target, argument, literal, lambda old: self._updated_type(old, path[1:], update, env))

    def _update(
        self,
        e: core.Except,
        place: C,
        path: list[core.Expression],
        update: core.Update,
        env: Env,
        risks: list[bool],
        origin: str = "",
    ) -> str:
        """Statements that change `place`, whose type already takes the new value.

        With a name for the change in `place` it is noted there, too; `origin` is what the old element is read from.
        """
        if not path:
            old = self.name("old")
            value = self.compile(update.value, env.bind({update.old: C(old, place.type, place=True)}), place.type)
            risks.append(value.risky)
            new = self.to(value, place.type)
            return f"{{ {self.c_type(place.type)} {old} = {place.code}; (void){old}; {place.code} = {new.code}; }}"
        argument = self.compile(path[0], env)
        type_ = place.type
        if isinstance(type_, Seq | Tuple) and isinstance(argument.type, Union):
            number = next((m for m in argument.type.members if isinstance(m, Int)), None)
            if number is not None:
                argument = self._checked(e, argument, number)
        risks.append(argument.risky)
        literal = known_value(path[0], argument.type)
        match type_:
            case Record() if isinstance(literal, str):
                if literal not in type_.names:
                    return ";"
                i = type_.names.index(literal)
                return self._update(
                    e, C(f"{place.code}.f{i}", type_.fields[i][1], place=True), path[1:], update, env, risks
                )
            case Tuple() if isinstance(literal, int):
                if not 1 <= literal <= len(type_.items):
                    return ";"
                item = C(f"{place.code}.f{literal - 1}", type_.items[literal - 1], place=True)
                return self._update(e, item, path[1:], update, env, risks)
            case Tuple() if isinstance(argument.type, Int):
                at = self.name("i")
                cases = ""
                for i, item_type in enumerate(type_.items):
                    inner = self._update(
                        e, C(f"{place.code}.f{i}", item_type, place=True), path[1:], update, env, risks
                    )
                    cases += f"case {i + 1}: {{ {inner} }} break; "
                return f"{{ I {at} = {argument.code}; switch ({at}) {{ {cases} }} }}"
            case Union() if all(isinstance(m, Record | Tuple | Seq | Function) for m in type_.members):
                cases = ""
                for i, member in enumerate(type_.members):
                    inner = self._update(e, C(f"{place.code}.m{i}", member, place=True), path, update, env, risks)
                    cases += f"case {i}: {{ {inner} }} break; "
                return f"switch ({place.code}.tag) {{ {cases} }}"
            case Seq() if type_.most == 0:
                return f"(void)({argument.code});"
            case Seq() if isinstance(argument.type, Int):
                if type_.most == 0:
                    return ";"
                at = self.name("i")
                item = C(f"{place.code}.a[{at} - 1]", type_.element, place=True)
                inner = self._update(e, item, path[1:], update, env, risks)
                return f"{{ I {at} = {argument.code}; if ({at} >= 1 && {at} <= {place.code}.n) {{ {inner} }} }}"
            case Function():
                k, r = self.name("k"), self.name("r")
                if isinstance(type_.key, Nothing) or not comparable(argument.type, type_.key):
                    raise self.refuse(e, "EXCEPT at an argument of another kind")
                convert = self.conversions.convert(argument.type, type_.key)
                rank = self.conversions.rank(type_.key, k)
                item = C(f"{place.code}.a[{r}]", type_.value, place=True)
                if place.changes:
                    change = place.changes[0]
                    inner = self._update(e, C(change.value, type_.value, place=True), path[1:], update, env, risks)
                    inner = (
                        f"{change.value} = {origin}.a[{r}]; {inner} {item.code} = {change.value}; {change.rank} = {r};"
                    )
                else:
                    inner = self._update(e, item, path[1:], update, env, risks)
                present = "" if type_.total else f"if ({place.code}.w[{r} >> 6] >> ({r} & 63) & 1)"
                return (
                    f"{{ {self.zero(type_.key, k)} if ({convert}(c, {argument.code}, &{k})) {{ I {r} = {rank}; "
                    f"{present} {{ {inner} }} }} }}"
                )
        raise self.refuse(e, "EXCEPT on a value of several kinds")
