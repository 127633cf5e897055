"""C text to a loaded library: the compiler that is there, and a cache keyed by what went in."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from rmqproof.model.cache import cache_folder

from .errors import NoCompiler

FLAGS = ("-O1", "-std=gnu11", "-shared", "-fPIC", "-pthread", "-fno-strict-aliasing", "-w")
SMALL = 120_000
"""Letters of a text up to which `THOROUGH` costs some tenths of a second; for a large one it is twice the time."""
THOROUGH = ("-O3", "-fno-tree-vectorize")
INSTALL = "install gcc or clang, or `pip install ziglang`, to use the native engine"


@dataclass(frozen=True, slots=True)
class Compiler:
    """A command that compiles C, and what it says of its version."""

    command: tuple[str, ...]
    version: str


@lru_cache(maxsize=1)
def find_compiler() -> Compiler:
    """The command in CC, else cc, gcc or clang on the path, else the ziglang wheel. Raise `NoCompiler`."""
    candidates: list[tuple[str, ...]] = []
    if os.environ.get("CC"):
        candidates.append(tuple(os.environ["CC"].split()))
    candidates += [(name,) for name in ("cc", "gcc", "clang")]
    if find_spec("ziglang") is not None:
        candidates.append((sys.executable, "-m", "ziglang", "cc"))
    for command in candidates:
        if shutil.which(command[0]) is None:
            continue
        try:
            answer = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60, check=True)
        except (OSError, subprocess.SubprocessError):
            continue
        return Compiler(command, answer.stdout.partition("\n")[0])
    raise NoCompiler(f"No C compiler was found: {INSTALL}.")


class Cancelled(Exception):
    """The compiler was told to end."""


def compiled(source: str, extra: tuple[str, ...] = (), cancelled: threading.Event | None = None) -> Path:
    """The shared object of the C text, compiled unless it is in the cache.

    Raise `NoCompiler` when it cannot be, `Cancelled` soon after `cancelled` was set.
    """
    compiler = find_compiler()
    flags = (*FLAGS, *(THOROUGH if len(source) < SMALL else ()), *extra)
    digest = hashlib.sha256("\0".join([source, *compiler.command, compiler.version, *flags]).encode()).hexdigest()
    folder = cache_folder()
    target = folder / f"{digest[:40]}.so"
    if target.exists():
        return target
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NoCompiler(
            f"The cache {folder} cannot be written: {error}. Set RMQPROOF_CACHE to a folder that can."
        ) from error
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        text, result = Path(scratch) / "model.c", Path(scratch) / "model.so"
        text.write_text(source, encoding="utf-8")
        command = [*compiler.command, *flags, "-o", str(result), str(text)]
        status, errors = _run(command, cancelled)
        if status != 0:
            raise NoCompiler(f"{compiler.version} does not compile the model:\n{errors[:2000]}")
        os.replace(result, target)
    return target


def _run(command: list[str], cancelled: threading.Event | None) -> tuple[int, str]:
    """The status of a command, and what it says is wrong."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        while True:
            try:
                errors = process.communicate(timeout=0.1 if cancelled is not None else None)[1]
            except subprocess.TimeoutExpired:
                if cancelled is not None and cancelled.is_set():
                    raise Cancelled from None
            else:
                return process.returncode, errors
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def load(source: str, extra: tuple[str, ...] = (), cancelled: threading.Event | None = None) -> ctypes.CDLL:
    """The loaded library of a program. Raise as `compiled`."""
    return open_library(compiled(source, extra, cancelled))


def open_library(path: Path) -> ctypes.CDLL:
    """A compiled model, with the types of its functions. Raise `OSError`, or `AttributeError` for another library."""
    library = ctypes.CDLL(str(path))
    pointer, number = ctypes.c_void_p, ctypes.c_uint64
    signatures: dict[str, tuple[object, list[object]]] = {
        "rmq_new": (pointer, [ctypes.c_int, number, number]),
        "rmq_files": (ctypes.c_int, [pointer, ctypes.c_int, ctypes.c_int, pointer]),
        "rmq_save": (ctypes.c_int, [pointer]),
        "rmq_resume": (ctypes.c_int, [pointer, pointer, pointer]),
        "rmq_free": (None, [pointer]),
        "rmq_leave": (None, [pointer]),
        "rmq_trim": (None, [pointer]),
        "rmq_run": (ctypes.c_int, [pointer, ctypes.c_double]),
        "rmq_numbers": (None, [pointer, pointer]),
        "rmq_coverage": (None, [pointer, pointer]),
        "rmq_state_words": (ctypes.c_int, []),
        "rmq_argument_words": (ctypes.c_int, []),
        "rmq_states": (ctypes.c_int, [pointer, number, number, pointer, pointer]),
        "rmq_keep_going": (ctypes.c_int, [pointer]),
        "rmq_violations": (number, [pointer, pointer]),
        "rmq_set_violations": (None, [pointer, pointer, number]),
        "rmq_event_state": (None, [pointer, pointer]),
        "rmq_smallest_distance": (number, [pointer]),
        "rmq_kernel_new": (pointer, []),
        "rmq_kernel_free": (None, [pointer]),
        "rmq_kernel_initial": (ctypes.c_int64, [pointer]),
        "rmq_kernel_expand": (ctypes.c_int64, [pointer, pointer, number]),
        "rmq_kernel_check": (ctypes.c_int64, [pointer, pointer, number, ctypes.c_int, pointer, pointer]),
        "rmq_kernel_label": (
            None,
            [*[pointer] * 4, number, number, pointer, ctypes.c_int32, pointer, ctypes.c_int32],
        ),
        "rmq_kernel_fingerprints": (number, [pointer, pointer, number, pointer]),
        "rmq_simulate": (ctypes.c_int, [pointer, pointer, pointer, number, number, pointer]),
        "rmq_kernel_narrow": (ctypes.c_int64, [pointer]),
        "rmq_kernel_columns": (None, [pointer, pointer]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library
