"""Records are dataclasses: all that those of the standard library do, they do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from dataclasses import field
from typing import Any, ClassVar

import pytest

from rmqproof.model import records


def classes(dataclass: Any) -> tuple[type, ...]:
    """The same classes by a decorator of dataclasses."""

    @dataclass(frozen=True, slots=True)
    class Place:
        line: int
        column: int = 1

    @dataclass(frozen=True, slots=True)
    class Node(Place):
        """With more fields."""

        parts: tuple[Any, ...] = ()
        note: str = field(default="", repr=False, compare=False)
        named: list[int] = field(default_factory=list, kw_only=True, compare=False)
        kept: int = field(default=0, hash=False, repr=False, kw_only=True)

        def __post_init__(self) -> None:
            if self.line < 0:
                raise ValueError("no line")

    @dataclass(slots=True)
    class Open:
        items: list[int] = field(default_factory=list)
        made: int = field(default=7, init=False)

    @dataclass(eq=False, slots=True)
    class Single:
        name: str
        after: Any = None

    @dataclass(frozen=True)
    class Own:
        name: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own) and self.name.lower() == other.name.lower()

        def __hash__(self) -> int:
            return hash(self.name.lower())

        def __repr__(self) -> str:
            return f"<{self.name}>"

    @dataclass()
    class Plain:
        kinds: ClassVar[tuple[str, ...]] = ("plain",)
        name: str
        count: int = field(default=3, compare=False)
        parts: list[int] = field(default_factory=list)

    @dataclass(slots=True)
    class Below(Plain):
        limit: ClassVar[int] = 5
        count: int = 4
        more: str = "more"

    return Place, Node, Open, Single, Own, Plain, Below


OURS, THEIRS = classes(records.dataclass), classes(dataclasses.dataclass)
KINDS = pytest.mark.parametrize(
    ("Place", "Node", "Open", "Single", "Own"), (OURS[:5], THEIRS[:5]), ids=("ours", "theirs")
)


@KINDS
def test_values_and_equality(Place: Any, Node: Any, Open: Any, Single: Any, Own: Any) -> None:
    assert Place(1) == Place(line=1, column=1) != Place(1, 2)
    assert Place(1) != Node(1) and Node(1, note="a") == Node(1, note="b")
    assert len({Place(1), Place(1, 1), Place(2)}) == 2 and hash(Node(1, note="a")) == hash(Node(1))
    assert Node(1, kept=1) != Node(1, kept=2) and hash(Node(1, kept=1)) == hash(Node(1, kept=2))
    assert Open([1]) == Open([1]) and Open().items is not Open().items and Open().made == 7
    assert Single("a") != Single("a") and len({Single("a"), Single("a")}) == 2
    assert Own("a") == Own("A") and len({Own("a"), Own("A")}) == 1 and repr(Own("a")) == "<a>"
    with pytest.raises(TypeError):
        hash(Open())
    with pytest.raises(ValueError, match="no line"):
        Node(-1)
    for wrong in (lambda: Place(), lambda: Place(1, 2, 3), lambda: Place(1, other=2), lambda: Node(1, 2, (), "", [])):
        with pytest.raises(TypeError):
            wrong()


@KINDS
def test_shown_and_changed(Place: Any, Node: Any, Open: Any, Single: Any, Own: Any) -> None:
    name = Node.__qualname__
    assert repr(Node(1, parts=(2,), note="x")) == f"{name}(line=1, column=1, parts=(2,), named=[])"
    loop = Single("a")
    loop.after = loop
    assert repr(loop) == f"{Single.__qualname__}(name='a', after=...)"
    assert dataclasses.replace(Node(1, 2, (3,)), column=5) == Node(1, 5, (3,))
    assert dataclasses.asdict(Place(1)) == {"line": 1, "column": 1}
    assert copy.deepcopy(Node(1, 2, ([],))) == Node(1, 2, ([],)) and copy.copy(Open([1])) == Open([1])
    match Node(4, 5, (6,)):
        case Node(line, _, (part,)):
            assert (line, part) == (4, 6)
    for change in (lambda: setattr(Place(1), "line", 2), lambda: delattr(Node(1), "line")):
        with pytest.raises(dataclasses.FrozenInstanceError, match="line"):
            change()
    opened = Open()
    opened.items = [3]
    assert opened.items == [3] and not hasattr(Place(1), "__dict__") and hasattr(Own("a"), "__dict__")


@pytest.mark.parametrize(("Plain", "Below"), (OURS[5:], THEIRS[5:]), ids=("ours", "theirs"))
def test_what_describes_a_class(Plain: Any, Below: Any) -> None:
    assert dataclasses.is_dataclass(Below) and Below.__match_args__ == ("name", "count", "parts", "more")
    assert [field.name for field in dataclasses.fields(Below)] == ["name", "count", "parts", "more"]
    assert [(field.default, field.compare) for field in dataclasses.fields(Below)][1] == (4, True)
    assert Plain.count == 3 and not hasattr(Plain, "parts") and Below.kinds == Plain.kinds == ("plain",)
    assert Below.limit == 5 and Plain("a", 3) == Plain("a", 4) and Below("a", 3) != Below("a", 4)
    assert "more" in Below.__slots__ and Below("a").parts is not Below("a").parts

    class Undecorated(Below):
        pass

    assert Undecorated("a").more == "more" and dataclasses.replace(Undecorated("a"), name="b").name == "b"

    @dataclasses.dataclass
    class Theirs(Plain):
        last: int = 0

    assert Theirs("a", last=2).last == 2 and [field.name for field in dataclasses.fields(Theirs)][-1] == "last"
    with pytest.raises(TypeError, match="frozen"):
        dataclasses.dataclass(frozen=True)(type("Frozen", (Plain,), {}))


def test_trees_are_pickled_as_others_are() -> None:
    from rmqproof.model.tla import core
    from rmqproof.model.tla.source import Location, Source

    node = core.Literal(Location(Source("a", "1"), 1, 1, 1, 2), 1)
    again = pickle.loads(pickle.dumps(node, 5))
    assert type(again) is core.Literal and again.value == 1 and again.at == node.at and again is not node


def test_methods_are_written_when_they_are_called() -> None:
    @records.dataclass(frozen=True, slots=True)
    class Late:
        name: str

    before = Late.__init__
    Late("a")
    assert Late.__init__ is not before and Late.__init__.__qualname__ == before.__qualname__


def test_a_kept_model_is_read_without_a_parser() -> None:
    """What checks import: a parser only where a text is parsed."""
    code = "import sys, rmqproof.model.cli.commands.check; print('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
