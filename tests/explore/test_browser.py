"""The explorer in a real browser, by clicks and keys: `make browser`, where there is Playwright and Chromium.

The browser is the one that RMQPROOF_BROWSER names, else `chromium` or `google-chrome`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from rmqproof import check, load
from rmqproof.model.explore.page.document import single_file
from rmqproof.model.explore.page.server import Server
from rmqproof.model.explore.page.views import ModelViews
from rmqproof.model.explore.space import open_space

pytestmark = pytest.mark.browser

LOCK = Path(__file__).parents[2] / "docs" / "tutorial" / "Lock.tla"
HOSTILE = "</script><img src=x onerror=alert(1)><b>bold</b>"
EVIL = f"""---- MODULE Evil ----
EXTENDS Sequences
VARIABLE x
Init == x = "{HOSTILE}"
Say(what) == x' = what
Next == Say("{HOSTILE}!") \\/ Say("<i>")
Fine == x # "<i>"
====
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    path = os.environ.get("RMQPROOF_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("there is no browser: name one with RMQPROOF_BROWSER")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page that complains of nothing: no error in its script, nothing that its policy had to stop."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000}, accept_downloads=True)
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("dialog", lambda dialog: (wrong.append(f"dialog {dialog.message}"), dialog.dismiss()))
    yield opened
    context.close()
    assert wrong == []


@contextmanager
def served(views: ModelViews) -> Iterator[str]:
    with Server(views) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server.url
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def lock() -> Iterator[str]:
    with served(ModelViews(open_space(load(LOCK).files))) as address:
        yield address


@pytest.fixture(scope="module")
def trace() -> Iterator[str]:
    behaviour = check(str(LOCK), engine="python").behaviour
    assert behaviour is not None
    other = check(load(LOCK, without=["OneInside"], invariants={"Never": "holder # CHOOSE w \\in Worker : TRUE"}))
    assert other.behaviour is not None
    with served(ModelViews(open_space(load(LOCK).files), [behaviour.shown, other.behaviour.shown])) as address:
        yield address


def at(page: Any, state: int) -> None:
    """Wait until the page shows this state of the walk, and no other."""
    page.wait_for_selector(f'#walk tr[data-index="{state - 1}"][aria-current]')
    page.wait_for_selector(f"#state h2:text-matches('^State {state} of')")


def titles(page: Any) -> list[str]:
    return [text.partition(" ✗")[0] for text in page.locator("#walk td.title").all_inner_texts()]


def test_steps_by_click_and_key_and_back(page: Any, lock: str) -> None:
    page.goto(lock)
    at(page, 1)
    page.click("#moves .move >> text=Look(w1)")
    at(page, 2)
    page.keyboard.press("2")
    at(page, 3)
    assert titles(page) == ["Initial state", "Look(w1)", "Look(w2)"]
    assert 'at[w2]: "idle" -> "saw it free"' in page.inner_text("#state")
    assert page.locator(".variable.changed code").all_inner_texts() == ["at"]
    page.keyboard.press("ArrowLeft")
    at(page, 2)
    page.keyboard.press("End")
    at(page, 3)
    page.click('#walk tr[data-index="0"]')
    at(page, 1)
    page.keyboard.press("End")
    at(page, 3)
    page.keyboard.press("Backspace")
    at(page, 2)
    page.click("#back")
    at(page, 1)
    assert titles(page) == ["Initial state"]


def test_keys_that_are_faster_than_answers(page: Any, trace: str) -> None:
    page.goto(trace)
    at(page, 5)
    held: list[Any] = []
    page.route("**/api/state", lambda route: held.append(route))
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(100)
    for route in held:
        route.continue_()
    at(page, 2)


def test_what_a_step_would_violate_and_the_first_that_fails(page: Any, lock: str) -> None:
    page.goto(f"{lock}#1.1.2.1")
    at(page, 4)
    assert "✗ OneInside" in page.inner_text("#moves .move >> text=Take(w2)")
    page.click("#moves .move >> text=Take(w2)")
    at(page, 5)
    assert "First violated in state 5: OneInside" in page.inner_text("#walk")
    assert page.inner_text("#properties .bad") == "✗ OneInside – Two workers are inside at once."


def test_why_an_action_is_not_possible(page: Any, lock: str) -> None:
    page.goto(lock)
    at(page, 1)
    page.click("#steps summary")
    page.click('[data-why="Take"]')
    page.wait_for_selector(".why >> text=Take(w1)")
    assert 'at[w] = "idle"' in page.inner_text(".why >> nth=0") + page.inner_text("#impossible")


def test_jump_and_watch(page: Any, lock: str) -> None:
    page.goto(lock)
    at(page, 1)
    page.keyboard.press("/")
    page.keyboard.type(r'\A w \in Worker : at[w] = "inside"')
    page.keyboard.press("Enter")
    at(page, 5)
    page.fill("#watch", "holder")
    page.keyboard.press("Enter")
    page.wait_for_selector("#walk th >> text=holder")
    assert page.locator("#walk tbody td.code").all_inner_texts() == ["nobody", "nobody", "nobody", "w1", "w2"]
    page.keyboard.press("ArrowLeft")
    at(page, 4)
    page.fill("#jump", "holder \\in Worker")
    page.press("#jump", "Enter")
    page.wait_for_selector("#message >> text=It is true here.")
    page.keyboard.press("Backspace")  # a key again, and none of the expression
    at(page, 3)
    page.fill("#watch", "holde")
    page.keyboard.press("Enter")
    page.wait_for_selector("#message >> text=Did you mean holder?")
    page.fill("#jump", "Cardinality(Worker) = 7")
    page.press("#jump", "Enter")
    page.wait_for_selector("#message >> text=states that can be reached from here")


def test_random_walks_are_those_of_their_seed(page: Any, lock: str) -> None:
    walks = []
    for _ in range(2):
        page.goto("about:blank")
        page.goto(lock)
        at(page, 1)
        page.fill("#seed", "7")
        page.press("#seed", "Tab")
        page.click("#random")
        page.wait_for_selector('#walk tr[data-index="3"]')
        page.wait_for_selector("#walk tr[aria-current]:last-child")
        walks.append(titles(page))
    assert walks[0] == walks[1]


COUNTING = """---- MODULE Counting ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\\ y \\in 0..2
Next == x < 40 /\\ x' = x + 1 /\\ y' \\in {n \\in 0..80 : n = y + 1 \\/ n = x}
Small == x < 2
====
"""


@pytest.fixture(scope="module")
def counting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    spec = tmp_path_factory.mktemp("counting") / "Counting.tla"
    spec.write_text(COUNTING)
    spec.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Small\nCHECK_DEADLOCK FALSE\n")
    with served(ModelViews(open_space(load(spec).files))) as address:
        yield address


def test_a_random_walk_stops_where_something_becomes_false(page: Any, counting: str) -> None:
    page.goto(f"{counting}#1")
    at(page, 1)
    page.keyboard.press("r")
    at(page, 3)
    page.wait_for_selector("#walk >> text=First violated in state 3")
    page.keyboard.press("r")
    at(page, 13)


def test_where_one_is_can_be_seen_in_a_large_graph_and_picture(page: Any, counting: str) -> None:
    def seen(figure: str) -> bool:
        inside: bool = page.evaluate(
            """name => {
              const [outer, inner] = [`#${name}`, `#${name} .now`].map(
                (path) => document.querySelector(path).getBoundingClientRect());
              return inner.top >= outer.top && inner.bottom <= outer.bottom
                && (inner.width > outer.width || (inner.left >= outer.left && inner.right <= outer.right));
            }""",
            figure,
        )
        return inside

    page.goto(f"{counting}#{'.'.join('1' * 30)}")
    at(page, 30)
    page.wait_for_selector("#picture .now")
    assert seen("picture")
    page.keyboard.press("Home")
    at(page, 1)
    assert seen("picture")
    page.keyboard.press("g")
    page.wait_for_selector("#graph .now")
    assert seen("graph")


def test_a_link_leads_to_the_state_again(page: Any, lock: str) -> None:
    page.goto(f"{lock}#1.2.1")
    at(page, 3)
    page.keyboard.press("1")
    at(page, 4)
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    at(page, 4)
    page.goto(f"{lock}#1.2.1@2")
    at(page, 2)
    page.goto("about:blank")
    page.goto(f"{lock}#1.99")
    page.wait_for_selector("#message >> text=There is no 99")
    at(page, 1)


def test_the_picture_marks_the_step_and_goes_to_it(page: Any, trace: str) -> None:
    page.goto(trace)
    at(page, 5)
    page.keyboard.press("p")
    page.wait_for_selector('#picture .row.now[data-step="4"]')
    assert "Take(w1)" in page.locator("#picture").text_content()
    page.locator('#picture .row[data-step="1"]').click(position={"x": 4, "y": 4})
    at(page, 2)
    page.wait_for_selector('#picture .row.now[data-step="1"]')


def test_the_graph_goes_to_a_state_and_folds(page: Any, lock: str) -> None:
    page.goto(lock)
    at(page, 1)
    page.keyboard.press("g")
    page.wait_for_selector("#graph .node.now")
    assert page.locator("#graph .node").count() == 14
    page.locator("#graph .node.bad").first.click()
    at(page, 5)
    page.fill("#fold", "holder")
    page.press("#fold", "Enter")
    page.wait_for_selector("#beside >> text=in 3 groups")
    assert page.locator("#graph .node").count() == 3


def test_two_traces_side_by_side(page: Any, trace: str) -> None:
    page.goto(trace)
    at(page, 5)
    page.wait_for_selector("#compared")
    assert "They part in state 3." in page.inner_text("#beside")
    page.click("#pin")
    page.wait_for_selector("#beside >> text=They are the same.")


def test_exports(page: Any, lock: str) -> None:
    page.goto(f"{lock}#1.1.1")
    at(page, 3)
    for ending, inside in {
        ".itf.json": '"action": "Take"',
        ".tla": "WalkIsAllowed",
        ".py": "walk.step(number)",
    }.items():
        page.select_option("#format", ending)
        with page.expect_download() as download:
            page.click("#export")
        assert inside in Path(download.value.path()).read_text()


def test_strings_of_a_specification_do_not_become_markup(page: Any) -> None:
    """Neither of states, titles, watched values and messages, nor in the pictures."""
    model = load(EVIL, init="Init", next="Next", invariants=["Fine"])
    with served(ModelViews(open_space(model.files), watched=["<<x, x>>"])) as address:
        page.goto(address)
        at(page, 1)
        page.click("#moves .move >> nth=0")
        at(page, 2)
        page.keyboard.press("g")
        page.wait_for_selector("#graph")
        page.fill("#fold", "x")
        page.press("#fold", "Enter")
        page.wait_for_selector("#beside >> text=groups")
        page.keyboard.press("Escape")
        page.keyboard.press("p")
        page.wait_for_selector("#picture")
        page.fill("#jump", f'x = "{HOSTILE}" \\/ <img src=x>')
        page.press("#jump", "Enter")
        page.wait_for_selector("#message >> text=expression")
        assert page.locator("img, b:not(.why b), i").count() == 0
        assert HOSTILE in page.inner_text("#state")


def test_a_file_works_without_anything(page: Any, tmp_path: Path) -> None:
    """Of the state graph, and of a trace; nothing is loaded, and its own policy stops nothing of it."""
    behaviour = check(str(LOCK), engine="python").behaviour
    assert behaviour is not None
    file = tmp_path / "lock.html"
    file.write_text(single_file(ModelViews(open_space(load(LOCK).files), [behaviour.shown], ["holder"]), 300))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    at(page, 5)
    page.wait_for_selector("#picture")
    assert page.locator("#walk tbody td.code").all_inner_texts()[-1] == "w2"
    page.keyboard.press("1")
    at(page, 6)
    page.keyboard.press("g")
    page.wait_for_selector("#graph .node.now")
    page.click("#restart")
    at(page, 1)
    page.click("#steps summary")
    page.click('[data-why="Take"]')
    page.wait_for_selector(".why >> text=Take(w1)")
    page.keyboard.press("r")
    page.wait_for_selector('#walk tr[data-index="2"]')
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
