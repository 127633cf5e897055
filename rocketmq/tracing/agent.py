"""The agent: made by the JDK's compiler, put into a process with -javaagent.

It changes classes with the ASM that the JDK has inside, so nothing is shipped and nothing is fetched; a JDK that has it
no more (or a JRE, which has no compiler) is told about.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import Java
from rmqproof.rocketmq.maven import version_key
from rmqproof.rocketmq.releases import cache_folder

_SOURCES = tuple(Path(__file__).with_name(name) for name in ("StepAgent.java", "Steps.java"))
_ASM = tuple(f"java.base/jdk.internal.org.objectweb.asm{part}=ALL-UNNAMED" for part in ("", ".commons"))
_EXPORTS = tuple(part for each in _ASM for part in ("--add-exports", each))
_MANIFEST = "Manifest-Version: 1.0\nPremain-Class: rmqproof.StepAgent\n"
_REMEDY = "Name a JDK that has both, such as 17 (--java /path/to/jdk), or leave out --trace."
FIRST = "5.1.1"
"""The first release that it knows."""
_YEAR = (1980, 1, 1, 0, 0, 0)


def check_release(version: str) -> None:
    """Raise `RocketmqError` for one whose steps it does not know."""
    if version_key(version) < version_key(FIRST):
        raise RocketmqError(
            f"The agent that traces knows the classes from {FIRST} on: those of {version} keep the confirmOffset "
            "elsewhere, and name brokers by their addresses.",
            f"Take {FIRST} or newer, or leave out --trace.",
        )


def build(java: Java) -> Path:
    """The agent's jar for this Java, made once. Raise `RocketmqError`."""
    texts = b"\0".join(source.read_bytes() for source in _SOURCES)
    jar = cache_folder() / "agent" / f"steps-{java.version}-{hashlib.sha256(texts).hexdigest()[:16]}.jar"
    if jar.is_file():
        return jar
    compiler = java.home / "bin" / ("javac.exe" if os.name == "nt" else "javac")
    if not compiler.is_file():
        raise RocketmqError(f"{java.home} (Java {java.version}) has no compiler for the agent that traces.", _REMEDY)
    jar.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=jar.parent))
    try:
        done = subprocess.run(
            [compiler, "-nowarn", *_EXPORTS, "-d", folder / "classes", *_SOURCES], capture_output=True, text=True
        )
        if done.returncode != 0:
            first = next((line for line in done.stderr.splitlines() if "error:" in line), done.stderr.strip()[:300])
            raise RocketmqError(
                f"The agent that traces is not compiled by Java {java.version}, which has to have ASM inside "
                f"(jdk.internal.org.objectweb.asm): {first}",
                _REMEDY,
            )
        made = folder / jar.name
        with zipfile.ZipFile(made, "w") as archive:
            archive.writestr(zipfile.ZipInfo("META-INF/MANIFEST.MF", _YEAR), _MANIFEST)
            for path in sorted((folder / "classes").rglob("*.class")):
                name = path.relative_to(folder / "classes").as_posix()
                archive.writestr(zipfile.ZipInfo(name, _YEAR), path.read_bytes())
        made.replace(jar)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return jar


def options(jar: Path, node: str, version: str, file: Path) -> list[str]:
    """Of the command java, so that the node of this name and release writes its steps to this file."""
    return [*_EXPORTS, f"-javaagent:{jar}={node},{version},{file}"]
