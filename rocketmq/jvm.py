"""A JVM in this process with the classes of one release (JPype). There is one a process, and it is never left."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import Java
from rmqproof.rocketmq.releases import Release

_OPEN = (
    *("java.lang", "java.lang.reflect", "java.math", "java.net", "java.nio", "java.text", "sun.nio.ch"),
    *("java.util", "java.util.concurrent", "java.util.concurrent.atomic", "java.util.concurrent.locks"),
)
"""Packages of Java itself that RocketMQ's serialiser and its mapped files look into."""
_SILENT = '<?xml version="1.0"?><configuration><root level="OFF"/></configuration>\n'
_LOGGING = """<?xml version="1.0"?>
<configuration>
  <appender name="file" class="ch.qos.logback.core.FileAppender">
    <file>{file}</file>
    <encoder><pattern>%level %logger %message%n%ex{{2}}</pattern></encoder>
  </appender>
  <root level="INFO"><appender-ref ref="file"/></root>
</configuration>
"""


def start(release: Release, java: Java, folder: Path, log: Path | None = None) -> Any:
    """Start it and return the module jpype. `folder` is its home, where RocketMQ may leave logs, and of all
    temporary folders of this process; whoever made it
    removes it. What the classes log goes to `log`, or nowhere. Raise `RocketmqError`, also where a JVM runs already."""
    try:
        import jpype
    except ImportError:
        raise RocketmqError(
            "JPype is not installed, and it connects Python and Java.", "pip install 'rmqproof[rocketmq]'."
        ) from None
    if jpype.isJVMStarted():
        raise RocketmqError("A JVM runs in this process already.", "Use a process for each release.")
    logging = folder / "logging.xml"
    logging.write_text(_SILENT if log is None else _LOGGING.format(file=log), encoding="utf-8")
    arguments = [
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xrs",  # signals stay Python's
        f"-Duser.home={folder}",
        f"-Drmq.logback.configurationFile={logging}",
        f"-Drocketmq.logback.configurationFile={logging}",
        f"-Dlogback.configurationFile={logging}",
        "-Djava.net.preferIPv4Stack=true",
        *([f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in _OPEN] if java.version > 8 else []),
        *(["--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED"] if java.version > 8 else []),
    ]
    try:
        jpype.startJVM(
            str(java.library), *arguments, classpath=release.class_path, convertStrings=False, interrupt=False
        )
    except Exception as error:  # JPype raises whatever the JVM said
        raise RocketmqError(
            f"The JVM of {java.home} (Java {java.version}) does not start: {error}",
            "Try another Java: --java /path/to/jdk. JPype and Java must be of the same architecture.",
        ) from None
    os.environ.setdefault("ROCKETMQ_HOME", str(folder))
    tempfile.tempdir = str(folder)  # what is left of a store goes with it
    return jpype
