"""The C functions on behaviour graphs (c/graph) for the liveness check: see search/liveness/graph.py."""

from __future__ import annotations

import ctypes
from array import array
from functools import lru_cache
from importlib import resources
from typing import Any

from rmqproof.model.search.kernel import PackedSteps
from rmqproof.model.search.liveness.automaton import Automaton
from rmqproof.model.search.liveness.formula import TRUE, Formula, conjunction, speaks_of_steps
from rmqproof.model.search.liveness.graph import (
    Answers,
    BehaviourGraph,
    Block,
    FairNodes,
    GraphStopped,
    Product,
    TooLarge,
)
from rmqproof.model.search.liveness.problem import Problem

from .build import compiled, is_compiled, typed
from .errors import NoCompiler
from .graph_tables import Asked, address, memory_of, numbers_of

PARTS = ("graph/propositions", "graph/numbering", "graph/product", "graph/components", "graph/regions", "guard")
"""The C text, in its order."""
_PLACES = 2_000
"""States of an automaton, beyond which it is left to Python."""
_LARGE, _FEW = 5_000, 1_000
"""Steps of a graph for which Python takes about as long as the compiler for the C text: 0.3 s; and for which it takes
longer than to load what was compiled before."""
_EDGES = 1 << 17
"""Of a product, made at once."""


class _Way(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int32) for name in ("of_state", "of_step", "target")),
        ("kept", ctypes.c_uint64),
    ]


class _Problem(ctypes.Structure):
    _fields_ = [
        ("nodes", ctypes.c_uint64),
        *((name, ctypes.c_void_p) for name in ("first", "heads", "steps32", "steps64", "kept8", "kept64", "states")),
        ("all_kept", ctypes.c_uint64),
        *((name, ctypes.c_int32) for name in ("lasting", "recurring_count", "choice_count")),
        *((name, ctypes.c_void_p) for name in ("recurring", "choice_lasting", "choice_recurring")),
        ("most", ctypes.c_uint64),
    ]


@lru_cache(maxsize=1)
def graph_code() -> CompiledGraphCode:
    """Compiled, or from the cache. Raise `NoCompiler`."""
    return CompiledGraphCode(_open(ctypes.CDLL(str(compiled(_text())))))


def graph_code_for(steps: int | None = None) -> CompiledGraphCode | None:
    """For a graph of so many steps, where it pays and there is a compiler. None: of more than Python takes in.

    It is the same for all models, so that it is compiled once.
    """
    try:
        pays = steps is None or steps >= _LARGE or (steps >= _FEW and is_compiled(_text()))
        return graph_code() if pays else None
    except NoCompiler:
        return None


def _text() -> str:
    folder = resources.files(__package__).joinpath("c")
    files = [folder.joinpath("allocation.c"), *(folder.joinpath(f"{part}.c") for part in PARTS)]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def _open(library: ctypes.CDLL) -> ctypes.CDLL:
    pointer, number, small, result = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int32, ctypes.c_int64
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "rmq_numbering_new": (pointer, []),
        "rmq_numbering_free": (None, [pointer]),
        "rmq_numbering_take": (result, [pointer, *[number] * 4, ctypes.c_int, *[pointer] * 8]),
        "rmq_product_new": (pointer, [number, pointer, pointer, pointer, pointer, small]),
        "rmq_product_free": (None, [pointer]),
        "rmq_product_states": (pointer, [pointer]),
        "rmq_product_count": (number, [pointer]),
        "rmq_product_start": (ctypes.c_int, [pointer, pointer, pointer, number]),
        "rmq_product_go": (
            result,
            [pointer, pointer, *[number] * 3, pointer, *[ctypes.c_int, pointer] * 2, pointer, pointer],
        ),
        "rmq_fair_new": (pointer, [pointer, pointer]),
        "rmq_fair_free": (None, [pointer]),
        "rmq_fair_run": (result, [pointer]),
        "rmq_fair_count": (number, [pointer, number]),
        "rmq_fair_nodes": (pointer, [pointer, number]),
        "rmq_fair_chosen": (pointer, [pointer, number]),
        "rmq_parents": (None, [number, number, pointer, pointer, pointer]),
        "rmq_mark": (result, [pointer, small, number, number, pointer]),
        "rmq_keep": (result, [pointer, small, number, pointer]),
        "rmq_gather": (number, [pointer, number, number, ctypes.c_int, pointer, pointer, pointer]),
    }
    return typed(library, signatures)


class _Numbering:
    def __init__(self, library: ctypes.CDLL, words: int) -> None:
        self._library, self._words = library, words
        self._count = 0
        self._numbering = library.rmq_numbering_new()
        if not self._numbering:
            raise TooLarge

    def __del__(self) -> None:
        if self._numbering:
            self._library.rmq_numbering_free(self._numbering)

    def __len__(self) -> int:
        return self._count

    def initial(self, steps: PackedSteps) -> Block:
        return self._take(steps, 0, 0, 0)

    def take(self, steps: PackedSteps, rows: int, base: int, before: int) -> Block:
        return self._take(steps, rows, base, before)

    def _take(self, steps: PackedSteps, rows: int, base: int, before: int) -> Block:
        count, words = steps.count, self._words
        states, heads, ends = bytearray(8 * words * count), bytearray(4 * (count + rows)), bytearray(8 * rows)
        buffers = [memory_of(column) for column in (states, heads, ends)]
        written = ctypes.c_uint64()
        added = self._library.rmq_numbering_take(
            *(self._numbering, count, rows, base, before, words),
            *(steps.fingerprints, steps.inside, steps.parents, steps.states),
            *buffers,
            ctypes.byref(written),
        )
        del buffers
        if added < 0:
            raise TooLarge
        self._count += added
        return Block(memoryview(states)[: 8 * words * added], memoryview(heads)[: 4 * written.value], memoryview(ends))


class CompiledGraphCode:
    """See search/liveness/graph.py."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library

    def numbering(self, words: int) -> _Numbering:
        return _Numbering(self._library, words)

    # --- product -------------------------------------------------------------------------------------------------

    def product(self, graph: BehaviourGraph, automaton: Automaton, answers: Answers) -> Product | None:
        promises = automaton.all_kept.bit_length()
        asked = Asked(answers)
        table = _ways(automaton, asked)
        if table is None or promises > 64:
            return None
        ways, ways_of = table
        library, storage = self._library, graph.storage
        first, heads = memory_of(graph.first), memory_of(graph.heads)
        propositions = asked.tables()
        exploration = library.rmq_product_new(len(graph), first, heads, ways, ways_of, len(ways_of) - 1)
        if not exploration:
            raise TooLarge
        try:
            initial, tables = array("I", graph.initial), ctypes.byref(propositions)
            asked.checked(library.rmq_product_start(exploration, tables, memory_of(initial), len(initial)))
            starts = library.rmq_product_count(exploration)
            step_kind, kept_kind = "I" if len(graph.heads) < 1 << 32 else "Q", "B" if promises <= 8 else "Q"
            kinds = ("I", step_kind, kept_kind)
            widths = [array(kind).itemsize for kind in kinds]
            columns = [storage.column(kind) for kind in kinds]
            ends = storage.column("Q")
            ends.append(0)
            blocks = [bytearray(_EDGES * width) for width in (*widths, 8)]
            room = _EDGES
            found = (ctypes.c_uint64 * 2)()
            while True:
                if answers.stop():
                    raise GraphStopped
                b = [memory_of(block) for block in blocks]
                done = asked.checked(
                    library.rmq_product_go(
                        *(exploration, ctypes.byref(propositions), len(columns[0]), room, _EDGES),
                        *(b[0], widths[1], b[1], widths[2], b[2], b[3], found),
                    )
                )
                del b
                if not done and not found[1]:
                    break
                if not done:
                    room = found[1]
                    blocks[:3] = [bytearray(room * width) for width in widths]
                    continue
                for column, block, width in zip(columns, blocks, widths, strict=False):
                    column.extend_bytes(memoryview(block)[: found[0] * width])
                ends.extend_bytes(memoryview(blocks[3])[: 8 * done])
            count = library.rmq_product_count(exploration)
            states = storage.column("I")
            if count:
                content = (ctypes.c_uint32 * count).from_address(library.rmq_product_states(exploration))
                view = memoryview(content).cast("B")
                for start in range(0, view.nbytes, 4 * _EDGES):
                    states.extend_bytes(view[start : start + 4 * _EDGES])
                del view
        finally:
            library.rmq_product_free(exploration)
        heads_found, steps, kept = (column.finished() for column in columns)
        return Product(
            starts, states.finished(), ends.finished(), heads_found, steps, kept, automaton.all_kept, code=self
        )

    # --- components ----------------------------------------------------------------------------------------------

    def fair_parts(self, product: Product, problem: Problem, answers: Answers, most: int) -> list[FairNodes]:
        asked = Asked(answers)
        recurring = [asked.number(formula) for formula in problem.recurring]
        choice_lasting = [asked.number(choice.lasting) for choice in problem.choices]
        choice_recurring = [asked.number(choice.recurring) for choice in problem.choices]
        lasting = asked.number(problem.lasting) if problem.lasting != TRUE else -1
        propositions = asked.tables()
        kept = product.kept if product.kept is not None else range(0)
        columns = [memory_of(column) for column in (product.first, product.heads, product.steps, kept, product.states)]
        first, heads, steps, kept_bits, states = map(address, columns)
        wide_steps, wide_kept = _width(product.steps) == 8, _width(kept) == 8
        tables = [numbers_of(ctypes.c_int32, numbers) for numbers in (recurring, choice_lasting, choice_recurring)]
        c_problem = _Problem(
            *(len(product), first, heads, None if wide_steps else steps, steps if wide_steps else None),
            *(None if wide_kept else kept_bits, kept_bits if wide_kept else None, states, product.all_kept),
            *(lasting, len(recurring), len(problem.choices), *map(ctypes.addressof, tables), most),
        )
        library = self._library
        fair = library.rmq_fair_new(ctypes.byref(c_problem), ctypes.byref(propositions))
        if not fair:
            raise TooLarge
        try:
            count = asked.checked(library.rmq_fair_run(fair))
            found = []
            for i in range(count):
                nodes: array[int] = array("I")
                nodes.frombytes(ctypes.string_at(library.rmq_fair_nodes(fair, i), 4 * library.rmq_fair_count(fair, i)))
                chosen = ctypes.string_at(library.rmq_fair_chosen(fair, i), len(problem.choices))
                found.append(FairNodes(nodes, [bool(flag) for flag in chosen]))
            return found
        finally:
            library.rmq_fair_free(fair)

    def parents(self, product: Product) -> array[int]:
        parents: array[int] = array("I", bytes(4 * len(product)))
        buffers = [memory_of(column) for column in (product.first, product.heads, parents)]
        self._library.rmq_parents(len(product), product.starts, *buffers)
        return parents

    # --- regions -------------------------------------------------------------------------------------------------

    def mark(self, answers: Answers, formula: Formula, base: int, bits: bytearray) -> int:
        asked = Asked(answers)
        number = asked.number(formula)
        propositions, buffer = asked.tables(), memory_of(bits)
        count = len(answers.graph)
        return asked.checked(self._library.rmq_mark(ctypes.byref(propositions), number, count, base, buffer))

    def keep(self, answers: Answers, formula: Formula, inside: bytearray) -> None:
        asked = Asked(answers)
        number = asked.number(formula)
        propositions, buffer = asked.tables(), memory_of(inside)
        asked.checked(self._library.rmq_keep(ctypes.byref(propositions), number, len(inside), buffer))

    def gather(self, bits: bytearray, base: int, count: int, words: int, states: Any) -> tuple[memoryview, memoryview]:
        content, numbers = bytearray(8 * words * count), bytearray(4 * count)
        buffers = [memory_of(column) for column in (states, content, numbers)]
        found = self._library.rmq_gather(memory_of(bits), base, count, words, *buffers)
        return memoryview(content)[: 8 * words * found], memoryview(numbers)[: 4 * found]


def _width(numbers: Any) -> int:
    return 4 if isinstance(numbers, range) else memoryview(numbers).itemsize


def _ways(automaton: Automaton, asked: Asked) -> tuple[Any, Any] | None:
    """All moves of the automaton, by its states; None for too many of those."""
    ways: list[_Way] = []
    ways_of = [0]
    place, known = 0, 1
    while place < known:
        for move in automaton.moves(place):
            of_state = conjunction(need for need in move.needs if not speaks_of_steps(need))
            of_step = conjunction(need for need in move.needs if speaks_of_steps(need))
            step = asked.number(of_step) if of_step != TRUE else -1
            if move.kept >= 1 << 64:
                return None
            ways.append(_Way(asked.number(of_state), step, move.target, move.kept))
            known = max(known, move.target + 1)
        ways_of.append(len(ways))
        place += 1
        if known > _PLACES:
            return None
    return numbers_of(_Way, ways), numbers_of(ctypes.c_int32, ways_of)
