"""The specification in a store, and its states as values: in the driver and in Spark's workers."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from rmqproof.model.evaluate.fingerprint import Encoder
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.native.decode import Decoder
from rmqproof.model.native.description import Description
from rmqproof.model.native.description import description_of as described
from rmqproof.model.search.spark.ending import Past
from rmqproof.model.search.spark.store import Manifest, Store, StoreError
from rmqproof.model.search.spark.system_kernel import decode as unpickled
from rmqproof.model.search.system import State
from rmqproof.model.tla.core import Model
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.overrides import NONE, Overrides
from rmqproof.model.tla.source import Texts

QUESTION = "RmqproofQuestion"
_WANTED = "RmqproofWanted"
_STORED = Path("(store)")
"""What the folder of the texts in a store is called."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What is needed to read a store's states; it travels to the workers. `expressions`: TLA+, about a state."""

    specification: str
    texts: tuple[tuple[str, str], ...] = field(repr=False)
    config: str = field(repr=False)
    check_deadlock: bool = True
    layout: str | None = field(default=None, repr=False)
    words: int = 0
    expressions: tuple[str, ...] = ()
    overrides: Overrides = NONE

    @classmethod
    def of(cls, manifest: Manifest) -> Reading:
        model: Mapping[str, Any] = manifest.model
        return cls(
            str(model["specification"]),
            tuple(sorted(model["texts"].items())),
            str(model["config_text"]),
            bool(model["check_deadlock"]),
            model["layout"],
            manifest.words,
            overrides=Overrides(str(model.get("overrides", "")), frozenset(model.get("without", ()))),
        )

    def files(self) -> ModelFiles:
        """The model's texts as the store has them: no file of the disk beside those that come with rmqproof."""
        given = {_STORED / Path(source).name: text for source, text in self.texts}
        config = _STORED / "Model.cfg"
        texts = Texts.of(given | {config: self.config})
        return ModelFiles(_STORED / f"{self.specification}.tla", config, texts=texts, overrides=self.overrides)

    def asking(self, *expressions: str) -> Reading:
        return replace(self, expressions=expressions)

    @property
    def names(self) -> list[str]:
        """What the expressions are called in the model."""
        return [f"{_WANTED}{number}" for number, _ in enumerate(self.expressions)]


class Reader:
    """A loaded specification. Raise `TlaError` where the expression is wrong."""

    def __init__(self, reading: Reading) -> None:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 6_000))
        self.system = _system(reading)
        self._description = description_of(reading) if reading.layout is not None else None
        self._decoder = Decoder(self._description.layout) if self._description is not None else None
        self._encoder = Encoder()
        named = {prop.name: prop for prop in self.system.invariants}
        self._asked = [named[name] for name in reading.names]

    def state(self, record: bytes) -> State:
        if self._decoder is None:
            return unpickled(record)
        return self.system.state(self._decoder.state(np.frombuffer(record, np.uint64).tolist()))

    def holds(self, record: bytes, which: int = 0) -> bool:
        """An expression in a state. It needs no fingerprint, which costs more than all else."""
        if self._decoder is None:
            state = unpickled(record)
        else:
            state = (*self._decoder.state(np.frombuffer(record, np.uint64).tolist()), 0)
        return self._asked[which].holds(state)

    @property
    def spans(self) -> list[tuple[int, int]] | None:
        """Where the variables lie in a packed state: bit, bits. None where states are not packed."""
        return list(self._description.layout.spans) if self._description is not None else None

    def encoded(self, state: State) -> list[bytes]:
        """Each variable's value in a canonical form: equal for equal values, whatever store they are from."""
        return [self._encoder.encode(value) for value in self.system.values(state)]


def _system(reading: Reading) -> PythonSystem:
    return system_of(model_of(reading))


def model_of(reading: Reading) -> Model:
    """The model that the store is of. Raise `TlaError`."""
    files = reading.files()
    if reading.expressions:
        asked = dict(zip(reading.names, reading.expressions, strict=True))
        body = "".join(f"{name} ==\n{expression}\n" for name, expression in asked.items())
        text = f"---- MODULE {QUESTION} ----\nEXTENDS {files.spec.stem}\n{body}====\n"
        lines = "".join(f"INVARIANT {name}\n" for name in asked)
        over = replace(files.overrides, text=f"{files.overrides.text}\n{lines}")
        files = replace(files.extended(QUESTION, text), overrides=over)
    return replace(files.load(), check_deadlock=reading.check_deadlock)


def description_of(reading: Reading, library: Path = _STORED) -> Description:
    """How the packed states of the store lie; `library`: a shared object that knows them."""
    assert reading.layout is not None
    return described(json.loads(reading.layout), _STORED, library)


@lru_cache(maxsize=4)
def reader_of(reading: Reading) -> Reader:
    """The reader of this process: made once."""
    return Reader(reading)


@dataclass(frozen=True, slots=True)
class Opened:
    """A store that is open for questions."""

    store: Store
    manifest: Manifest
    reading: Reading

    @classmethod
    def at(cls, uri: str) -> Opened:
        """Raise `StoreError`."""
        store = Store(uri)
        manifest = store.load()
        store.verify(manifest)
        if not manifest.model.get("texts"):
            raise StoreError(f"{store.path('manifest.json')}: this store does not say which specification it is of.")
        return cls(store, manifest, Reading.of(manifest))

    def past(self, reader: Reader) -> Past:
        def decode(record: bytes) -> State:
            return reader.state(record)

        return Past(self.store, self.manifest.partitions, reader.system, decode)

    @property
    def same_packing(self) -> str:
        """Stores with equal ones have equal fingerprints for equal states."""
        layout = self.reading.layout
        if layout is None or "VIEW" in self.reading.config or "SYMMETRY" in self.reading.config:
            return ""
        content = json.loads(layout)
        return json.dumps([content["variables"], content["atoms"], self.manifest.tool])
