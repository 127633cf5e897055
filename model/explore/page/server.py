"""Serves the page to this machine alone.

The address is one of this machine's own (127.0.0.1), with a random token in its path. A request without it, or one
whose Host is another name (what a page from elsewhere would have to send), is answered with nothing.
"""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.explore.page.document import SERVED, asset, served_page
from rmqproof.model.explore.page.views import Views
from rmqproof.model.explore.session import NoSuchStep
from rmqproof.model.tla.source import TlaError

_MOST_BYTES = 4_000_000
_TYPES = {"page.js": "text/javascript", "page.css": "text/css"}


class Server(ThreadingHTTPServer):
    """`url` is where the page is."""

    daemon_threads = True

    def __init__(self, views: Views, port: int = 0) -> None:
        self.views = views
        self.token = secrets.token_urlsafe(24)
        self.asking = Lock()
        """The engine answers one question after the other, but for what is looked for elsewhere."""
        views.meanwhile = self._meanwhile
        super().__init__(("127.0.0.1", port), _Handler)

    @contextmanager
    def _meanwhile(self) -> Iterator[None]:
        self.asking.release()
        try:
            yield
        finally:
            self.asking.acquire()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/{self.token}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that was closed before its answer came is no error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def answers(self) -> dict[str, Callable[..., dict[str, Any]]]:
        views = self.views
        return {
            name: getattr(views, name)
            for name in ("model", "state", "walk", "values", "why", "find", "chart", "export", "compare", "graph")
        }


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "rmqproof"
    sys_version = ""

    def do_GET(self) -> None:
        name = self._asked()
        if name is None:
            return
        if name == "":
            title = self.server.views.model()["name"]
            self._send(HTTPStatus.OK, served_page(title), "text/html")
        elif name in _TYPES:
            self._send(HTTPStatus.OK, asset(name), _TYPES[name])
        else:
            self._send(HTTPStatus.NOT_FOUND, "", "text/plain")

    def do_POST(self) -> None:
        name = self._asked()
        if name is None:
            return
        answer = self.server.answers().get(name.removeprefix("api/")) if name.startswith("api/") else None
        length = self.headers.get("Content-Length", "")
        as_json = self.headers.get("Content-Type", "").partition(";")[0] == "application/json"
        if answer is None or not length.isdigit() or int(length) > _MOST_BYTES or not as_json:
            self.close_connection = True
            self._send(HTTPStatus.BAD_REQUEST, "", "text/plain")
            return
        self._answer(answer, self.rfile.read(int(length)))

    def _answer(self, answer: Callable[..., dict[str, Any]], body: bytes) -> None:
        try:
            with self.server.asking:
                found = deeply(lambda: answer(**json.loads(body)))
        except (TlaError, NoSuchStep) as error:
            found = {"error": str(error), "failed": True}
        except (TypeError, ValueError, KeyError, IndexError, AttributeError):
            self._send(HTTPStatus.BAD_REQUEST, "", "text/plain")
            return
        except RecursionError:
            found = {"error": "The evaluation does not end.", "failed": True}
        self._send(HTTPStatus.OK, json.dumps(found, ensure_ascii=False), "application/json")

    def _asked(self) -> str | None:
        """What is asked for below the token; None: it was answered with nothing."""
        host = self.headers.get("Host", "")
        ours = {f"{name}:{self.server.server_port}" for name in ("127.0.0.1", "localhost")}
        _, token, *rest = self.path.partition("?")[0].split("/", 2) if self.path.startswith("/") else ("", "")
        if host not in ours or not secrets.compare_digest(token.encode(), self.server.token.encode()) or not rest:
            self.close_connection = True
            self._send(HTTPStatus.NOT_FOUND, "", "text/plain")
            return None
        return rest[0]

    def _send(self, status: HTTPStatus, text: str, kind: str) -> None:
        content = text.encode()
        self.send_response(status)
        for name, value in {
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Length": str(len(content)),
            "Content-Security-Policy": SERVED,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "no-store",
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of each request."""
