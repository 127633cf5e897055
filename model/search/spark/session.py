"""The Spark session of a search: quiet, and gone when the search is over."""

from __future__ import annotations

import logging
import os
import signal
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from rmqproof.model.search.spark.java import find_java, java_home
from rmqproof.model.search.spark.memory import LEAST_HEAP, MEGABYTE

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RETRIES = 4
"""How often a task may fail: also in `local[N]`, where Spark by itself gives up at once."""
_LOGGING = """\
rootLogger.level = {level}
logger.gateway.name = org.apache.spark.api.python.PythonGatewayServer
logger.gateway.level = {level}
rootLogger.appenderRef.stderr.ref = stderr
appender.console.type = Console
appender.console.name = stderr
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = spark: %p %c{{1}}: %m%n%ex{{1}}
"""

_ON_ONE_MACHINE = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.python.daemon.module": "rmqproof.model.search.spark.daemon",
}


class NoSpark(Exception):
    """PySpark, or what it needs, is not installed."""


def require_spark() -> None:
    """Raise `NoSpark` naming what is missing."""
    missing = [name for name in ("pyspark", "pyarrow", "pandas", "numpy") if find_spec(name) is None]
    if missing:
        raise NoSpark(
            f"--engine spark needs {', '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed: "
            '`pip install "rmqproof[spark]"`.'
        )


def local_cores(master: str) -> int | None:
    """N of `local[N]`, the processors for `local[*]`; None for a cluster."""
    if master == "local":
        return 1
    if not master.startswith("local["):
        return None
    number = master.removeprefix("local[").partition("]")[0].partition(",")[0]
    if number != "*":
        return int(number)
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def is_local(master: str) -> bool:
    return local_cores(master) is not None


def with_retries(master: str) -> str:
    """`local[N]` as `local[N,4]`: a task whose worker dies is tried again."""
    cores = local_cores(master)
    return master if cores is None or "," in master else f"local[{cores},{RETRIES}]"


def active_session() -> SparkSession | None:
    """The session that `spark_session` uses in this thread, if there is one."""
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession()


@contextmanager
def spark_session(
    master: str, *, heap: int = LEAST_HEAP * 2, scratch: Path | None = None, settings: dict[str, str] | None = None
) -> Iterator[SparkSession]:
    """A session on `master`. `heap`: bytes of an executor's JVM; `scratch`: where shuffles are kept.

    The one that is there already is used and left as it is. Raise `NoSpark` or `NoJava`.
    """
    require_spark()
    from pyspark.sql import SparkSession

    active = active_session()
    if active is not None:
        yield active
        return
    with tempfile.TemporaryDirectory(prefix="rmqproof-spark-") as folder, _environment(Path(folder)):
        handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        builder = SparkSession.builder.master(with_retries(master)).appName("rmqproof")
        for name, value in (_settings(Path(folder), master, heap, scratch) | (settings or {})).items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        try:
            # a Spark context takes Ctrl-C for itself; whoever had it decides how to stop
            for number, handler in handlers.items():
                if signal.getsignal(number) is not handler:
                    signal.signal(number, handler)
            if not is_local(master):
                session.sparkContext.addPyFile(_package(Path(folder)))
            yield session
        finally:
            with without_log():
                session.stop()
                _end_gateway()


@contextmanager
def without_log() -> Iterator[None]:
    """A Ctrl-C while a job or the session ends is no error: Py4J logs the traceback."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def _settings(folder: Path, master: str, heap: int, scratch: Path | None) -> dict[str, str]:
    properties = folder / "log4j2.properties"
    level = os.environ.get("RMQPROOF_SPARK_LOG", "off")
    properties.write_text(_LOGGING.format(level=level), encoding="utf-8")
    # a session on one machine is short, and what takes time in it is not in the JVM
    compiler = " -XX:TieredStopAtLevel=1" if master.startswith("local") else ""
    megabytes = max(LEAST_HEAP, heap) // MEGABYTE
    # by TCP a task waits 40 ms for an acknowledgement that the other side delays; where a resource manager says where
    # temporary files are, the name of a socket may become too long
    sockets = os.name == "posix" and master.startswith(("local", "spark://"))
    return {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": f"{megabytes}m",
        "spark.executor.memory": f"{megabytes}m",
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={properties.as_uri()} -XX:+UseSerialGC{compiler}",
        "spark.local.dir": str(scratch or folder),
        "spark.task.maxFailures": str(RETRIES),
        "spark.python.worker.reuse": "true",
        "spark.sql.adaptive.enabled": "false",
        "spark.python.unix.domain.socket.enabled": str(sockets).lower(),
        # one file for what a task sends, and not one for each that gets some of it; blobs are compressed already
        "spark.shuffle.sort.bypassMergeThreshold": "0",
        "spark.shuffle.compress": "false",
        "spark.sql.shuffle.partitions": str(2 * (local_cores(master) or 16)),
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.sql.session.timeZone": "UTC",
        "spark.eventLog.enabled": "false",
        "spark.hadoop.parquet.page.verify-checksum.enabled": "true",
        "spark.locality.wait": "100ms",
    } | (_ON_ONE_MACHINE if is_local(master) else {})


@contextmanager
def _environment(folder: Path) -> Iterator[None]:
    """What Spark reads from the environment while it starts."""
    wanted = {
        "JAVA_HOME": str(java_home(find_java(), folder / "java")),
        "PYSPARK_PYTHON": os.environ.get("PYSPARK_PYTHON", sys.executable),
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _package(folder: Path) -> str:
    """This package as a zip, for executors that do not have it."""
    from rmqproof.parts import files_of

    target = folder / "rmqproof.zip"
    with zipfile.ZipFile(target, "w") as archive:
        for name, path in files_of(["model"]):
            archive.write(path, f"rmqproof/{name}")
    return str(target)


def _end_gateway() -> None:
    """End the JVM too: the next session may want other settings, and nothing of it should outlive the search."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    if gateway is None:
        return
    process = getattr(gateway, "proc", None)
    gateway.shutdown()
    SparkContext._gateway = None
    SparkContext._jvm = None
    if process is not None:
        process.stdin.close()
        process.wait(30)
