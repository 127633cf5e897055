"""What expressions depend on: variables, primed variables, bindings around them, the outside world."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.asking import DRAWING, WRITING
from rmqproof.model.tla.by_name import ByName
from rmqproof.model.tla.walk import bound_names, children, with_definitions

_NONE: frozenset[int] = frozenset()
_NO_BINDINGS: frozenset[core.Binding] = frozenset()
_NO_DEFINITIONS: frozenset[core.Definition] = frozenset()

_IMPURE_MODULES = frozenset({"IOUtils", "CSV", "TLCExt"})
_PURE = frozenset(
    {
        "IOUtils!IOEnv",
        "IOUtils!atoi",
        "IOUtils!Deserialize",
        "IOUtils!IODeserialize",
        "TLCExt!TLCModelValue",
        "TLCExt!TLCFP",
    }
)
"""Operators of those modules all the same: the environment stays as it is, and so does a file that is read, unless the
specification writes files."""
_READING = frozenset({"Json!JsonDeserialize", "Json!ndJsonDeserialize", "IOUtils!Deserialize", "IOUtils!IODeserialize"})
_PRINTING = frozenset({"TLC!Print", "TLC!PrintT"})
_IMPURE = WRITING | {f"TLC!{name}" for name in ("TLCGet", "TLCSet", "JavaTime", "Assert")}


@dataclass(frozen=True, slots=True)
class Facts:
    """`reads` and `primed` are indices of variables; `free` the bindings that an expression needs around it;
    `zero` the definitions without parameters it leads to; `draws`: it draws at random; `prints`: it prints
    something; `rereads`: it reads a file that may have been written since it was read last; `outside`: it asks or
    tells the search or the world something else."""

    reads: frozenset[int] = _NONE
    primed: frozenset[int] = _NONE
    free: frozenset[core.Binding] = _NO_BINDINGS
    zero: frozenset[core.Definition] = _NO_DEFINITIONS
    draws: bool = False
    prints: bool = False
    rereads: bool = False
    outside: bool = False
    size: int = 1

    @property
    def impure(self) -> bool:
        return self.draws or self.prints or self.rereads or self.outside

    @property
    def constant(self) -> bool:
        return not (self.reads or self.primed or self.free or self.impure)

    @property
    def computed_once(self) -> Facts:
        """The facts of what is computed once and named."""
        return replace(self, draws=False, prints=False, rereads=False)

    def __or__(self, other: Facts) -> Facts:
        return Facts(
            self.reads | other.reads,
            self.primed | other.primed,
            self.free | other.free,
            self.zero | other.zero,
            self.draws or other.draws,
            self.prints or other.prints,
            self.rereads or other.rereads,
            self.outside or other.outside,
            min(self.size + other.size, 1_000_000),
        )

    def without(self, bound: Iterable[core.Binding]) -> Facts:
        bound = frozenset(bound)
        if not bound & self.free:
            return self
        return replace(self, free=self.free - bound)


EMPTY = Facts(size=0)


class Analysis:
    """Facts of the expressions and definitions of one specification, computed once each."""

    def __init__(self, writes_files: Callable[[], bool] = lambda: False) -> None:
        """`writes_files`: whether the specification does; it is asked when a file is read."""
        self._writes_files = cache(writes_files)
        self._nodes: dict[int, tuple[core.Expression, Facts]] = {}
        self._definitions: dict[core.Definition, Facts] = {}
        self._by_name = ByName()
        self._loops: dict[int, tuple[core.Expression, bool]] = {}
        self._pending: set[core.Definition] = set()
        self._cut: set[core.Definition] = set()
        """Recursive definitions whose facts are still being computed and were used as far as they are known: nothing is
        kept now."""

    def of(self, node: core.Expression) -> Facts:
        """What evaluating the node depends on."""
        known = self._nodes.get(id(node))
        if known is not None:
            return known[1]
        facts = self._compute(node)
        if not self._cut:
            self._nodes[id(node)] = (node, facts)
        return facts

    def of_definition(self, definition: core.Definition) -> Facts:
        """What the body depends on, the parameters aside."""
        known = self._definitions.get(definition)
        if known is not None:
            return known
        if definition in self._pending:
            self._cut.add(definition)
            return EMPTY
        self._pending.add(definition)
        facts = self.of(definition.body).without(definition.parameters)
        if definition.recursive:
            facts = replace(facts, size=1_000_000)
        self._pending.discard(definition)
        self._cut.discard(definition)
        if not self._cut:
            self._definitions[definition] = facts
        return facts

    def loops(self, node: core.Expression) -> bool:
        """Whether evaluating the node goes through a set, so that its value is worth keeping."""
        known = self._loops.get(id(node))
        if known is None:
            self._loops[id(node)] = (node, False)  # for recursive definitions, which count as loops by themselves
            known = self._loops[id(node)] = (node, self._goes_through(node))
        return known[1]

    def _goes_through(self, node: core.Expression) -> bool:
        if isinstance(node, (core.Quantified, core.FunctionConstructor, core.SetMap, core.SetFilter, core.Choose)):
            return True
        if isinstance(node, core.Builtin) and node.operator in ("UNION", "ENABLED"):
            return True
        if isinstance(node, core.Call) and (node.definition.recursive or self.loops(node.definition.body)):
            return True
        return any(map(self.loops, with_definitions(node)))

    def by_name_parameters(self, definition: core.Definition) -> frozenset[int]:
        """The positions of the parameters that have to be passed as expressions."""
        return self._by_name.parameters(definition)

    def names_by_name(self, node: core.Expression) -> frozenset[core.Binding]:
        """The names around the node that it needs as expressions."""
        return self._by_name.names(node)

    def _compute(self, node: core.Expression) -> Facts:
        if isinstance(node, core.VariableReference):
            return Facts(reads=frozenset({node.variable.index}))
        if isinstance(node, core.Reference):
            return Facts(free=frozenset({node.binding}))
        facts = Facts()
        for child in children(node):
            facts |= self.of(child)
        facts = facts.without(bound_names(node))
        match node:
            case core.Builtin(operator="ENABLED", stands_for=instance) if instance is not None:
                # what stands for the instance's variables is computed now, also where the action only primes it
                return replace(facts, reads=facts.reads | facts.primed, primed=_NONE)
            case core.Builtin(operator=operator):
                return self._builtin(operator, facts)
            case core.BoxAction() | core.AngleAction():
                return replace(facts, primed=facts.primed | self.of(node.subscript).reads)
            case core.Fairness():
                return replace(facts, primed=_NONE)
            case core.Call():
                return self._call(node, facts)
            case core.CallParameter():
                return replace(facts, free=facts.free | {node.binding})
            case core.OperatorArgument(target=target):
                if isinstance(target, core.Definition):
                    return facts | self.of_definition(target)
                return replace(facts, free=facts.free | {target})
        return facts

    def _builtin(self, operator: str, facts: Facts) -> Facts:
        if operator == "'":
            return replace(facts, reads=_NONE, primed=facts.reads | facts.primed)
        if operator == "UNCHANGED":
            return replace(facts, primed=facts.reads | facts.primed)
        if operator == "ENABLED":
            return replace(facts, primed=_NONE)
        if operator not in _PURE and (operator in _IMPURE or operator.partition("!")[0] in _IMPURE_MODULES):
            return replace(facts, outside=True)
        if operator in _PRINTING:
            return replace(facts, prints=True)
        if operator in DRAWING:
            return replace(facts, draws=True)
        if operator in _READING and self._writes_files():
            return replace(facts, rereads=True)
        return facts

    def _call(self, node: core.Call, facts: Facts) -> Facts:
        definition = node.definition
        inside = self.of_definition(definition)
        if not definition.parameters:
            if not definition.local and inside.computed_once.constant:  # it draws, prints and reads once, as in TLC
                inside = inside.computed_once
            facts |= inside
            return replace(facts, zero=facts.zero | {definition})
        facts |= inside
        for position in self.by_name_parameters(definition):
            facts = replace(facts, primed=facts.primed | self.of(node.arguments[position]).reads)
        return facts
