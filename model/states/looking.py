"""The first state of a store that satisfies an expression, as Spark jobs over its files.

The expression is compiled where it has a form in machine code and states lie as the store packs them; the Python engine
is asked of those that are left, and of all where it is not compiled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
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
from rmqproof.model.states.reading import QUESTION, WANTED, Opened, Reading, description_of, model_of, reader_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_FALSE = 1


@dataclass(frozen=True, slots=True, order=True)
class StoredState:
    """A state of a store."""

    level: int
    order: int
    fingerprint: int


def first_state(
    session: SparkSession,
    opened: Opened,
    expression: str,
    meanwhile: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> StoredState | None:
    """The first state, in the order of discovery, that satisfies the expression: no path to one is shorter.

    `meanwhile`: around what Spark does. Raise `NotEvaluated`.
    """
    from pyspark.errors import PythonException

    asked = opened.reading.asking(expression)
    question = compiled_question(opened, asked, not is_local(session.sparkContext.master or ""))
    levels, start, together = opened.manifest.levels, 0, LOOK
    while start < len(levels):
        end, states = start, 0
        while end < len(levels) and (end == start or states + levels[end].states <= together):
            states += levels[end].states
            end += 1
        parts = [(one.number, owner, rows) for one in levels[start:end] for owner, rows in enumerate(one.rows)]
        looking = _Looking(opened.store, asked, question, _groups(parts))
        tasks = session.range(0, len(looking.groups), 1, len(looking.groups))
        found = tasks.mapInArrow(looking, "level int, order long, fingerprint long")
        try:
            with meanwhile():
                rows = found.orderBy("level", "order").limit(1).collect()
        except PythonException as error:
            raise _not_evaluated(error) from None
        if rows:
            return StoredState(rows[0].level, rows[0].order, rows[0].fingerprint % (1 << 64))
        start, together = end, 2 * together
    return None


def compiled_question(opened: Opened, asked: Reading, travels: bool) -> SharedObject | None:
    """The expression as machine code over the states as they lie in the store; None where that cannot be had."""
    if asked.layout is None:
        return None
    model = model_of(asked)
    (wanted,) = (each.body for each in model.invariants if each.name == WANTED)
    model = replace(model, invariants=tuple(each for each in model.invariants if each.name != WANTED))
    native = NativeModel(
        model, model.check_deadlock, group=permutations_of(system_of(model)), labels=[Wanted(wanted, False)]
    )
    try:
        native.widen(opened.manifest.model.get("growths", []))
    except (NoCompiler, NotCompilable):
        return None
    layout, stored = native.program.layout, description_of(asked).layout
    alike = (layout.types, layout.spans) == (stored.types, stored.spans)
    return SharedObject.of(native.library, travels) if alike and native.program.labels[0] else None


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


class _Looking:
    """The first state of each file that satisfies the expression: in a file they lie in the order of discovery."""

    def __init__(
        self, store: Store, asked: Reading, question: SharedObject | None, groups: list[list[tuple[int, str]]]
    ) -> None:
        self.store, self.asked, self.question, self.groups = store, asked, question, groups

    def __call__(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for level, name in self.groups[number]:
                    yield from self._first(level, name)

    def _first(self, level: int, name: str) -> Iterator[Batch]:
        for table in self.store.groups(name, ["order", "fingerprint", "state"]):
            column = table.column("state")
            row = self._row(states_of(column, self.asked.words))
            if row is not None:
                named = [table.column(name).slice(row, 1).combine_chunks() for name in ("order", "fingerprint")]
                columns = [pa.array([level], pa.int32()), *named]
                yield pa.RecordBatch.from_arrays(columns, names=["level", "order", "fingerprint"])
                return

    def _row(self, states: States) -> int | None:
        for row in self._open(states):
            if reader_of(self.asked).holds(bytes(states[row])):
                return row
        return None

    def _open(self, states: States) -> Iterable[int]:
        """The rows of states of which machine code does not say that they do not satisfy the expression."""
        if self.question is None:
            return range(len(states))
        kernel = _kernel(self.asked, self.question)
        found = _two_bits(truths(kernel, np.ascontiguousarray(states), len(states)))[: len(states)]
        return np.flatnonzero(found != _FALSE).tolist()


@lru_cache(maxsize=4)
def _kernel(asked: Reading, question: SharedObject) -> Kernel:
    """The kernel of this process: made once."""
    return Kernel(description_of(asked, question.file()))


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
