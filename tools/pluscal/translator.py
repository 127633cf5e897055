"""TLC's translator in one Java process, and ours, on a file."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from rmqproof.model.pluscal.lexer import PlusCalError
from rmqproof.model.pluscal.translate import FORMS, translate
from tools.pluscal.collection import text_of

SOURCE = Path(__file__).parent / "TranslateService.java"

SAME, OTHER_ORDER, BOTH_REFUSE = "same", "other order", "both refuse"
_LIST = re.compile(r"(VARIABLES?|vars ==) [^=\[]*$")


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
        answer = process.stdout.readline()
        if not answer:
            raise SystemExit("TLC's translator did not start, or ended: is TLC in the class path?")
        status, length = answer.split()
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
        return translate(text, FORMS["1.11"]).text, ""
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


@dataclass(frozen=True, slots=True)
class Compared:
    """`outcome` is SAME, OTHER_ORDER (of the variables in lists of them), BOTH_REFUSE, or says what differs."""

    outcome: str
    theirs: str
    mine: str

    @property
    def agrees(self) -> bool:
        return self.outcome in (SAME, OTHER_ORDER, BOTH_REFUSE)


def compared(text: str, translator: Translator, file: str) -> Compared:
    """TLC's translation of a module and ours. `file`: the name that the module has as a file."""
    with tempfile.TemporaryDirectory(prefix="pluscal-") as folder:
        path = Path(folder) / file
        path.write_text(text)
        wrong = translator.translate(path, "-nocfg")
        its = text_of(path)
    mine, error = ours(text)
    if wrong and error:
        outcome = BOTH_REFUSE
    elif wrong:
        outcome = f"only TLC refuses: {' '.join(wrong.split())}"
    elif error:
        outcome = f"only refused here: {error}"
    elif mine == its:
        outcome = SAME
    else:
        outcome = OTHER_ORDER if _without_order(mine) == _without_order(its) else "another text"
    return Compared(outcome, its, mine)


def _without_order(text: str) -> list[str]:
    """With the variables of each list in the order of their names, and without checksums."""
    text = re.sub(r'chksum\((pcal|tla)\) = "[0-9a-f]*"', "", text)
    return [
        " ".join(sorted(found[0].replace(",", " ").split())) if (found := _LIST.match(part)) else " ".join(part.split())
        for part in re.split(r"\n(?=VARIABLES? |vars == |\n)", text)
    ]
