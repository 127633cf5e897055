"""C text to a program: the compiler that is there, and a cache keyed by what went in."""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rmqproof.model.cache import Untrusted, digest_of, private_folder, put
from rmqproof.model.records import dataclass

from .errors import Cancelled, NoCompiler

COMMON = ("-O1", "-std=gnu11", "-pthread", "-fno-strict-aliasing", "-w")
FLAGS = (*COMMON, "-shared", "-fPIC")
SMALL = 120_000
"""Letters of a text up to which `THOROUGH` costs some tenths of a second; for a large one it is twice the time."""
THOROUGH = ("-O3", "-fno-tree-vectorize")
LARGE = 400_000
"""Letters of a text from which `QUICK` is used: a third to a half of the time, and the program about a sixth slower. A
search in Python does not rest meanwhile, where there is a processor for both."""
QUICK = ("-Og",)
HASTY = ("-DHASTY",)
"""For a program that has little to do. It is made in a fourth of the time, or less."""
GNU = "Free Software Foundation"
"""What each compiler of GCC says of itself, whatever it is called; clang does not."""
GNU_TUNING = ("-mstringop-strategy=libcall",)
"""On x86, GCC clears and copies structures of some hundred bytes by an instruction that takes longer than a call."""
ON_BITS = (("popcnt", "-mpopcnt"), ("bmi1", "-mbmi"), ("bmi2", "-mbmi2"), ("abm", "-mlzcnt"))
"""What an x86 processor may have, by its name in Linux, and the compiler's option."""
INSTALL = "install gcc or clang, or `pip install ziglang`, to use the native engine"

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Compiler:
    """A command that compiles C, and what it says of its version."""

    command: tuple[str, ...]
    version: str
    tuning: tuple[str, ...] = ()
    """Options of this compiler alone: the program does the same."""


def find_compiler() -> Compiler:
    """The command in CC, else cc, gcc or clang on the path, else the ziglang wheel. Raise `NoCompiler`."""
    if not hasattr(os, "fork"):  # the process of a compiled model is given open sockets and files
        raise NoCompiler("Machine code needs a POSIX system: on Windows use WSL.")
    return compiler_of(os.environ.get("CC", ""), os.environ.get("PATH", ""))


@lru_cache(maxsize=8)
def compiler_of(named: str, path: str) -> Compiler:
    if named:
        command = tuple(named.split())
        if not command:
            raise NoCompiler("CC is blank: name a C compiler with it, or unset it.")
        if shutil.which(command[0], path=path) is None:
            raise NoCompiler(f"CC names {command[0]}, which is no program on the path: {INSTALL}.")
        compiler = _asked(command)
        if compiler is None:
            raise NoCompiler(f"CC names {named}, which does not say its version, as a C compiler does: {INSTALL}.")
        return compiler
    candidates = [(name,) for name in ("cc", "gcc", "clang")]
    found: list[tuple[str, ...]] = [c for c in candidates if shutil.which(c[0], path=path) is not None]
    if find_spec("ziglang") is not None:
        found.append((sys.executable, "-m", "ziglang", "cc"))
    for command in found:
        compiler = _asked(command)
        if compiler is not None:
            return compiler
    raise NoCompiler(f"No C compiler was found: {INSTALL}.")


def _asked(command: tuple[str, ...]) -> Compiler | None:
    """None: it does not say its version."""
    try:
        answer = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    gnu = GNU in answer.stdout and platform.machine() in ("x86_64", "AMD64")
    return Compiler(command, answer.stdout.partition("\n")[0], GNU_TUNING if gnu else ())


def compiled(
    source: str, extra: tuple[str, ...] = (), cancelled: threading.Event | None = None, say: Say = lambda text: None
) -> Path:
    """The shared object of the C text, compiled unless it is in the cache. `say` is told where that is not used.

    The options in RMQPROOF_CFLAGS come last. Raise `NoCompiler` when it cannot be, `Cancelled` soon after `cancelled`
    was set.
    """
    return _built(source, _flags_for(source, extra), ".so", cancelled, say)


def is_compiled(source: str) -> bool:
    """Whether `compiled` has the C text in the cache, so that it takes no time. Raise `NoCompiler`."""
    try:
        return _whole(private_folder() / _name_of(find_compiler(), source, _flags_for(source), ".so"))
    except Untrusted:
        return False


def _flags_for(source: str, extra: tuple[str, ...] = ()) -> tuple[str, ...]:
    level = THOROUGH if len(source) < SMALL else QUICK if len(source) > LARGE else ()
    return (*FLAGS, *level, *extra, *os.environ.get("RMQPROOF_CFLAGS", "").split())


@lru_cache(maxsize=1)
def of_this_processor() -> tuple[str, ...]:
    """Options for a program that stays on this machine: instructions on bits, as far as Linux says that it has them.

    Not the wide registers: structures that are written in small parts and copied as a whole become slower with them.
    """
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    known = next((set(line.partition(":")[2].split()) for line in lines if line.startswith("flags")), set())
    return tuple(option for name, option in ON_BITS if name in known)


def executable(source: str, say: Say = lambda text: None) -> Path:
    """The program of the C text, likewise."""
    return _built(source, (*COMMON, "-ldl"), "", None, say)


def _built(source: str, flags: tuple[str, ...], suffix: str, cancelled: threading.Event | None, say: Say) -> Path:
    compiler = find_compiler()
    name = _name_of(compiler, source, flags, suffix)
    try:
        folder = private_folder()
        if _whole(folder / name):
            return folder / name
        return _compile(compiler, source, flags, folder / name, cancelled)
    except Untrusted as error:
        say(str(error))
    except OSError as error:
        say(f"The cache cannot be written ({error.strerror or error}): what is compiled is used once.")
    try:
        folder = Path(_own_folder().name)
        if _whole(folder / name):
            return folder / name
        return _compile(compiler, source, flags, folder / name, cancelled)
    except OSError as error:
        raise NoCompiler(
            f"There is no room to compile the model: {error.strerror or error}. "
            "Set RMQPROOF_CACHE to a folder that can be written."
        ) from error


def _name_of(compiler: Compiler, source: str, flags: tuple[str, ...], suffix: str) -> str:
    """Of the file in the cache."""
    what = [source, *compiler.command, compiler.version, *compiler.tuning, *flags]
    return hashlib.sha256("\0".join(what).encode()).hexdigest()[:40] + suffix


@lru_cache(maxsize=1)
def _own_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder of this process alone, which goes with it. Raise `OSError`."""
    return tempfile.TemporaryDirectory(prefix="rmqproof-")


def _whole(target: Path) -> bool:
    """Whether the program is there, with the digest that it had when it was compiled."""
    try:
        return digest_of(target.read_bytes()) == _digest_beside(target).read_text(encoding="ascii")
    except (OSError, ValueError):
        return False


def _digest_beside(target: Path) -> Path:
    return target.with_name(f"{target.name}.sha256")


def _compile(
    compiler: Compiler, source: str, flags: tuple[str, ...], target: Path, cancelled: threading.Event | None
) -> Path:
    """Raise `OSError` where the folder has no room, else as `compiled`."""
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        text, result = Path(scratch) / "model.c", Path(scratch) / "model.out"
        text.write_text(source, encoding="utf-8")
        libraries = tuple(flag for flag in flags if flag.startswith("-l"))
        others = tuple(flag for flag in flags if not flag.startswith("-l"))
        command = [*compiler.command, *compiler.tuning, *others, "-o", str(result), str(text), *libraries]
        status, errors = _run(command, cancelled)
        free = shutil.disk_usage(target.parent).free
        if status != 0 and (free < LEAST_FREE or "No space left" in errors):
            raise OSError(28, "No space left on the device")
        if status != 0:
            raise NoCompiler(f"{compiler.version} does not compile the model:\n{errors[:2000]}")
        try:
            content = result.read_bytes()
        except FileNotFoundError:
            content = b""
        if not content:
            raise NoCompiler(
                f"{' '.join(compiler.command)} is no C compiler: it made no program. {INSTALL.capitalize()}."
            )
        os.replace(result, target)
        put(_digest_beside(target), digest_of(content).encode())
    return target


LEAST_FREE = 1 << 20
"""Bytes on the disk with less than which a compiler that fails has failed for want of room."""


def _run(command: list[str], cancelled: threading.Event | None) -> tuple[int, str]:
    """The status of a command, and what it says is wrong. What it has started ends with it: `cc` only starts others."""
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
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
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def open_library(path: Path) -> ctypes.CDLL:
    """A compiled model, with the types of its functions. Raise `OSError`, or `AttributeError` for another library."""
    library = ctypes.CDLL(str(path))
    pointer, number = ctypes.c_void_p, ctypes.c_uint64
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "rmq_state_words": (ctypes.c_int, []),
        "rmq_argument_words": (ctypes.c_int, []),
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
        "rmq_simulate": (ctypes.c_int, [pointer, pointer, pointer, number, number, pointer, pointer]),
        "rmq_kernel_narrow": (ctypes.c_int64, [pointer]),
        "rmq_kernel_spoken": (number, [pointer]),
        "rmq_kernel_columns": (None, [pointer, pointer]),
    }
    return typed(library, signatures)


def typed(library: ctypes.CDLL, signatures: Mapping[str, tuple[Any, list[Any]]]) -> ctypes.CDLL:
    """The library, guarded, with the result and the arguments of each of its functions."""
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    guard(library)
    return library


def guard(library: ctypes.CDLL) -> None:
    """From now on a signal that machine code raises in this process is said, and is no signal to who waits for it.

    Nothing is done in a process where somebody else handles such signals (see c/guard.c).
    """
    library.rmq_guard(DIED.encode(), DIED_STATUS)


DIED = (
    ": machine code went wrong, and the run ends. That is an error of rmqproof, not of the model: please report it. "
    "With --engine python there is none.\n"
)
DIED_STATUS = 153
"""The exit status of a system error."""
