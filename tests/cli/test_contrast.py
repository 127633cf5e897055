"""Text on pages can be read: a contrast of at least 4.5 to 1 to what is behind it (WCAG 2.1, 1.4.3)."""

from __future__ import annotations

import re

import pytest

from rmqproof.model.cli import audit_page, coverage_page
from rmqproof.model.report import html as report_page

_HEX = re.compile(r"#[0-9a-f]{6}\b")


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def texts(style: str) -> list[tuple[str, float]]:
    """The rules that colour text, with its contrast to the background that they give it, else to white."""
    found = []
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", style):
        colour = re.search(r"(?:^|[;\s])color:\s*(#[0-9a-f]{6})", body)
        behind = re.search(r"background:\s*(#[0-9a-f]{6})", body)
        if colour is not None:
            found.append((selector.strip(), contrast(colour[1], behind[1] if behind is not None else "#ffffff")))
    return found


STYLES = {
    module.__name__: value
    for module in (audit_page, coverage_page, report_page)
    for value in vars(module).values()
    if isinstance(value, str) and "{" in value and _HEX.search(value) and "color:" in value
}


@pytest.mark.parametrize("name", list(STYLES))
def test_text_can_be_read(name: str) -> None:
    found = texts(STYLES[name])
    assert found
    assert [(selector, round(ratio, 1)) for selector, ratio in found if ratio < 4.5] == []


def test_shades_of_coverage_leave_the_text_readable() -> None:
    assert min(contrast("#1e293b", shade) for shade in coverage_page._SHADES) >= 4.5


def test_a_contrast_that_is_known() -> None:
    assert round(contrast("#000000", "#ffffff")) == 21
    assert round(contrast("#94a3b8", "#ffffff"), 2) == 2.56
