"""Messages of the Debug Adapter Protocol on a stream: a header with the length, an empty line, JSON.

https://microsoft.github.io/debug-adapter-protocol/overview#base-protocol. There is no library for this side of the
protocol that is kept for others: debugpy has its own, which is of Python programs.
"""

from __future__ import annotations

import json
from threading import Lock
from typing import Any, BinaryIO

Message = dict[str, Any]
LARGEST = 1 << 26
"""Bytes of a message that is read."""


class WrongMessage(Exception):
    """What came is no message of the protocol; nothing after it can be read."""


def read_message(stream: BinaryIO) -> Message | None:
    """The next message, None at the end of the stream. Raise `WrongMessage`."""
    length: int | None = None
    while True:
        line = stream.readline(1_000)
        if not line:
            return None
        text = line.decode("latin-1").strip()
        if not text and length is not None:
            break
        name, _, value = text.partition(":")
        if name.strip().lower() == "content-length" and value.strip().isdigit():
            length = int(value)
        elif text and not _:
            raise WrongMessage(f"a header was expected, as Content-Length: 20, and {text[:60]!r} came")
    if length > LARGEST:
        raise WrongMessage(f"a message of {length:,} bytes is longer than any of a client")
    content = stream.read(length)
    if len(content) < length:
        return None
    try:
        message = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise WrongMessage(f"a message is no JSON: {error}") from None
    if not isinstance(message, dict):
        raise WrongMessage("a message is no JSON object")
    return message


class Writer:
    """Sends messages with their numbers. Threads may share it; a client that has gone is no error."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._lock, self._number = stream, Lock(), 0

    def send(self, kind: str, **content: Any) -> None:
        with self._lock:
            self._number += 1
            text = json.dumps({"seq": self._number, "type": kind, **content}).encode("utf-8")
            try:
                self._stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
                self._stream.flush()
            except (OSError, ValueError):
                pass

    def event(self, name: str, **body: Any) -> None:
        self.send("event", event=name, body=body)
