"""The first states of a store that satisfy expressions, as Spark jobs over its files.

An expression is compiled where it has a form in machine code and states lie as the store packs them; the Python engine
is asked of those that are left, and of all where it is not compiled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.errors import NoCompiler, NotCompilable
from rmqproof.model.native.kernel import Kernel
from rmqproof.model.native.labels import truths
from rmqproof.model.native.native_model import NativeModel, permutations_of
from rmqproof.model.native.shared_object import SharedObject
from rmqproof.model.native.wanted import Wanted
from rmqproof.model.search.kernel import NotEvaluated
from rmqproof.model.search.spark.arrow import Batch, pa
from rmqproof.model.search.spark.kernel import States
from rmqproof.model.search.spark.rows import states_of
from rmqproof.model.search.spark.session import is_local
from rmqproof.model.search.spark.store import Store, states_file
from rmqproof.model.states.frames import LOOK
from rmqproof.model.states.reading import QUESTION, Opened, Reading, description_of, model_of, reader_of
from rmqproof.model.tla.source import TlaError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_FALSE = 1
_KEPT = ("order", "fingerprint", "state")
_FOUND = "level int, order long, fingerprint long, state binary"


@dataclass(frozen=True, slots=True, order=True)
class StoredState:
    """A state of a store. `record`: as it lies there."""

    level: int
    order: int
    fingerprint: int
    record: bytes = field(default=b"", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Question:
    """Machine code that knows some of the expressions, by their numbers: those that it `covers`."""

    library: SharedObject
    covers: tuple[bool, ...]


def first_state(
    session: SparkSession,
    opened: Opened,
    expression: str,
    meanwhile: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> StoredState | None:
    """As `first_states`, of one expression."""
    return first_states(session, opened, [expression], meanwhile)[0]


def first_states(
    session: SparkSession,
    opened: Opened,
    expressions: Sequence[str],
    meanwhile: Callable[[], AbstractContextManager[None]] = nullcontext,
    careful: bool = False,
) -> list[StoredState | None]:
    """For each expression the first state, in the order of discovery, that satisfies it: no path to one is shorter.

    `careful`: a state in which an expression has no value counts as one that satisfies it. `meanwhile`: around what
    Spark does. Raise `NotEvaluated`.
    """
    from pyspark.errors import PythonException
    from pyspark.sql.functions import min as least
    from pyspark.sql.functions import struct

    asked = opened.reading.asking(*expressions)
    question = compiled_question(opened, asked, not is_local(session.sparkContext.master or ""))
    levels, start, together = opened.manifest.levels, 0, LOOK
    found: dict[int, StoredState] = {}
    while start < len(levels) and len(found) < len(expressions):
        end, states = start, 0
        while end < len(levels) and (end == start or states + levels[end].states <= together):
            states += levels[end].states
            end += 1
        parts = [(one.number, owner, rows) for one in levels[start:end] for owner, rows in enumerate(one.rows)]
        left = [which for which, _ in enumerate(expressions) if which not in found]
        looking = _Looking(opened.store, asked, question, _groups(parts), left, careful)
        tasks = session.range(0, len(looking.groups), 1, len(looking.groups))
        rows = tasks.mapInArrow(looking, f"which int, {_FOUND}")
        firsts = rows.groupBy("which").agg(least(struct("level", "order", "fingerprint", "state")).alias("first"))
        try:
            with meanwhile():
                for which, first in firsts.collect():
                    found[which] = StoredState(
                        first.level, first.order, first.fingerprint % (1 << 64), bytes(first.state)
                    )
        except PythonException as error:
            raise _not_evaluated(error) from None
        start, together = end, 2 * together
    return [found.get(which) for which, _ in enumerate(expressions)]


def compiled_question(opened: Opened, asked: Reading, travels: bool) -> Question | None:
    """The expressions as machine code over the states as they lie in the store; None where that cannot be had."""
    if asked.layout is None:
        return None
    model = model_of(asked)
    bodies = {each.name: each.body for each in model.invariants}
    model = replace(model, invariants=tuple(each for each in model.invariants if each.name not in asked.names))
    labels = [Wanted(bodies[name], False) for name in asked.names]
    native = NativeModel(model, model.check_deadlock, group=permutations_of(system_of(model)), labels=labels)
    try:
        native.widen(opened.manifest.model.get("growths", []))
    except (NoCompiler, NotCompilable):
        return None
    layout, stored = native.program.layout, description_of(asked).layout
    covers = tuple(map(bool, native.program.labels))
    alike = (layout.types, layout.spans) == (stored.types, stored.spans)
    return Question(SharedObject.of(native.library, travels), covers) if alike and any(covers) else None


def _groups(parts: Sequence[tuple[int, int, int]]) -> list[list[tuple[int, str]]]:
    """Files that one task looks through, of the parts of levels: number, owner, states."""
    groups: list[list[tuple[int, str]]] = [[]]
    together = 0
    for level, owner, rows in parts:
        if together >= LOOK:
            groups.append([])
            together = 0
        groups[-1].append((level, states_file(level, owner)))
        together += rows
    return groups


@dataclass(frozen=True, slots=True)
class _Looking:
    """The first state of each file that satisfies an expression: in a file they lie in the order of discovery."""

    store: Store
    asked: Reading
    question: Question | None
    groups: list[list[tuple[int, str]]]
    wanted: Sequence[int]
    """The expressions that are looked for, by their numbers."""
    careful: bool

    def __call__(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for level, name in self.groups[number]:
                    yield from self._firsts(level, name)

    def _firsts(self, level: int, name: str) -> Iterator[Batch]:
        left = list(self.wanted)
        for table in self.store.groups(name, list(_KEPT)):
            states = np.ascontiguousarray(states_of(table.column("state"), self.asked.words))
            for which in list(left):
                row = self._row(states, which)
                if row is not None:
                    left.remove(which)
                    known = [pa.array([number], pa.int32()) for number in (which, level)]
                    columns = [table.column(name).slice(row, 1).combine_chunks() for name in _KEPT[:2]]
                    columns = [*known, *columns, pa.array([bytes(states[row])], pa.binary())]
                    yield pa.RecordBatch.from_arrays(columns, names=["which", "level", *_KEPT])
            if not left:
                return

    def _row(self, states: States, which: int) -> int | None:
        return next((row for row in self._open(states, which) if self._holds(bytes(states[row]), which)), None)

    def _holds(self, record: bytes, which: int) -> bool:
        try:
            return reader_of(self.asked).holds(record, which)
        except TlaError:
            if self.careful:
                return True
            raise

    def _open(self, states: States, which: int) -> Iterable[int]:
        """The rows of states of which machine code does not say that they do not satisfy the expression."""
        if self.question is None or not self.question.covers[which]:
            return range(len(states))
        kernel = _kernel(self.asked, self.question.library)
        found = _two_bits(truths(kernel, states, len(states), which))[: len(states)]
        return np.flatnonzero(found != _FALSE).tolist()


@lru_cache(maxsize=4)
def _kernel(asked: Reading, library: SharedObject) -> Kernel:
    """The kernel of this process: made once."""
    return Kernel(description_of(asked, library.file()))


def _two_bits(answers: bytearray) -> NDArray[np.uint8]:
    packed = np.frombuffer(answers, np.uint8)
    return np.stack([packed >> shift & 3 for shift in (0, 2, 4, 6)], axis=1).reshape(-1)


def _not_evaluated(error: Exception) -> Exception:
    """What the worker's error says, without its traceback and the folder of its own."""
    _, found, said = str(error).rpartition("TlaError: ")
    if not found:
        return error
    said = re.sub(rf"[^ ]*/(?={QUESTION})", "", said).strip()
    return NotEvaluated(f"The expression has no value in some state:\n{said}")
