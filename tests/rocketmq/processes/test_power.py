"""What a process forces to its disk is what a loss of power leaves: tried on a process of Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.processes import power

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="the library is for Linux, and a compiler makes it"
)
WRITER = """
import mmap, os
os.makedirs("commitlog"); os.makedirs("config")
with open("commitlog/0", "w+b") as file:
    file.truncate(3 * 4096)
    with mmap.mmap(file.fileno(), 0) as log:
        log[0:6] = b"forced"
        log[4096:4102] = b"second"
        log.flush()
        log[0:6] = b"later!"
        log[8192:8196] = b"lost"
with open("commitlog/1", "wb") as file:
    file.write(b"never forced")
with open("checkpoint", "wb", buffering=0) as file:
    file.write(b"whole file"); os.fsync(file.fileno()); file.write(b", and more")
with open("commitlog/2", "wb", buffering=0) as file:
    file.write(b"of before"); os.fdatasync(file.fileno())
os.rename("commitlog/2", "commitlog/3")
with open("commitlog/4", "wb", buffering=0) as file:
    file.write(b"removed"); os.fsync(file.fileno())
os.remove("commitlog/4")
with open("commitlog/4", "wb") as file:
    file.write(b"another")
with open("config/topics.json", "wb") as file:
    file.write(b"{}")
"""


def test_only_what_was_forced_is_left(tmp_path: Path) -> None:
    store, kept = tmp_path / "store", tmp_path / "kept"
    store.mkdir()
    settings = power.environment(power.build(tmp_path), store, kept)
    subprocess.run([sys.executable, "-S", "-c", WRITER], cwd=store, env={**os.environ, **settings}, check=True)
    assert (store / "commitlog" / "0").read_bytes()[:6] == b"later!"
    power.lose_power(store, kept)
    page = bytes(4096)
    assert (store / "commitlog" / "0").read_bytes() == b"forced" + page[6:] + b"second" + page[6:] + page
    assert (store / "commitlog" / "1").read_bytes() == bytes(len("never forced"))
    assert (store / "checkpoint").read_bytes() == b"whole file" + bytes(len(", and more"))
    assert (store / "commitlog" / "3").read_bytes() == b"of before"
    assert (store / "commitlog" / "4").read_bytes() == bytes(len("another"))
    assert (store / "config" / "topics.json").read_bytes() == b"{}"


def test_without_a_compiler(tmp_path: Path) -> None:
    with pytest.raises(RocketmqError, match="no C compiler"):
        power.build(tmp_path, ("no-compiler",))
