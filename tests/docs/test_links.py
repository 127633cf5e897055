"""Every link in README and docs/ leads somewhere: to a file of the repository, and to a heading of the page."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
_LINK = re.compile(r"\]\((?!\w+:)(?P<path>[^)\s#]*)(?:#(?P<heading>[^)\s]*))?\)")


@pytest.mark.parametrize("group", ["README", "docs", "docs/bugs"])
def test_links_lead_somewhere(group: str) -> None:
    pages = [page for page in PAGES if page.parent == {"README": ROOT}.get(group, ROOT / group)]
    if group == "docs":
        pages = [page for page in PAGES if page.parent not in (ROOT, ROOT / "docs" / "bugs")]
    assert pages
    assert not [wrong for page in pages for wrong in broken(page)]


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# A Heading, with `code`\n")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](other.md) [b](other.md#a-heading-with-code) [c](gone.md) [d](other.md#nothing) [e](#here)\n"
        "```\n[f](code.md)\n```\n# Here\n"
    )
    assert [wrong.split(": ")[1] for wrong in broken(page)] == ["gone.md", "other.md#nothing"]


def broken(page: Path) -> list[str]:
    """Links of a page that lead nowhere, outside of code."""
    found = []
    for link in _LINK.finditer(_prose(page)):
        target = (page.parent / link["path"]).resolve() if link["path"] else page
        there = target.exists()
        if there and link["heading"] and target.suffix == ".md":
            there = link["heading"] in _headings(target)
        if not there:
            found.append(f"{page.name}: {link['path']}{'#' + link['heading'] if link['heading'] else ''}")
    return found


def _prose(page: Path) -> str:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`(?!\])", "", text)


@cache
def _headings(page: Path) -> frozenset[str]:
    """The anchors of a page, as the hosting site and the built one make them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ +(.*?) *$", page.read_text(encoding="utf-8"), re.MULTILINE):
        plain = unicodedata.normalize("NFKD", re.sub(r"[`*]", "", heading)).lower()
        found.add(re.sub(r" ", "-", re.sub(r"[^\w\- ]", "", plain)))
    return frozenset(found)
