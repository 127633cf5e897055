"""A Spark cluster on this machine: a master and workers, each a process of its own, as on many machines."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyspark

from rmqproof.model.search.spark.java import find_java, java_home
from tests.observing import wait_until

HOME = Path(pyspark.__file__).parent


class NotStarted(Exception):
    """A process of the cluster said nothing in time, or died."""


class Place(Protocol):
    """Where a process runs."""

    @property
    def address(self) -> str: ...

    @property
    def prefix(self) -> Sequence[str]:
        """What its command begins with."""
        ...


@dataclass(frozen=True, slots=True)
class _Here:
    address: str = "127.0.0.1"
    prefix: tuple[str, ...] = ()


HERE = _Here()


@contextmanager
def _process(folder: Path, name: str, said: str, arguments: list[str], place: Place) -> Iterator[str]:
    """Start a class of Spark's and wait until it says something that matches. Gives its first group."""
    log = folder / f"{name}.log"
    environment = environment_of_others() | {
        "JAVA_HOME": str(java_home(find_java(), folder / "java")),
        "SPARK_HOME": str(HOME),
        "SPARK_LOCAL_IP": place.address,
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
    }
    with log.open("w") as out:
        command = [*place.prefix, "/bin/bash", str(HOME / "bin" / "spark-class"), *arguments]
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment, cwd=folder)
    try:
        wait_until(lambda: re.search(said, log.read_text()) is not None, process)
        found = re.search(said, log.read_text())
        if found is None:
            raise NotStarted(f"{name}: {log.read_text()[-2000:]}")
        yield found.group(1)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def cluster(
    folder: Path,
    workers: int = 2,
    cores: int = 1,
    memory: str = "1g",
    master_at: Place = HERE,
    workers_at: Sequence[Place] = (),
) -> Iterator[str]:
    """The master's URL. Each worker has so many cores, and runs executors with so much memory."""
    started = ["org.apache.spark.deploy.master.Master", "--port", "0", "--webui-port", "0"]
    said = r"Starting Spark master at (spark://\S+)"
    with ExitStack() as stack:
        command = [*started, "--host", master_at.address]
        master = stack.enter_context(_process(folder, "master", said, command, master_at))
        for number, place in enumerate(workers_at or [HERE] * workers):
            options = ["--cores", str(cores), "--memory", memory, "--webui-port", "0", "--host", place.address]
            options += ["--work-dir", str(folder / f"work{number}"), master]
            registered = r"Successfully registered with (master \S+)"
            worker = ["org.apache.spark.deploy.worker.Worker", *options]
            stack.enter_context(_process(folder, f"worker{number}", registered, worker, place))
        yield master


def environment_of_others() -> dict[str, str]:
    """What another's machine would have: without the path by which workers of the tests' own session find them."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def bare_python(folder: Path) -> Path:
    """A Python that has this one's libraries and not this project: what an executor's machine has."""
    script = folder / "python"
    libraries = HOME.parent
    script.write_text(
        f'#!/bin/bash\nexport PYTHONPATH="$PYTHONPATH:{libraries}"\nexec {sys.executable} -S "$@"\n',
        encoding="utf-8",
    )
    script.chmod(0o755)
    return script
