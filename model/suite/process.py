"""A command run to its end in a session of its own: what it took, and what it printed."""

from __future__ import annotations

import math
import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

_LOOK_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Finished:
    """`processor`: seconds of the process and of all that it started and waited for. `clock`: seconds from its start to
    its end. `memory`: MiB of the process itself at its largest. `complete`: it was not stopped for want of time."""

    processor: float
    clock: float
    memory: float
    status: int
    output: str
    errors: str
    complete: bool = True


def finished(
    command: Sequence[str],
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    limit: float = math.inf,
) -> Finished:
    """Run the command; past `limit` seconds it is killed, with what it started. Raise `OSError` where there is none."""
    start = time.perf_counter()
    looking = 0 if limit == math.inf else os.WNOHANG
    with ExitStack() as files:
        output, errors = (files.enter_context(tempfile.TemporaryFile("w+", errors="replace")) for _ in range(2))
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=errors, start_new_session=True
        )
        complete, pid = True, 0
        try:
            while not pid:
                pid, status, usage = os.wait4(process.pid, looking)
                if not pid and complete and time.perf_counter() - start > limit:
                    os.killpg(process.pid, 9)
                    complete = False
                time.sleep(0 if pid else _LOOK_SECONDS)
        finally:
            if not pid:  # an interrupt: it is in a session of its own, and does not hear of it
                os.killpg(process.pid, 9)
                process.wait()
        clock = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        return Finished(
            processor=usage.ru_utime + usage.ru_stime,
            clock=clock,
            memory=usage.ru_maxrss / 1024,
            status=process.returncode,
            output=output.read(),
            errors=errors.read(),
            complete=complete,
        )
