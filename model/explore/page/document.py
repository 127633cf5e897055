"""The page itself: as the server sends it, and as one file."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from importlib.resources import files
from typing import Any

from rmqproof.model.explore.page.graph import graph_json
from rmqproof.model.explore.page.views import ModelViews, NoSuchStep, TraceViews

SERVED = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""What a browser may do with the page that is served."""
_MOST_WHY = 400
"""States of a file for which it says why an action is not possible."""


def asset(name: str) -> str:
    """`page.js`, `page.css` or `page.html`."""
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


def served_page(title: str) -> str:
    """The page that loads its script and its style from beside it."""
    return _page(title, '<link rel="stylesheet" href="page.css">', '<script src="page.js" defer></script>', "")


def single_file(views: ModelViews | TraceViews, most: int) -> str:
    """A file that needs nothing else: of a model the first `most` states, the walks that were given whole."""
    data = json.dumps(_data(views, most), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    style, script = asset("page.css"), asset("page.js")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )
    return _page(
        views.model()["name"],
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n<style>{style}</style>',
        f'<script type="application/json" id="data">{data}</script>\n<script>{script}</script>',
        "",
    )


def _page(title: str, head: str, end: str, body: str) -> str:
    text = asset("page.html").replace("<!--title-->", escape(title))
    return text.replace("<!--head-->", head).replace("<!--end-->", end)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _data(views: ModelViews | TraceViews, most: int) -> dict[str, Any]:
    model = views.model() | {"live": False, "formats": []}
    walks = [[step["to"] for step in views.walk(numbers)["steps"]] for numbers in model["given"]]
    ids = dict.fromkeys(id for walk in walks for id in walk)
    graph = None
    if isinstance(views, ModelViews):
        graph = graph_json(views.space, most, None, views._id)
        ids |= dict.fromkeys(id for node in graph["nodes"] for id in node["ids"])
    states = {id: views.state(id) for id in ids}
    why: dict[int, dict[str, Any]] = {}
    values: dict[str, dict[int, Any]] = {}
    if isinstance(views, ModelViews):
        for id in list(ids)[:_MOST_WHY]:
            why[id] = {action: views.why(id, action)["reasons"][:4] for action in states[id]["impossible"]}
        for text in views.watched:
            found = views.values(text, [[id, id] for id in ids])["values"]
            values[text] = dict(zip(ids, found, strict=True))
    return {
        "model": model,
        "states": states,
        "why": why,
        "values": values,
        "graph": graph,
        "charts": [views.chart(numbers) for numbers in model["given"]],
        "compare": views.compare(*model["given"][:2]) if len(model["given"]) > 1 else None,
    }


__all__ = ["SERVED", "NoSuchStep", "asset", "served_page", "single_file"]
