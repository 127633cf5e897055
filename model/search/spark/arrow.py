"""PyArrow without its stubs, which know less than it does about arrays of numpy."""

from __future__ import annotations

from importlib import import_module
from typing import Any

pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")
pq: Any = import_module("pyarrow.parquet")
fs: Any = import_module("pyarrow.fs")

Table = Any
Column = Any
Batch = Any
FileSystem = Any
