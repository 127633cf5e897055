"""TLC's translator in one Java process, and ours, on a file."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from rmqproof.model.pluscal.lexer import PlusCalError
from rmqproof.model.pluscal.translate import translate

SOURCE = Path(__file__).parent / "TranslateService.java"


@dataclass(slots=True)
class Translator:
    """TLC's; started at the first request."""

    classpath: str
    process: subprocess.Popen[bytes] | None = None

    def translate(self, spec: Path, *options: str) -> str:
        """Write the translation into the file, and its configuration beside it. What was said of errors; empty where
        there is none."""
        if self.process is None:
            command = [
                "java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xss4m",
                "-cp",
                self.classpath,
                str(SOURCE),
            ]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sys.stderr)
        process = self.process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(("\t".join(["-unixEOL", *options, str(spec)]) + "\n").encode())
        process.stdin.flush()
        status, length = process.stdout.readline().split()
        said = process.stdout.read(int(length)).decode(errors="replace")
        return said if status != b"0" or "rror:" in said else ""

    def close(self) -> None:
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process = None


def ours(text: str) -> tuple[str, str]:
    """The text with its translation, or what is wrong with it."""
    try:
        return translate(text).text, ""
    except PlusCalError as error:
        return "", error.message or "?"


def with_options(text: str, options: str) -> str:
    """The text with these options, and no others; as it is where none are given."""
    return text if not options else f"\\* PlusCal options ({options})\n{text}"


def without_translation(text: str) -> str:
    """What stands between the marks is taken away; the marks say where a translation belongs."""
    lines = text.split("\n")
    begin = next((number for number, line in enumerate(lines) if "BEGIN TRANSLATION" in line), None)
    if begin is None:
        return text
    end = next(number for number, line in enumerate(lines) if number > begin and "END TRANSLATION" in line)
    return "\n".join(lines[: begin + 1] + lines[end:])
