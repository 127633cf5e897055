"""Run TLC on the models of tests/tlc/runs.txt, and write down what it prints or compare it with what we print.

python -m tools.tlc record|compare [NAME]...     TLC's classes: $TLC_CLASSPATH
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rmqproof.model.tlc.session import run
from tools.tlc.normal import FILE, normal

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "tlc"
ALWAYS = ("-tool",)
TLC_ALONE = ("-noTE", "-workers", "1", "-fp", "0")


@dataclass(frozen=True, slots=True)
class Run:
    """A model and arguments. `recorded`: TLC's output and its exit status in the last line."""

    name: str
    folder: Path
    arguments: tuple[str, ...]

    @property
    def recorded(self) -> Path:
        return FOLDER / "recorded" / f"{self.name}.out"

    def of_tlc(self) -> tuple[str, int]:
        """The status and the text are in the file that `record` wrote."""
        text, _, status = self.recorded.read_text(encoding="utf-8").rstrip("\n").rpartition("\n")
        return text + "\n", int(status.removeprefix("exit status "))

    def of_ours(self) -> tuple[str, int]:
        written = io.StringIO()  # with what the model itself prints
        with tempfile.TemporaryDirectory() as out, contextlib.chdir(self.folder):
            with contextlib.redirect_stdout(written):
                status = run([*ALWAYS, *self.placed(out)])
            return written.getvalue().replace(f"{out}/", "") + files_of(out), status

    def placed(self, out: str) -> list[str]:
        """The arguments, where {out} stands for a folder for files to be written."""
        return [word.replace("{out}", out) for word in self.arguments]


def files_of(folder: str) -> str:
    """The files that a run wrote, as a part of its output."""
    names = sorted(path.name for path in Path(folder).iterdir())
    texts = [Path(folder, name).read_text(encoding="utf-8").rstrip("\n").replace(f"{folder}/", "") for name in names]
    return "".join(f"{FILE} {name}\n{text}\n" for name, text in zip(names, texts, strict=True))


def runs(names: Sequence[str] = ()) -> Iterator[Run]:
    for line in (FOLDER / "runs.txt").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words and not line.startswith("#") and (not names or words[0] in names):
            yield Run(words[0], ROOT / words[1], tuple(words[2:]))


def differences(one: Run) -> list[str]:
    """Lines of a comparison, TLC's first; empty where the two say the same."""
    theirs, status = one.of_tlc()
    ours, own_status = one.of_ours()
    left = [*normal(theirs), f"exit status {status}"]
    right = [*normal(ours), f"exit status {own_status}"]
    return list(difflib.unified_diff("\n".join(left).splitlines(), "\n".join(right).splitlines(), lineterm="", n=1))


def record(one: Run, classpath: str) -> None:
    java = ["java", "-XX:+UseParallelGC", "-cp", classpath, "tlc2.TLC"]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as out:
        command = [*java, *ALWAYS, *(TLC_ALONE if one.arguments else ()), "-metadir", folder, *one.placed(out)]
        done = subprocess.run(command, cwd=one.folder, capture_output=True, text=True, check=False)
        said = done.stdout.replace(f"{out}/", "")
        files = files_of(out)
    text = re.sub(r"Parsing file .*?([^/\s]+\.tla).*", r"Parsing file \1", said)
    text = re.sub(r"\[pid: .*", "(…).", text)
    one.recorded.write_text(f"{text}{files}exit status {done.returncode}\n", encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    what, *names = arguments or ["compare"]
    classpath = os.environ.get("TLC_CLASSPATH", "")
    different = 0
    for one in runs(names):
        if what == "record":
            if not classpath:
                print("Say where TLC's classes are: TLC_CLASSPATH=tla2tools.jar", file=sys.stderr)
                return 2
            record(one, classpath)
        found = differences(one)
        different += bool(found)
        print(f"{one.name}: {'differs' if found else 'the same'}")
        print("".join(f"    {line}\n" for line in found), end="")
    print(f"{different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
