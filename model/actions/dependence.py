"""What the value of an expression depends on, and what becomes another where it takes the place of an old value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from rmqproof.model.tla import core
from rmqproof.model.tla.walk import bound_names, children

from .access_paths import ANY, AccessPath, Key, Known, Names, Passed, Resolver, Unknown, Whose, may_equal, put
from .facts import Analysis


@dataclass(frozen=True, slots=True)
class Write:
    """What is there gets a value that depends on these."""

    access: AccessPath
    reads: frozenset[AccessPath]

    def with_keys(self, keys: Mapping[Key, Key]) -> Write:
        def other(key: Key) -> Key:
            return keys.get(key, key)

        return Write(put(self.access, other), frozenset(put(access, other) for access in self.reads))


@dataclass(frozen=True, slots=True)
class _Way:
    """A way in which a condition holds: for these keys of those that are looked into, and what decides it."""

    keys: Mapping[Key, Key]
    reads: frozenset[AccessPath]


@dataclass(slots=True)
class Dependence:
    variables: Sequence[str]
    names: Resolver = field(default_factory=Resolver)
    analysis: Analysis = field(default_factory=Analysis)
    _known: dict[tuple[int, int, tuple[Key, ...]], tuple[core.Expression, Names, frozenset[AccessPath]]] = field(
        default_factory=dict
    )
    """What was found before; the expression and the names are kept, so that their numbers stay theirs."""
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def chosen(self, binders: Iterable[core.Binder], names: Names) -> tuple[Names, frozenset[AccessPath]]:
        """With names for the elements of these sets, and what the sets depend on."""
        bound: dict[core.Binding, Key | Passed] = {}
        reads: frozenset[AccessPath] = frozenset()
        for binder in binders:
            element: Key = ANY
            if binder.domain is not None:
                reads |= self.reads(binder.domain, names)
                only = self.names.listed(binder.domain, names)
                if only is not None and len(only) == 1 and not binder.is_tuple:
                    (element,) = only
            bound.update(dict.fromkeys(binder.bindings, element))
        return names.bind(bound), reads

    # --- reads -------------------------------------------------------------------------------------------------------

    def reads(self, e: core.Expression, names: Names, path: tuple[Key, ...] = ()) -> frozenset[AccessPath]:
        """What the value of an expression depends on, or the part of it at a path."""
        known = self._known.get((id(e), id(names), path))
        if known is None:
            known = self._known[id(e), id(names), path] = (e, names, self._find_reads(e, names, path))
        return known[2]

    def _find_reads(self, e: core.Expression, names: Names, path: tuple[Key, ...]) -> frozenset[AccessPath]:
        found = self.names.opened(e, names)
        if not isinstance(found, Passed):
            return self._of_key(found.at(*path) if isinstance(found, AccessPath) else found)
        if found.expression is not e or found.names is not names:
            return self.reads(found.expression, found.names, path)
        match e:
            case core.VariableReference():
                return self._of_key(AccessPath(e.variable.name, path))
            case core.FunctionApplication():
                key = self.names.key(e.argument, names)
                return self.reads(e.argument, names) | self.reads(e.function, names, (key, *path))
            case core.FieldAccess():
                return self.reads(e.record, names, (Known(e.field), *path))
            case core.Record(fields=fields) if path and isinstance(path[0], Known):
                values = dict(fields)
                if path[0].value in values:
                    return self.reads(values[str(path[0].value)], names, path[1:])
            case core.If():
                parts = [self.reads(branch, names, path) for branch in (e.then, e.otherwise)]
                return self.reads(e.condition, names).union(*parts)
            case core.Case(arms=arms, other=other):
                parts = [self.reads(body, names, path) for _, body in arms]
                parts += [self.reads(condition, names) for condition, _ in arms]
                return frozenset().union(*parts, self.reads(other, names, path) if other is not None else ())
            case core.Except() if path:
                return self._of_except(e, names, path)
            case core.FunctionConstructor(binders=(binder,), recursion=None) if path and not binder.is_tuple:
                inner, more = self.chosen(e.binders, names)
                return more | self.reads(e.body, inner.bind({binder.bindings[0]: path[0]}), path[1:])
            case core.Call() | core.CallParameter():
                whole = self.analysis.of(e).reads
                parts = [self.reads(argument, names) for argument in e.arguments]
                if isinstance(e, core.CallParameter):
                    return frozenset(map(AccessPath, self.variables))
                return frozenset(AccessPath(self.variables[index]) for index in whole).union(*parts)
            case core.Lambda() | core.OperatorArgument():
                return frozenset()  # met where it is called
            case core.Builtin(operator="/\\" | "\\/") if self.names.decided(e, names) is not None:
                return frozenset()
            case core.Builtin(operator="/\\" | "\\/", arguments=parts):
                open_parts = [part for part in parts if self.names.decided(part, names) is None]
                return frozenset().union(*(self.reads(part, names) for part in open_parts))
        return self._of_parts(e, names)

    def _of_key(self, key: Key) -> frozenset[AccessPath]:
        """A part of the state, and what the keys on the way to it depend on."""
        match key:
            case AccessPath():
                return frozenset([key]).union(*map(self._of_key, key.path))
            case Whose():
                return self._of_key(key.value)
        return frozenset()

    def _of_except(self, e: core.Except, names: Names, path: tuple[Key, ...]) -> frozenset[AccessPath]:
        found = self.reads(e.function, names, path)
        for update in e.updates:
            keys = [self.names.key(part, names) for part in update.path]
            for part in update.path:
                found |= self.reads(part, names)
            if all(map(may_equal, keys, path)):
                found |= self.reads(update.value, self._with_old(e, update, names), path[len(keys) :])
        return found

    def _of_parts(self, e: core.Expression, names: Names) -> frozenset[AccessPath]:
        found: frozenset[AccessPath] = frozenset()
        match e:
            case core.Quantified() | core.SetMap() | core.FunctionConstructor():
                inner, found = self.chosen(e.binders, names)
                return found | self.reads(e.body, inner)
            case core.Choose() | core.SetFilter():
                inner, found = self.chosen((e.binder,), names)
                return found | self.reads(e.body, inner)
            case core.Except():
                found = self.reads(e.function, names)
                for update in e.updates:
                    found = found.union(*(self.reads(part, names) for part in update.path))
                    found |= self.reads(update.value, self._with_old(e, update, names))
                return found
        inner = names.bind(dict.fromkeys(bound_names(e), ANY))
        return found.union(*(self.reads(part, inner) for part in children(e)))

    def _with_old(self, e: core.Except, update: core.Update, names: Names) -> Names:
        """With what `@` stands for."""
        old = e.function
        for part in update.path:
            field_name = part.value if isinstance(part, core.Literal) and isinstance(part.value, str) else None
            old = (
                core.FunctionApplication(e.at, old, part)
                if field_name is None
                else core.FieldAccess(e.at, old, field_name)
            )
        return names.bind({update.old: Passed(old, names)})

    # --- writes ------------------------------------------------------------------------------------------------------

    def writes(self, e: core.Expression, names: Names, base: AccessPath) -> list[Write]:
        """What becomes another where the value of an expression takes the place of what stands at `base`."""
        if self.names.access(e, names) == base:
            return []
        found = self.names.opened(e, names)
        if isinstance(found, Passed):
            e, names = found.expression, found.names
            match e:
                case core.If():
                    arms = ((e.condition, e.then),)
                    return self._of_arms(arms, e.otherwise, names, base)
                case core.Case():
                    return self._of_arms(e.arms, e.other, names, base)
                case core.Except():
                    inner = self.writes(e.function, names, base)
                    if not any(write.access == base for write in inner):
                        return inner + self._of_updates(e, names, base)
                case core.FunctionConstructor(binders=(binder,), recursion=None) if not binder.is_tuple:
                    each = Unknown(next(self._numbers))
                    bound = names.bind({binder.bindings[0]: each})
                    found_inside = self.writes(e.body, bound, base.at(each))
                    reads = self.reads(binder.domain, names) if binder.domain is not None else frozenset()
                    return [Write(write.access, write.reads | reads).with_keys({each: ANY}) for write in found_inside]
        return [Write(base, self.reads(e, names))]

    def _of_updates(self, e: core.Except, names: Names, base: AccessPath) -> list[Write]:
        found = []
        for update in e.updates:
            keys = [self.names.key(part, names) for part in update.path]
            reads = frozenset().union(*(self.reads(part, names) for part in update.path))
            inside = self.writes(update.value, self._with_old(e, update, names), base.at(*keys))
            found += [Write(write.access, write.reads | reads) for write in inside]
        return found

    def _of_arms(
        self,
        arms: Sequence[tuple[core.Expression, core.Expression]],
        otherwise: core.Expression | None,
        names: Names,
        base: AccessPath,
    ) -> list[Write]:
        """The branches that change something, each for the keys for which its condition can hold."""
        found: list[Write] = []
        before: frozenset[AccessPath] = frozenset()
        for condition, body in arms:
            inside = self.writes(body, names, base)
            for way in self._where(condition, names) if inside else ():
                found += [Write(w.access, w.reads | before | way.reads).with_keys(way.keys) for w in inside]
            before |= self.reads(condition, names)
        if otherwise is not None:
            found += [Write(w.access, w.reads | before) for w in self.writes(otherwise, names, base)]
        return found

    def _where(self, e: core.Expression, names: Names) -> list[_Way]:
        """How a condition can hold, and for which keys of those that are looked into."""
        if self.names.decided(e, names) is False:
            return []
        found = self.names.opened(e, names)
        if isinstance(found, Passed):
            e, names = found.expression, found.names
            match e:
                case core.Builtin(operator="\\/", arguments=parts):
                    return [way for part in parts for way in self._where(part, names)]
                case core.Builtin(operator="/\\", arguments=parts):
                    reads = self.reads(e, names)
                    narrow = [way for part in parts for way in self._only(self._where(part, names))]
                    return [_Way(narrow[0].keys if narrow else {}, reads)]
                case core.Builtin(operator="=", arguments=(one, other)):
                    return [
                        _Way(_equal(self.names.key(one, names), self.names.key(other, names)), self.reads(e, names))
                    ]
                case core.Builtin(operator="\\in", arguments=(one, other)):
                    elements = self.names.listed(other, names)
                    if elements is not None:
                        reads = self.reads(e, names)
                        return [_Way(_equal(self.names.key(one, names), element), reads) for element in elements]
        return [_Way({}, self.reads(e, names))]

    def _only(self, ways: Sequence[_Way]) -> list[_Way]:
        return [way for way in ways if way.keys and len(ways) == 1]


def _equal(one: Key, other: Key) -> dict[Key, Key]:
    for mine, its in ((one, other), (other, one)):
        match mine:
            case Unknown(number=number) if number:
                return {mine: its}
            case AccessPath(variable=variable, path=(Unknown(number=number) as key,)) if number:
                return {key: Whose(variable, its)}
    return {}
