"""A jump over all states of a store, by keys in a real browser: `make browser`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.explore.page.views import ModelViews
from rmqproof.model.explore.space import open_space
from rmqproof.model.states.reading import Opened
from rmqproof.model.states.stored_states import StoredStates
from tests.explore.test_browser import at, browser, page, served, titles
from tests.search.spark.test_states import search

__all__ = ["browser", "page"]
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("spark")]


def test_a_jump_looks_at_the_whole_store(page: Any, spark: Any, tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert search(store).exit_code == 0
    opened = Opened.at(str(store))
    views = ModelViews(open_space(opened.reading.files()), stored=StoredStates(opened, lambda: spark))
    with served(views) as address:
        page.goto(address)
        at(page, 1)
        page.keyboard.press("/")
        page.keyboard.type("Cardinality(heard) = 2")
        page.keyboard.press("Enter")
        at(page, 5)
        assert len(titles(page)) == 5
        assert page.locator("#state").inner_text().count("heard") >= 1
        page.keyboard.press("/")
        page.locator("#jump").fill("FALSE")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=True in none of the 1,568 states of the store.")
        at(page, 5)  # it stays where it was
