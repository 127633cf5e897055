"""What candidates are made of, read by the front end: a module with a definition for each atom."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rmqproof.model.infer.grammar import Atom, Name
from rmqproof.model.tla import core
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError

MODULE = "InferredWords"
_ATOM, _SORT, _HINT = "InferAtom", "InferSort", "InferHint"
_PATIENCE = 200
"""So many atoms that cannot be read are left out."""


@dataclass(frozen=True, slots=True)
class Clause:
    """`\\A names : some literal holds`. A literal is twice the number of its atom; one more: it is affirmed."""

    names: tuple[Name, ...]
    literals: frozenset[int]


@dataclass(eq=False)
class Vocabulary:
    """`model` is that of the specification with a definition for every atom, sort and hint."""

    model: core.Model
    atoms: tuple[Atom, ...]
    names: tuple[Name, ...]
    hints: tuple[core.Definition, ...] = ()
    without_value: set[int] = field(default_factory=set)
    """Atoms that have no value in some state."""
    _formulas: dict[Clause, core.Expression] = field(default_factory=dict)

    def __post_init__(self) -> None:
        definitions = self.model.specification.definitions
        self._definitions = [definitions[f"{_ATOM}{i}"] for i in range(len(self.atoms))]
        sorts = list(dict.fromkeys(name.sort for name in self.names))
        self._domains = {sort.text: definitions[f"{_SORT}{i}"].body for i, sort in enumerate(sorts)}
        self.at = self.model.specification.variables[0].at

    def over(self, names: Sequence[Name], level: int) -> list[int]:
        """The atoms that speak of none but these names, up to this level."""
        allowed = frozenset(names)
        return [
            i
            for i, atom in enumerate(self.atoms)
            if atom.uses <= allowed and atom.level <= level and i not in self.without_value
        ]

    def call(self, atom: int, bound: dict[Name, core.Binding]) -> core.Expression:
        used = [name for name in self.names if name in self.atoms[atom].uses]
        return core.Call(self.at, self._definitions[atom], tuple(core.Reference(self.at, bound[n]) for n in used))

    def bound(self, names: Sequence[Name]) -> tuple[dict[Name, core.Binding], tuple[core.Binder, ...]]:
        """New bindings for names, and the binders of a quantifier over them."""
        bindings = {name: core.Binding(name.text, self.at) for name in names}
        binders = tuple(core.Binder((b,), False, self._domains[name.sort.text]) for name, b in bindings.items())
        return bindings, binders

    def formula(self, clause: Clause) -> core.Expression:
        """The candidate as a formula of `model`, one for each clause."""
        if clause not in self._formulas:
            bindings, binders = self.bound(clause.names)
            parts = []
            for literal in sorted(clause.literals):
                part = self.call(literal >> 1, bindings)
                parts.append(part if literal & 1 else core.Builtin(self.at, "~", (part,)))
            body = parts[0] if len(parts) == 1 else core.Builtin(self.at, "\\/", tuple(parts))
            self._formulas[clause] = core.Quantified(self.at, "\\A", binders, body) if binders else body
        return self._formulas[clause]

    def cost(self, clause: Clause) -> int:
        """Simpler candidates cost less."""
        return sum(self.atoms[literal >> 1].cost + 1 for literal in clause.literals) + 2 * len(clause.names)

    def text(self, clause: Clause) -> str:
        """The candidate as TLA+ in one line: what is denied of it as a premise."""
        denied = [self.atoms[x >> 1].text for x in sorted(clause.literals) if not x & 1]
        affirmed = [self.atoms[x >> 1].text for x in sorted(clause.literals) if x & 1]
        return quantified(clause.names, implication(denied, affirmed))

    def trimmed(self, clause: Clause) -> Clause:
        """The clause over none but the names that it speaks of."""
        used = frozenset[Name]().union(*(self.atoms[literal >> 1].uses for literal in clause.literals))
        return Clause(tuple(name for name in clause.names if name in used), clause.literals)


def implication(denied: Sequence[str], affirmed: Sequence[str]) -> str:
    """`denied => affirmed`"""
    premise = " /\\ ".join(map(_operand, denied))
    conclusion = " \\/ ".join(map(_operand, affirmed))
    if not affirmed:
        return f"~({premise})"
    return f"{premise} => {conclusion}" if denied else conclusion


def _operand(text: str) -> str:
    """A formula as one of several: in parentheses unless nothing in it binds more weakly."""
    return f"({text})" if any(word in text for word in ("/\\", "\\/", "=>", "<=>", "\\A", "\\E", "~")) else text


def quantified(names: Sequence[Name], body: str) -> str:
    """`\\A names : body`"""
    parts: list[str] = []
    for sort in dict.fromkeys(name.sort for name in names):
        parts.append(f"{', '.join(n.text for n in names if n.sort is sort)} \\in {sort.text}")
    return f"\\A {', '.join(parts)} : {body}" if parts else body


def read_words(
    files: ModelFiles, atoms: Collection[Atom], names: Sequence[Name], hints: Sequence[str] = ()
) -> Vocabulary:
    """Read the words. Atoms that are no formulas of the specification are left out.

    Raise `TlaError`: also for a hint that cannot be read.
    """
    kept = list(atoms)
    for _ in range(_PATIENCE):
        lines = list(_lines(files.spec.stem, kept, names, hints))
        try:
            model = files.extended(MODULE, "\n".join(lines)).load()
        except TlaError as error:
            place = _atom_at(error, lines)
            if place is None:
                raise
            del kept[place]
            continue
        found = tuple(model.specification.definitions[f"{_HINT}{i}"] for i in range(len(hints)))
        return Vocabulary(model, tuple(kept), tuple(names), found)
    raise TlaError("too many of the expressions that candidates would be made of cannot be read", kind="evaluation")


def _lines(spec: str, atoms: Sequence[Atom], names: Sequence[Name], hints: Sequence[str]) -> Iterator[str]:
    yield f"---- MODULE {MODULE} ----"
    yield f"EXTENDS {spec}"
    for number, sort in enumerate(dict.fromkeys(name.sort for name in names)):
        yield f"{_SORT}{number} == {sort.text}"
    for number, atom in enumerate(atoms):
        parameters = ", ".join(name.text for name in names if name in atom.uses)
        yield f"{_ATOM}{number}{f'({parameters})' if parameters else ''} == {atom.text}"
    for number, hint in enumerate(hints):
        yield f"{_HINT}{number} == {hint}"
    yield "===="


def _atom_at(error: TlaError, lines: Sequence[str]) -> int | None:
    """The atom in whose definition there is an error."""
    if error.at is None or not error.at.source.name.endswith(f"{MODULE}.tla"):
        return None
    head = lines[error.at.line - 1].partition(" ==")[0].partition("(")[0]
    return int(head.removeprefix(_ATOM)) if head.startswith(_ATOM) else None


def plain(model: core.Model) -> core.Model:
    """The model as the Python engine needs it for values of states: nothing to explore, nothing to check."""
    return replace(
        model, initial=None, next=None, invariants=(), properties=(), constraints=(), action_constraints=(),
        symmetry=None, view=None, postconditions=(), alias=None,
    )  # fmt: skip
