"""The types of what is drawn, each with a finite set of values that a variable may have."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Name:
    """A name that means nothing: what it is called is decided when the text is written. See `naming`."""

    kind: str
    """`string`, `model value`, `constant`, `variable`, `definition`, `module` or `local`."""
    index: int


@dataclass(frozen=True, slots=True)
class Base:
    """`integer`, `boolean`, `string`, `model value`, or `mixed`: integers and model values."""

    name: str


@dataclass(frozen=True, slots=True)
class SetOf:
    element: Type


@dataclass(frozen=True, slots=True)
class Function:
    """The domain of a value may be any set of keys."""

    key: Type
    value: Type


@dataclass(frozen=True, slots=True)
class Sequence:
    element: Type


@dataclass(frozen=True, slots=True)
class Bag:
    element: Type


@dataclass(frozen=True, slots=True)
class Tuple:
    elements: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """The names of `fields` are strings."""

    fields: tuple[tuple[Name, Type], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """`tag`: a string, the value of the tag. `field`: the name of the field of the content; of pairs it means nothing.
    `content` None: there is a tag alone."""

    tag: Name
    field: Name
    content: Type | None


@dataclass(frozen=True, slots=True)
class Tagged:
    """Messages: records with a tag and a content, or pairs. The tag says of which type the content is, and its name.

    Where two cases have one tag, or the content comes first in TLC's order of fields, TLC cannot put some of the values
    in order. `tag` is the name of a field; None: the values are pairs.
    """

    tag: Name | None
    cases: tuple[Case, ...]

    @property
    def one_form(self) -> bool:
        """Whether all have the same fields."""
        fields = {case.field if case.content is not None else None for case in self.cases}
        return self.tag is None or len(fields) == 1


Type: TypeAlias = Base | SetOf | Function | Sequence | Bag | Tuple | Record | Tagged

INTEGER, BOOLEAN, STRING, MODEL, MIXED = map(Base, ("integer", "boolean", "string", "model value", "mixed"))
BASES = (INTEGER, BOOLEAN, STRING, MODEL, MIXED)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many values the universe of a specification has of each base type."""

    of: tuple[tuple[Base, int], ...]
    length: int = 2
    """Of a sequence in a variable, at most."""

    def __call__(self, type: Type) -> int:
        match type:
            case Base():
                return dict(self.of)[type]
            case SetOf(element):
                return 1 << min(self(element), 40)
            case Function(key, value):
                return prod([self(value)] * min(self(key), 40))
            case Sequence(element):
                return sum(prod([self(element)] * n) for n in range(self.length + 1))
            case Bag(element):
                return prod([3] * min(self(element), 40))
            case Tuple(elements):
                return prod(map(self, elements))
            case Record(fields):
                return prod(self(each) for _, each in fields)
            case Tagged():
                return sum(self(case.content) if case.content is not None else 1 for case in type.cases)
