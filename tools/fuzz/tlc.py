"""TLC in one Java process that checks thousands of specifications. See TlcService.java."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer

from tools.fuzz.verdict import ERROR, Report

SOURCE = Path(__file__).parent / "TlcService.java"

_MESSAGE = re.compile(r"@!@!@STARTMSG (\d+):(\d+) @!@!@\n(.*?)\n?@!@!@ENDMSG \1 @!@!@", re.DOTALL)
_COUNTS = re.compile(r"([\d,]+) states generated[^,]*, ([\d,]+) distinct states found")
_DEPTH = re.compile(r"depth of the complete state graph search is (\d+)")
_NAMED = re.compile(r"(?:Invariant|Action property|Temporal properties|Property|property) ([\w!]+)")

STATUS = {
    0: "success",
    10: "assumption failure",
    11: "deadlock failure",
    12: "safety failure",
    13: "liveness failure",
}
STATE, INITIAL_STATE, COMPLETED, PROPERTY_FAILED, VIOLATED = "2217", "2216", "2193", "2113", "2116"


class TlcDied(Exception):
    """The process ended, or did not answer in time."""


@dataclass(slots=True)
class Tlc:
    """`classpath`: where the classes of TLC are, and what they need. Started at the first request."""

    classpath: str
    seconds: float = 20.0
    requests: int = 1500
    """After which a new process is started: TLC does not give back all memory."""
    process: subprocess.Popen[bytes] | None = None
    asked: int = 0
    folder: tempfile.TemporaryDirectory[str] = field(default_factory=lambda: tempfile.TemporaryDirectory(prefix="tlc-"))

    def check(self, spec: Path, workers: int = 1, *options: str) -> Report:
        """Raise `TlcDied`; the next request starts anew."""
        return read(*self.ask(spec, workers, *options))

    def ask(self, spec: Path, workers: int = 1, *options: str) -> tuple[int, str]:
        if self.asked >= self.requests:
            self.close()
        process = self.process or self._start()
        self.asked += 1
        request = [
            "-tool",
            "-workers",
            str(workers),
            "-lncheck",
            "final",
            "-metadir",
            str(Path(self.folder.name) / str(self.asked)),  # TLC 2.18 names a folder by the second in which it begins
            *options,
            str(spec),
        ]
        assert process.stdin is not None and process.stdout is not None
        timer = Timer(self.seconds if self.asked > 1 else self.seconds + 120, process.kill)  # it starts first
        timer.start()
        try:
            process.stdin.write(("\t".join(request) + "\n").encode())
            process.stdin.flush()
            head = process.stdout.readline().split()
            if len(head) != 2:
                raise TlcDied(str(spec))
            said = process.stdout.read(int(head[1]))
        except BrokenPipeError:
            raise TlcDied(str(spec)) from None
        finally:
            timer.cancel()
            if process.poll() is not None:
                self.process = None
        return int(head[0]), said.decode(errors="replace")

    def _start(self) -> subprocess.Popen[bytes]:
        command = ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1g", "-Xss4m"]
        command += ["-Dtlc2.tool.fp.FPSet.impl=tlc2.tool.fp.MemFPSet", "-cp", self.classpath, str(SOURCE)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sys.stderr)
        self.asked = 0
        return self.process

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def read(status: int, said: str) -> Report:
    """A report from an exit status and the messages of `-tool`."""
    messages = [(match[1], match[3]) for match in _MESSAGE.finditer(said)]
    verdict = STATUS.get(status, ERROR)
    if any(code == PROPERTY_FAILED for code, _ in messages):
        verdict = ERROR  # TLC ends with 13 for `0^0` there, and with 75 where kinds do not agree
    if any(code == VIOLATED for code, _ in messages):
        verdict = "liveness failure"  # TLC ends with 12 where it is violated at an initial state
    detail = "\n".join(text for code, text in messages if code not in ("2262", "2187", "2220", "2219", "2185", "2186"))
    if verdict == "success" and not any(code == COMPLETED for code, _ in messages):
        verdict = ERROR  # what has no value in a liveness property at an initial state ends it with status 0
    if verdict == ERROR:
        return Report(ERROR, detail=detail or said)
    counts = list(_COUNTS.finditer(said))
    total, distinct = (int(n.replace(",", "")) for n in counts[-1].groups()) if counts else (None, None)
    depth = _DEPTH.search(said)
    states = sum(code == STATE for code, _ in messages) or sum(code == INITIAL_STATE for code, _ in messages)
    named = next((m[1] for code, text in messages if code.startswith("2") and (m := _NAMED.search(text))), "")
    if verdict == "success":
        reached = int(depth[1]) if depth else None
        return Report(verdict, distinct, total, 0 if total == 0 else reached, detail=detail)  # 2.18: 1 of no states
    if verdict == "liveness failure":
        return Report(verdict, detail=detail)
    if verdict == "deadlock failure":
        return Report(verdict, distinct, total, states or None, detail=detail)
    if depth is not None and states < int(depth[1]):
        # It takes the steps again to print the behaviour, counts them, and stops where another disjunct has no value.
        return Report(verdict, violated=named, detail=detail)
    return Report(verdict, distinct, total, states or None, named, detail)


def classpath() -> str | None:
    """From TLC_CLASSPATH; None where it is not set."""
    return os.environ.get("TLC_CLASSPATH") or None
