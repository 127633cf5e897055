"""The files of a search on any file system that pyarrow knows.

    manifest.json                              what is here; written last, after every stretch of levels
    states/level=00012/part-00003.parquet      new states of a level that a part keeps, in the order of discovery
    fingerprints/level=00012/part-00003.parquet  those of all new states of a level that part 3 owns, and who keeps them
    order/level=00012/part-00003.bin           their renumbered order (see ranking.py), while the level is expanded
    edges/level=00012/part-00003.parquet       with --edges: steps that leave states of a level

A file gets its name when it is complete (files.py). Its content depends on the model, the number of partitions and
the kernel alone, so that whichever attempt at a task comes last replaces it by itself. Files that the manifest does not
name do not count, and a search that is resumed removes them: it may number states in another way.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rmqproof.model.search.spark.arrow import FileSystem, Table, fs, pa, pq
from rmqproof.model.search.spark.files import StoreError as StoreError
from rmqproof.model.search.spark.files import Temporary, file_system, shown, temporary
from rmqproof.model.search.spark.rows import ROWS_EACH, SCHEMA
from rmqproof.model.search.statistics import Counters

MANIFEST = "manifest.json"
FORMAT = 6
FOLDERS = ("states", "fingerprints", "order", "edges")
OWNED = pa.schema([pa.field("fingerprint", pa.int64(), nullable=False), pa.field("part", pa.int32(), nullable=False)])
"""Of the files of fingerprints. `part`: of the file with the state."""


@dataclass(slots=True)
class Level:
    """A level whose states are all in files: for each part the rows and the bytes of its file of states."""

    number: int
    rows: list[int]
    bytes: list[int]
    owned: list[int]
    """For each part, the rows and the bytes of its file of fingerprints."""
    owned_bytes: list[int]
    bits: int
    """The lowest bits of `order` that hold the ordinal."""
    edges: list[int] | None = None
    """Rows of the edge files, for a level that was expanded with --edges."""

    @property
    def states(self) -> int:
        return sum(self.rows)


@dataclass(slots=True)
class Manifest:
    """What a store holds. `identity`: a digest of the specification, the constants and everything else that states
    depend on; `kernel`: the key of the recipe, on which packed states and fingerprints depend."""

    identity: str
    description: str
    kernel: str
    engine: str
    partitions: int
    words: int
    tool: str
    actions: list[str]
    variables: list[str]
    model: dict[str, Any] = field(default_factory=dict)
    """What readers need besides: the texts of the specification, the configuration, the packed layout."""
    levels: list[Level] = field(default_factory=list)
    counters: Counters = field(default_factory=Counters)
    """Of the levels that were expanded: all but the last."""
    spoken: int = 0
    """The properties that were not trivial so far: `search.idle`."""
    finished: bool = False
    edges: bool = False
    verdict: str = ""
    seconds: float = 0.0

    @property
    def distinct(self) -> int:
        return sum(level.states for level in self.levels)

    def to_json(self) -> dict[str, Any]:
        found = {item.name: getattr(self, item.name) for item in fields(self)}
        found["levels"] = [{item.name: getattr(level, item.name) for item in fields(Level)} for level in self.levels]
        found["counters"] = asdict(self.counters)
        return found | {"schema": {f.name: str(f.type) for f in SCHEMA}}

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Manifest:
        values = {key: value for key, value in document.items() if key != "schema"}
        values["levels"] = [Level(**level) for level in values["levels"]]
        values["counters"] = Counters(**values["counters"])
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Store:
    """The folder that a URI or a path names. Picklable; each process opens the file system itself."""

    uri: str

    def _open(self) -> tuple[FileSystem, str]:
        return file_system(self.uri)

    @property
    def name(self) -> str:
        """The URI without passwords and options."""
        return shown(self.uri)

    def path(self, name: str) -> str:
        """How messages call a file."""
        return f"{self.name}/{name}"

    # --- any file ----------------------------------------------------------------------------------------------

    def write(self, name: str, content: bytes | Table) -> int:
        """Write a whole file. Returns its size in bytes. Raise `StoreError` where it cannot be written."""
        if not isinstance(content, bytes):
            with self.writer(name, content.schema) as writer:
                writer.add(content)
            return writer.size
        system, root = self._open()
        with self.writing(name):
            file = temporary(system, f"{root}/{name}")
            try:
                with system.open_output_stream(file.path) as stream:
                    stream.write(content)
                return file.put_in_place()
            except OSError:
                file.remove()
                raise

    def writer(self, name: str, schema: Any) -> StoreWriter:
        """To write a Parquet file table by table. Raise `StoreError` where it cannot be written."""
        system, root = self._open()
        with self.writing(name):
            return StoreWriter(self, name, temporary(system, f"{root}/{name}"), schema)

    @contextmanager
    def writing(self, name: str) -> Iterator[None]:
        try:
            yield
        except (OSError, pa.ArrowException) as error:
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise StoreError(
                f"{self.path(name)}: this file cannot be written ({why}). Make room or give leave to write there, and "
                "continue with --resume if the search had begun; or name another folder with --store."
            ) from None

    def read(self, name: str) -> bytes:
        """Raise `StoreError` when there is no such file."""
        system, root = self._open()
        try:
            with system.open_input_stream(f"{root}/{name}") as stream:
                content: bytes = stream.read()
        except OSError as error:
            raise self.refuse(name, f"it cannot be read ({error})") from None
        return content

    def exists(self, name: str) -> bool:
        system, root = self._open()
        with self._looking(name):
            return bool(system.get_file_info(f"{root}/{name}").type != fs.FileType.NotFound)

    def remove(self, name: str) -> None:
        """Remove a folder of the store, if it is there."""
        system, root = self._open()
        with self._looking(name):
            if system.get_file_info(f"{root}/{name}").type == fs.FileType.Directory:
                system.delete_dir(f"{root}/{name}")

    def remove_after(self, level: int) -> None:
        """Remove the states of all levels after this one."""
        system, root = self._open()
        for kind in ("states", "fingerprints", "order"):
            with self._looking(kind):
                for info in system.get_file_info(fs.FileSelector(f"{root}/{kind}", allow_not_found=True)):
                    name, _, number = info.base_name.partition("=")
                    if name == "level" and number.isdecimal() and int(number) > level:
                        system.delete_dir(info.path)

    def clear(self) -> None:
        """Remove what a search has written here."""
        system, root = self._open()
        with self._looking(MANIFEST):
            if self.exists(MANIFEST):
                system.delete_file(f"{root}/{MANIFEST}")
        for folder in FOLDERS:
            self.remove(folder)

    @contextmanager
    def _looking(self, name: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            why = str(error).splitlines()[0]
            raise StoreError(f"{self.path(name)}: the file system does not answer ({why}).") from None

    def refuse(self, name: str, why: str) -> StoreError:
        return StoreError(
            f"{self.path(name)}: this store cannot be used, because {why}. "
            "Leave out --resume and name another folder with --store to start from the beginning."
        )

    # --- states ------------------------------------------------------------------------------------------------

    def columns(self, name: str, columns: list[str]) -> Table:
        """Columns of a Parquet file. Raise `StoreError` where it is damaged."""
        system, root = self._open()
        try:
            table = pq.read_table(
                f"{root}/{name}",
                columns=columns,
                filesystem=system,
                partitioning=None,
                page_checksum_verification=True,
                use_threads=False,
            )
        except (OSError, pa.ArrowException) as error:
            raise self.refuse(name, f"it is damaged ({str(error).splitlines()[0]})") from None
        if table.schema != pa.schema([SCHEMA.field(column) for column in columns]):
            raise self.refuse(name, "it is damaged: its columns are not those of a store")
        return table

    def fingerprints(self, level: int, owner: int) -> Iterator[NDArray[np.uint64]]:
        """Those of a level that an owner has; some at a time."""
        for table in self.groups(fingerprints_file(level, owner), ["fingerprint"], OWNED):
            yield table.column("fingerprint").to_numpy().view(np.uint64)

    def groups(self, name: str, columns: list[str], schema: Any = SCHEMA) -> Iterator[Table]:
        """Columns of a Parquet file, a row group at a time. Raise `StoreError` where it is damaged."""
        with self._parquet(name) as file:
            for group in range(file.num_row_groups):
                yield self._group(file, group, name, columns, schema)

    def rows(self, name: str, columns: list[str], start: int, stop: int | None) -> Iterator[tuple[int, Table]]:
        """Some rows of a file of states, a row group at a time, each with the number of its first row."""
        first = 0
        with self._parquet(name) as file:
            for group in range(file.num_row_groups):
                count = file.metadata.row_group(group).num_rows
                low, high = max(start, first), first + count if stop is None else min(stop, first + count)
                if low < high:
                    yield low, self._group(file, group, name, columns, SCHEMA).slice(low - first, high - low)
                first += count

    def row(
        self, name: str, column: str, wanted: int, columns: list[str], schema: Any = SCHEMA
    ) -> dict[str, Any] | None:
        """The row in which a column of whole numbers has this value. Raise `StoreError` where the file is damaged."""
        with self._parquet(name) as file:
            for group in range(file.num_row_groups):
                numbers = self._group(file, group, name, [column], schema).column(column).to_numpy()
                found = np.flatnonzero(numbers == wanted)
                if len(found):
                    rows = self._group(file, group, name, columns, schema).slice(int(found[0]), 1).to_pylist()
                    return dict(rows[0])
        return None

    @contextmanager
    def _parquet(self, name: str) -> Iterator[Any]:
        system, root = self._open()
        try:
            with pq.ParquetFile(f"{root}/{name}", filesystem=system, page_checksum_verification=True) as file:
                yield file
        except (OSError, pa.ArrowException) as error:
            raise self.refuse(name, f"it is damaged ({str(error).splitlines()[0]})") from None

    def _group(self, file: Any, group: int, name: str, columns: list[str], schema: Any) -> Table:
        table = file.read_row_group(group, columns, use_threads=False)
        if table.schema != pa.schema([schema.field(column) for column in columns]):
            raise self.refuse(name, "it is damaged: its columns are not those of a store")
        return table

    # --- the manifest ------------------------------------------------------------------------------------------

    def save(self, manifest: Manifest) -> None:
        body = _text(manifest.to_json())
        # the body is written as it was hashed: it is long, and there is one after each job
        text = f'{{"format": {FORMAT}, "digest": "{_hash(body)}",\n"store": {body}}}\n'
        self.write(MANIFEST, text.encode())

    def load(self) -> Manifest:
        """Raise `StoreError` when there is no manifest, or it is not to be trusted."""
        if self.exists(MANIFEST):
            return self._manifest(MANIFEST)
        for name in self._unplaced():
            # written, and the process died between the removal of the old one and the move
            with suppress(StoreError):
                return self._manifest(name)
        raise StoreError(
            f"{self.path(MANIFEST)}: there is no store here. "
            "`check --engine spark --store` makes one, without --resume."
        )

    def _manifest(self, name: str) -> Manifest:
        try:
            document = json.loads(self.read(name))
            found, digest, body = document["format"], document["digest"], document["store"]
        except (ValueError, KeyError, TypeError):
            raise self.refuse(name, "it is damaged") from None
        if found != FORMAT:
            raise self.refuse(name, "another version of rmqproof wrote it")
        if digest != _hash(_text(body)):
            raise self.refuse(name, "it is damaged")
        return Manifest.from_json(body)

    def _unplaced(self) -> list[str]:
        """Manifests under temporary names, the latest first."""
        system, root = self._open()
        with self._looking(MANIFEST):
            infos = system.get_file_info(fs.FileSelector(root, allow_not_found=True))
        found = [info for info in infos if info.base_name.startswith(f"_{MANIFEST}.")]
        return [info.base_name for info in sorted(found, key=lambda info: info.mtime_ns or 0, reverse=True)]

    def verify(self, manifest: Manifest) -> None:
        """Every file that the manifest names is there and as long as it says. Raise `StoreError`."""
        system, root = self._open()
        names = [
            (file(level.number, part), size)
            for level in manifest.levels
            for file, sizes in ((states_file, level.bytes), (fingerprints_file, level.owned_bytes))
            for part, size in enumerate(sizes)
        ]
        with self._looking("states"):
            infos = system.get_file_info([f"{root}/{name}" for name, _ in names])
        for (name, size), info in zip(names, infos, strict=True):
            if info.type == fs.FileType.NotFound:
                raise self.refuse(name, "it is missing")
            if info.size != size:
                raise self.refuse(name, f"it has {info.size} bytes and should have {size}")


class StoreWriter:
    """Writes a Parquet file as this store has them: checksums, and statistics of fingerprints.

    Used with `with`: at its end the file gets its name, unless there was an error, which leaves nothing.
    """

    def __init__(self, store: Store, name: str, file: Temporary, schema: Any) -> None:
        self._store, self._name, self._file = store, name, file
        self.size = 0
        """Bytes, at the end."""
        self._writer = pq.ParquetWriter(
            file.path,
            schema,
            filesystem=file.system,
            compression="zstd",
            compression_level=1,
            use_dictionary=[name for name in ("action", "arguments") if name in schema.names],
            write_statistics=["fingerprint"] if "fingerprint" in schema.names else False,
            write_page_checksum=True,
        )

    def add(self, table: Table) -> None:
        with self._store.writing(self._name):
            self._writer.write_table(table, row_group_size=ROWS_EACH)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                with self._store.writing(self._name):
                    self._writer.close()
                    self.size = self._file.put_in_place()
        finally:
            if not self.size:
                with suppress(OSError, pa.ArrowException):
                    self._writer.close()  # before that an object store has nothing to remove
                self._file.remove()


def states_file(level: int, part: int) -> str:
    return f"states/level={level:05}/part-{part:05}.parquet"


def fingerprints_file(level: int, owner: int) -> str:
    return f"fingerprints/level={level:05}/part-{owner:05}.parquet"


def order_file(level: int, part: int) -> str:
    return f"order/level={level:05}/part-{part:05}.bin"


def edges_file(level: int, part: int) -> str:
    return f"edges/level={level:05}/part-{part:05}.parquet"


def owned_table(fingerprints: NDArray[np.uint64], parts: NDArray[np.int32]) -> Table:
    """The columns of a file of fingerprints."""
    return pa.Table.from_arrays([pa.array(fingerprints.view(np.int64)), pa.array(parts)], schema=OWNED)


def _text(body: dict[str, Any]) -> str:
    """A manifest on lines of its own parts."""
    return "{" + ",\n".join(f"{json.dumps(key)}: {json.dumps(body[key], sort_keys=True)}" for key in sorted(body)) + "}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
