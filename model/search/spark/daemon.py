"""What Spark starts on this machine to fork Python workers: `pyspark.daemon`, whose workers end quietly.

A worker that waits for its next task when the session ends tries to say so. The connection is a Unix socket that Java
has closed, so the writing fails, and pyspark's daemon would print a traceback below a search's answer.
"""

from __future__ import annotations

import socket
from collections.abc import Callable

GONE = 1
"""A worker's exit status where nobody hears it any more."""

Worker = Callable[[socket.socket, bool], int]


def quiet(worker: Worker) -> Worker:
    """`worker`, but that nobody listens is no error."""

    def run(connection: socket.socket, authenticated: bool) -> int:
        try:
            return worker(connection, authenticated)
        except (BrokenPipeError, ConnectionResetError):
            return GONE

    return run


def main() -> None:
    from pyspark import daemon

    daemon.worker = quiet(daemon.worker)  # type: ignore[assignment]  # which manager looks up by this name
    daemon.manager()


if __name__ == "__main__":
    main()
