"""The compiled model as a function from packed states to packed successors, for a search that brings its own loop.

    kernel = kernel_of(native)                         # or Kernel.open(description) in another process
    batch = kernel.initial()                           # columns, see `Batch`
    batch = kernel.expand(states)                      # states: a buffer of packed states, row after row
    verdicts = kernel.check(new_states)                # invariants, once a state is known to be new
    values = kernel.decode(words); words = kernel.encode(values)

A packed state is `words` unsigned 64-bit words, of each of which 63 bits are used. Columns are `bytes` in the machine's
byte order, so that numpy (`frombuffer`) and Arrow (`py_buffer`) take them without a copy and without pickle.

A kernel serves one thread; open one for each. Nothing is shared between kernels. A fingerprint is the same in every
process that opened the same description; it differs from the Python engine's, and between layouts.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rmqproof.model.evaluate.values import Value
from rmqproof.model.records import dataclass

from .build import compiled, open_library
from .decode import Decoder
from .description import Description, DescriptionError, describe, read_description
from .encode import Encoder
from .native_model import NativeModel


@dataclass(frozen=True, slots=True)
class Batch:
    """The successors of an array of states (`rows` of them), in the order of rows and within a row the Python engine's.

    One entry for each generated successor, the same state as often as there are ways to it:

    states          uint64 × words
    fingerprints    uint64; equal for states that VIEW or SYMMETRY identify
    parents         uint32, the row
    actions         uint16, index into `Description.actions`; of initial states 0
    ordinals        uint32, which of its row's successors: the n-th of the Python engine's `successors`, with the
                    arguments of the action there
    inside          uint8, 1 when the constraints keep it; a state with 0 counts as generated and goes no further
    verdicts        uint8 `Code`: a broken step property of the step to it; for a state outside the constraints
                    also the invariants, which `check` judges for those inside
    properties      int16, the place of the broken property, or -1
    arguments       uint64 × argument words, what the action was called with (`Kernel.arguments` reads them); empty
                    unless the model was compiled with them

    and one entry for each row:

    outcomes        uint8 `Code`: HOLDS, NO_SUCCESSOR, NOT_EVALUATED or TOO_SMALL. A row that fails keeps the successors
                    that came before the failure.
    """

    count: int
    rows: int
    words: int
    states: bytes
    fingerprints: bytes
    parents: bytes
    actions: bytes
    ordinals: bytes
    inside: bytes
    verdicts: bytes
    properties: bytes
    arguments: bytes
    outcomes: bytes

    def state(self, index: int) -> tuple[int, ...]:
        """The words of one state."""
        return tuple(memoryview(self.states).cast("Q")[index * self.words : (index + 1) * self.words])


@dataclass(frozen=True, slots=True)
class Verdicts:
    """For each state its `Code` (uint8) and the place of the broken property (int16); `broken`: how many."""

    broken: int
    verdicts: bytes
    properties: bytes


class Kernel:
    """A loaded model. Close it, or use it in a `with`."""

    def __init__(self, description: Description, alternative: int | None = None) -> None:
        """`alternative`: of a model that has several; one is chosen for all kernels of it in this process.

        Raise `DescriptionError` when the shared object is missing or of another model.
        """
        self.description = description
        try:
            self._library = open_library(description.library)
        except (OSError, AttributeError) as error:
            raise DescriptionError(
                f"{description.library} cannot be loaded ({error}): compile the model again"
            ) from error
        self.words = description.layout.words
        if self._library.rmq_state_words() != self.words:
            raise DescriptionError(f"{description.library} has another layout than its description: compile again")
        self.argument_words: int = self._library.rmq_argument_words()
        self._decoder, self._encoder = Decoder(description.layout), Encoder(description.layout)
        if alternative is not None:
            self._library.rmq_choose(ctypes.c_int64(alternative))
        self._kernel: int | None = self._library.rmq_kernel_new()
        if not self._kernel:
            raise MemoryError("no memory for a kernel")

    @classmethod
    def open(cls, description: Path, library: Path | None = None) -> Kernel:
        """The kernel of a description file; `library` where the shared object was moved. Raise `DescriptionError`."""
        return cls(read_description(description, library))

    def close(self) -> None:
        if self._kernel:
            self._library.rmq_kernel_free(self._kernel)
            self._kernel = None

    def __enter__(self) -> Kernel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- steps --------------------------------------------------------------------------------------------------

    def initial(self) -> Batch:
        """The initial states, as one row of no state. Their invariants: `check(…, initial=True)`."""
        return self._batch(self._library.rmq_kernel_initial(self._kernel), 1)

    def expand(self, states: Any) -> Batch:
        """The successors of the states in a buffer. Raise `MemoryError`."""
        content, count = self._rows(states)
        return self._batch(self._library.rmq_kernel_expand(self._kernel, content, count), count)

    def check(self, states: Any, initial: bool = False) -> Verdicts:
        """The invariants of the states in a buffer, and with `initial` what holds of initial states only."""
        content, count = self._rows(states)
        verdicts, properties = (ctypes.c_uint8 * count)(), (ctypes.c_int16 * count)()
        broken = self._library.rmq_kernel_check(self._kernel, content, count, initial, verdicts, properties)
        return Verdicts(broken, bytes(verdicts), bytes(properties))

    def fingerprints(self, states: Any) -> bytes:
        """uint64 for each state in a buffer. Raise `ValueError` where VIEW has no value."""
        content, count = self._rows(states)
        out = (ctypes.c_uint64 * count)()
        done = self._library.rmq_kernel_fingerprints(self._kernel, content, count, out)
        if done < count:
            raise ValueError(f"the view of state {done} has no value")
        return bytes(out)

    def label(self, states: Any, first: Any, heads: Any, start: int, end: int, *labels: Any) -> None:
        """Evaluate the predicates that the model was compiled with on some states of a graph: see labels.py."""
        self._library.rmq_kernel_label(self._kernel, states, first, heads, start, end, *labels)

    def simulate(
        self, random: Any, starts: Any, count: int, depth: int, likings: Sequence[tuple[int, int]] = ()
    ) -> list[int] | None:
        """One random behaviour of at most `depth` states from one of `count` packed `starts`.

        `random`: the 625 numbers of the state of Python's generator. `likings`: every action with its weight. The
        counters of rmq_simulate; None when something is wrong with the behaviour, which the Python engine finds out by
        repeating it.
        """
        counters = (ctypes.c_uint64 * (2 + 3 * len(self.description.actions)))()
        weights = (ctypes.c_uint64 * (2 * len(likings)))(*(number for pair in likings for number in pair))
        liked = weights if likings else None
        done = self._library.rmq_simulate(self._kernel, random, starts, count, depth, liked, counters)
        return list(counters) if done else None

    def narrow(self) -> int:
        """After a TOO_SMALL: the variable to give `NativeModel.grow`, or -1 for a value on the way."""
        return int(self._library.rmq_kernel_narrow(self._kernel))

    def spoken(self) -> int:
        """A bit for each property, those of steps last, whose antecedent was true of a state or a step judged here."""
        return int(self._library.rmq_kernel_spoken(self._kernel))

    def _rows(self, states: Any) -> tuple[ctypes.Array[ctypes.c_char], int]:
        view = memoryview(states)
        if not view.nbytes:
            view = memoryview(b"")  # no shape of nothing can be cast
        elif view.format != "B":
            view = view.cast("B")
        count, rest = divmod(view.nbytes, 8 * self.words)
        if rest:
            raise ValueError(f"{view.nbytes} bytes are no whole number of states of {self.words} words")
        if view.readonly:
            return (ctypes.c_char * view.nbytes).from_buffer_copy(view), count
        return (ctypes.c_char * view.nbytes).from_buffer(view), count

    def _batch(self, count: int, rows: int) -> Batch:
        if count < 0:
            raise MemoryError("no memory for the successors")
        columns = (ctypes.c_void_p * (len(_SIZES) + 3))()
        self._library.rmq_kernel_columns(self._kernel, columns)
        sizes = (8 * self.words, *_SIZES, 8 * self.argument_words)
        lengths = [*(count * size for size in sizes), rows]
        return Batch(
            count,
            rows,
            self.words,
            *(ctypes.string_at(at, n) if n else b"" for at, n in zip(columns, lengths, strict=True)),
        )

    # --- values -------------------------------------------------------------------------------------------------

    def decode(self, words: Sequence[int]) -> tuple[Value, ...]:
        """The Python engine's values of the variables, in the order of `Description.variables`."""
        return self._decoder.state(words)

    def arguments(self, words: Sequence[int]) -> tuple[Value, ...] | None:
        """What an action was called with; None where that has no packed form, and for an initial state."""
        return self._decoder.arguments(words, self.description.signatures)

    def encode(self, values: Sequence[Value]) -> tuple[int, ...]:
        """The packed words of these values. Raise `encode.DoesNotFit` where the layout has no room for them."""
        return self._encoder.state(values)


_SIZES = (8, 4, 2, 4, 1, 1, 2)
"""Bytes of an entry in the columns between states and arguments, as rmq_kernel_columns gives them."""


def kernel_of(native: NativeModel, alternative: int | None = None) -> Kernel:
    """The kernel of a compiled model, again after `NativeModel.grow`; its `description.write` makes it known to other
    processes."""
    library = compiled(native.program.source, native.options)
    return Kernel(describe(native.model, native.program, library, native.check_deadlock), alternative)
