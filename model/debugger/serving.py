"""Clients, one after the other: on standard input and output, or at a port of this machine."""

from __future__ import annotations

import io
import os
import socket
import sys
from contextlib import redirect_stdout
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO

from rmqproof.model.debugger.adapter import Adapter
from rmqproof.model.debugger.wire import Message, Writer, WrongMessage, read_message

_INTERRUPTING = frozenset(("pause", "disconnect", "terminate"))
"""Requests that end a search that runs."""


class _Told(io.TextIOBase):
    """What the specification prints, as output of the program that is debugged."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if text:
            self._writer.event("output", category="stdout", output=text)
        return len(text)


def serve(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Answer one client until it leaves."""
    writer = Writer(outgoing)
    adapter = Adapter(writer)
    queue: SimpleQueue[Message | WrongMessage | None] = SimpleQueue()

    def read() -> None:
        """In a thread of its own, so that a search can be ended."""
        message: Message | WrongMessage | None = {}
        while isinstance(message, dict) and message.get("command") != "disconnect":
            try:
                message = read_message(incoming)
            except WrongMessage as wrong:
                message = wrong
            except (OSError, ValueError):
                message = None
            if not isinstance(message, dict) or message.get("command") in _INTERRUPTING:
                adapter.ended.set()
            queue.put(message)

    Thread(target=read, daemon=True).start()
    with redirect_stdout(_Told(writer)):
        while not adapter.leaving:
            message = queue.get()
            if isinstance(message, WrongMessage):
                sys.stderr.write(f"{message}\n")
            if not isinstance(message, dict):
                return
            adapter.answer(message)


def serve_standard_streams() -> None:
    """On streams of their own: a thread that waits for input must not hold those that Python closes at its end."""
    with os.fdopen(os.dup(0), "rb") as incoming, os.fdopen(os.dup(1), "wb") as outgoing:
        serve(incoming, outgoing)


def serve_port(port: int) -> None:
    """At a port that this machine alone reaches, until the process is ended. Raise `OSError`."""
    with socket.create_server(("127.0.0.1", port)) as listening:
        sys.stderr.write(f"listening on 127.0.0.1:{listening.getsockname()[1]}; Ctrl-C ends it\n")
        sys.stderr.flush()
        while True:
            connection, _ = listening.accept()
            with connection, connection.makefile("rb") as incoming, connection.makefile("wb") as outgoing:
                serve(incoming, outgoing)
