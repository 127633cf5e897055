"""Kernels of TLA+ models for the Spark search: compiled where the model compiles, else the Python engine."""

from __future__ import annotations

import ctypes
import hashlib
import json
import pickle
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.evaluate.deep_stack import in_deep_stack
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.evaluate.values import Value
from rmqproof.model.native.build import compiled
from rmqproof.model.native.errors import NoCompiler
from rmqproof.model.native.kernel import Batch
from rmqproof.model.native.kernel import Kernel as NativeKernel
from rmqproof.model.native.shared_object import SharedObject
from rmqproof.model.search.spark.kernel import Arguments, Expansion, States
from rmqproof.model.search.spark.system_kernel import SystemKernel
from rmqproof.model.search.spark.table import CompiledTable, FingerprintTable, SetTable, load_table
from rmqproof.model.search.system import State
from rmqproof.model.tla.core import Model
from rmqproof.version import VERSION


def table_library(travels: bool) -> SharedObject | None:
    """`table.c`, compiled; None without a compiler."""
    source = resources.files("rmqproof.model.search.spark").joinpath("table.c").read_text(encoding="utf-8")
    try:
        return SharedObject.of(compiled(source), travels)
    except NoCompiler:
        return None


@lru_cache(maxsize=4)
def _table(library: SharedObject) -> ctypes.CDLL:
    return load_table(str(library.file()))


def shown_arguments(values: Sequence[Value]) -> str:
    """What an action was called with, as a JSON array of ITF values."""
    return json.dumps([to_itf(value) for value in values], ensure_ascii=False)


def make_table(library: SharedObject | None) -> FingerprintTable:
    return SetTable() if library is None else CompiledTable(_table(library))


class CompiledKernel:
    """A native kernel with its columns as arrays."""

    def __init__(self, kernel: NativeKernel, table: SharedObject | None) -> None:
        self.native = kernel
        self.words = kernel.words
        self.argument_words = kernel.argument_words
        self._table = table

    @property
    def actions(self) -> Sequence[str]:
        return self.native.description.actions

    def table(self) -> FingerprintTable:
        return make_table(self._table)

    def arguments(self, encoded: Arguments) -> list[str | None]:
        found = (self.native.arguments(row) for row in encoded.tolist())
        return [None if values is None else shown_arguments(values) for values in found]

    def narrow(self) -> int:
        return self.native.narrow()

    def spoken(self) -> int:
        return self.native.spoken()

    def initial(self) -> Expansion:
        return self._columns(self.native.initial())

    def expand(self, states: States) -> Expansion:
        return self._columns(self.native.expand(np.require(states, np.uint64, ["C", "W"])))

    def check(self, states: States, initial: bool) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
        found = self.native.check(np.require(states, np.uint64, ["C", "W"]), initial)
        return np.frombuffer(found.verdicts, np.uint8), np.frombuffer(found.properties, np.int16)

    def _columns(self, batch: Batch) -> Expansion:
        return Expansion(
            np.frombuffer(batch.states, np.uint64).reshape(batch.count, self.words),
            np.frombuffer(batch.fingerprints, np.uint64),
            np.frombuffer(batch.parents, np.uint32).astype(np.int64),
            np.frombuffer(batch.ordinals, np.uint32).astype(np.int64),
            np.frombuffer(batch.actions, np.uint16).astype(np.int16),
            np.frombuffer(batch.inside, np.uint8).view(np.bool_),
            np.frombuffer(batch.verdicts, np.uint8),
            np.frombuffer(batch.properties, np.int16),
            np.frombuffer(batch.outcomes, np.uint8),
            np.frombuffer(batch.arguments, np.uint64).reshape(batch.count, self.argument_words),
        )


@dataclass(frozen=True, slots=True)
class CompiledRecipe:
    """`description`: the JSON of the packed layout, without the library's path."""

    description: str
    library: SharedObject
    tables: SharedObject | None

    @classmethod
    def of(cls, kernel: NativeKernel, travels: bool) -> CompiledRecipe:
        library = kernel.description.library
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "kernel.json"
            kernel.description.write(path)
            text = json.loads(path.read_text(encoding="utf-8")) | {"library": ""}
        return cls(json.dumps(text), SharedObject.of(library, travels), table_library(travels))

    @property
    def key(self) -> str:
        content = f"{VERSION}\n{self.description}".encode()
        return f"native {hashlib.sha256(content).hexdigest()[:32]}"

    def kernel(self) -> CompiledKernel:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "kernel.json"
            path.write_text(self.description, encoding="utf-8")
            return CompiledKernel(NativeKernel.open(path, self.library.file()), self.tables)


@dataclass(frozen=True, slots=True)
class PythonRecipe:
    """The model travels as a pickle, and is made into Python functions in the worker."""

    identity: str
    model: bytes = field(repr=False)
    tables: SharedObject | None

    @classmethod
    def of(cls, model: Model, identity: str, travels: bool) -> PythonRecipe:
        content: bytes = in_deep_stack(lambda: pickle.dumps(model, protocol=5))
        return cls(identity, content, table_library(travels))

    @property
    def key(self) -> str:
        return f"python {VERSION} {self.identity}"

    def kernel(self) -> SystemKernel:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 6_000))
        model: Model = in_deep_stack(lambda: pickle.loads(self.model))
        return SystemKernel(system_of(model), lambda: make_table(self.tables), shown_arguments)


def packed_decoder(kernel: NativeKernel, system: PythonSystem) -> Any:
    """From the bytes of a packed state to the Python engine's state."""

    def decode(record: bytes) -> State:
        return system.state(kernel.decode(np.frombuffer(record, np.uint64).tolist()))

    return decode
