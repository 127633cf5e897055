"""The HTML page of a counterexample."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from rmqproof.model.report.html import html_text, write_html
from rmqproof.model.report.render import NoGraphviz
from tests.report.samples import TRACES, behaviour, sample

_VOID = {"meta", "br", "hr", "img", "path", "polygon", "polyline", "ellipse", "rect", "use"}


class _Balanced(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.links += [value or "" for name, value in attributes if name in ("src", "href", "xlink:href")]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", TRACES)
def test_the_page_is_whole_and_needs_nothing_else(name: str, tmp_path: Path) -> None:
    write_html(sample(name), tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    parser = _Balanced()
    parser.feed(page)
    assert parser.open == []
    assert {"html", "svg", "style", "details"} <= parser.seen
    assert parser.links == []
    assert "<?xml" not in page
    assert page.count("<!DOCTYPE") == 1


def test_what_the_page_says() -> None:
    page = html_text(sample("issue5663"))
    assert "<h1>AckedDurability is violated in step 7.</h1>" in page
    assert "spec/bugs/Issue5663.tla" in page
    assert "history.acked: {} -&gt; {1}" in page


def test_values_are_escaped() -> None:
    page = html_text(behaviour({"x": "a"}, {"x": "<script>alert(1)</script>"}, sentence="a < b & c"))
    assert "<script>" not in page
    assert "a &lt; b &amp; c" in page


def test_without_graphviz_the_page_says_so() -> None:
    def fail(dot: str, kind: str) -> bytes:
        raise NoGraphviz("there is no Graphviz to draw a picture", None)

    page = html_text(sample("die_hard"), fail)
    assert "No diagram: there is no Graphviz to draw a picture." in page
    assert "NotFour is violated in step 7." in page
