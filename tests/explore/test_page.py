"""The explorer's page without a browser: what it is told, to whom it is served, what is in a file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof import check, load
from rmqproof.model.cli import main
from rmqproof.model.explore.page.document import single_file
from rmqproof.model.explore.page.server import Server
from rmqproof.model.explore.page.views import ModelViews, TraceViews
from rmqproof.model.explore.session import Meanwhile, NoSuchStep
from rmqproof.model.explore.space import open_space
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.tla.source import TlaError

LOCK = Path(__file__).parents[2] / "docs" / "tutorial" / "Lock.tla"
HOSTILE = "</script><img src=x onerror=alert(1)><!--end-->"
EVIL = f"""---- MODULE Evil ----
EXTENDS Sequences
VARIABLE x
Init == x = "{HOSTILE}"
Next == x' = "b" \\o x
====
"""


@pytest.fixture(scope="module")
def found() -> Behaviour:
    behaviour = check(str(LOCK), engine="python").behaviour
    assert behaviour is not None
    return behaviour.shown


@pytest.fixture(scope="module")
def views(found: Behaviour) -> ModelViews:
    return ModelViews(open_space(load(LOCK).files), [found], ["holder"])


@contextmanager
def served(views: ModelViews) -> Iterator[Server]:
    with Server(views) as running:
        thread = Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield running
        finally:
            running.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def server(views: ModelViews) -> Iterator[Server]:
    with served(views) as running:
        yield running


def test_a_trace_is_walked_with_what_it_violates(views: ModelViews) -> None:
    model = views.model()
    assert model["given"] == [[1, 1, 2, 1, 2]]
    assert model["verdict"] == "OneInside is violated in step 5."
    steps = views.walk(model["given"][0])["steps"]
    assert [step["title"] for step in steps] == ["Initial state", "Look(w1)", "Look(w2)", "Take(w1)", "Take(w2)"]
    assert [step["breaks"] for step in steps] == [[], [], [], [], ["OneInside"]]
    last = views.state(steps[-1]["to"], steps[-2]["to"])
    assert last["variables"][0] == {"name": "holder", "lines": ["w2"]}
    assert [one["holds"] for one in last["properties"]] == [True, False]
    assert last["impossible"] == ["Look", "Take", "GiveUp"]
    (reason, *_) = views.why(last["id"], "Look")["reasons"]
    assert (reason["text"], reason["values"]) == ('at[w] = "idle"', [["at[w]", '"inside"']])


def test_expressions(views: ModelViews) -> None:
    ids = [step["to"] for step in views.walk([1, 1, 2, 1, 2])["steps"]]
    pairs = list(zip([None, *ids], ids, strict=False))
    assert [one["text"] for one in views.values("holder", pairs)["values"]][-2:] == ["w1", "w2"]
    moved = views.values("holder' # holder", pairs)["values"]
    assert [one["text"] for one in moved] == ["–", "FALSE", "FALSE", "TRUE", "TRUE"]
    (record,) = views.values("[b |-> holder, a |-> 1]", pairs[:1])["values"]
    assert record["text"] == "[a |-> 1, b |-> nobody]", "as in the state beside it"
    with pytest.raises(TlaError, match="expression:1:1: Wrong is not known"):
        views.values("Wrong", pairs)
    jump = views.find(ids[0], "holder = w2")
    assert [step["title"] for step in jump["steps"]] == ["Look(w2)", "Take(w2)"]
    assert views.find(ids[0], "FALSE") == {"steps": None, "lookedAt": 14, "whole": True, "anew": False}


def test_the_graph_and_its_folding(views: ModelViews) -> None:
    graph = views.graph(300)
    assert (graph["states"], len(graph["nodes"]), graph["cut"]) == (14, 14, False)
    assert sum(node["bad"] for node in graph["nodes"]) == 2
    for node in graph["nodes"]:
        assert views.walk(node["numbers"])["steps"][-1]["to"] in node["ids"]
    folded = views.graph(300, 'Cardinality({w \\in Worker : at[w] = "inside"})')
    assert {node["label"]: node["states"] for node in folded["nodes"]} == {"0": 4, "1": 8, "2": 2}
    assert views.graph(5)["cut"] and views.graph(5)["states"] == 5


def test_two_walks_side_by_side(views: ModelViews) -> None:
    rows = views.compare([1, 1, 2], [1, 1, 1, 1])["rows"]
    assert [row["differences"] for row in rows[:2]] == [[], []]
    assert (rows[2]["left"], rows[2]["right"]) == ("Look(w2)", "Take(w1)")
    assert "holder: nobody -> w1" in rows[2]["differences"]
    assert rows[3]["left"] == ""


def test_a_trace_without_its_model(found: Behaviour) -> None:
    alone = TraceViews([found], "Lock")
    model = alone.model()
    assert [step["title"] for step in alone.walk(model["given"][0])["steps"]][-1] == "Take(w2)"
    assert alone.walk(model["given"][0])["steps"][-1]["breaks"] == ["OneInside"]
    assert alone.state(4)["moves"] == []
    with pytest.raises(NoSuchStep, match="name it with --spec"):
        alone.find(0, "TRUE")


# --- the server -----------------------------------------------------------------------------------------------------


def ask(server: Server, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, str], str]:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    given = {"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, None if body is None else json.dumps(body), given)
    answer = connection.getresponse()
    content = answer.read().decode()
    connection.close()
    return answer.status, dict(answer.getheaders()), content


def test_the_page_is_served_with_a_strict_policy(server: Server) -> None:
    base = f"/{server.token}/"
    status, headers, text = ask(server, "GET", base)
    assert status == 200 and "<title>Lock</title>" in text
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy
    assert headers["Referrer-Policy"] == "no-referrer" and headers["X-Content-Type-Options"] == "nosniff"
    assert not re.search(r"(src|href)=\"(https?:)?//", text)
    for name in ("page.js", "page.css"):
        assert ask(server, "GET", base + name)[0] == 200
    assert ask(server, "GET", base + "../views.py")[0] == 404


def test_it_listens_to_this_machine_alone_and_wants_its_token(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert len(server.token) >= 32
    for path in ("/", "/page.js", "/wrong/", f"/{server.token[:-1]}/", "/api/model", f"/{server.token}"):
        assert ask(server, "GET", path)[0] == 404
        assert ask(server, "POST", path, {})[0] == 404
    assert ask(server, "POST", f"/{server.token}/api/model", {}, Host="evil.example")[0] == 404


def test_questions_and_what_is_wrong_with_them(server: Server) -> None:
    base = f"/{server.token}/api/"
    status, _, text = ask(server, "POST", base + "walk", {"numbers": [1, 1]})
    assert status == 200 and [step["title"] for step in json.loads(text)["steps"]][1] == "Look(w1)"
    wrong = json.loads(ask(server, "POST", base + "walk", {"numbers": [1, 9]})[2])
    assert wrong == {"error": "There is no 9: there are 2 steps from here.", "failed": True}
    for name, body in [("walk", {}), ("walk", {"numbers": "x"}), ("walk", []), ("state", {"id": "y"}), ("close", {})]:
        assert ask(server, "POST", base + name, body)[0] == 400
    assert ask(server, "POST", base + "model", {}, Content_Type="text/plain")[0] == 400


def test_a_page_that_is_closed_while_it_is_answered_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    with Server(ModelViews(open_space(load(LOCK).files))) as server:
        for error, said in ((BrokenPipeError(), False), (ValueError("what?"), True)):
            try:
                raise error
            except Exception:
                server.handle_error(None, ("127.0.0.1", 1))
            assert ("Traceback" in capsys.readouterr().err) is said


class Slow:
    """A store in which a search takes until it is told to end."""

    size = 10**8

    def __init__(self) -> None:
        self.begun, self.end = Event(), Event()

    def shortest(self, expression: str, meanwhile: Meanwhile) -> Behaviour | None:
        with meanwhile():
            self.begun.set()
            assert self.end.wait(60)
        return None


def test_a_jump_in_a_store_keeps_nobody_from_walking_on() -> None:
    slow = Slow()
    with served(ModelViews(open_space(load(LOCK).files), stored=slow)) as server, ThreadPoolExecutor(1) as other:
        base = f"/{server.token}/api/"
        try:
            state = json.loads(ask(server, "POST", base + "model", {})[2])["initial"][0]["to"]
            jump = other.submit(ask, server, "POST", base + "find", {"id": state, "expression": "holder = Nobody"})
            assert slow.begun.wait(20)
            assert ask(server, "POST", base + "state", {"id": state})[0] == 200
        finally:
            slow.end.set()
        assert json.loads(jump.result()[2])["lookedAt"] == 10**8


# --- a file ---------------------------------------------------------------------------------------------------------


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    parsed: dict[str, Any] = json.loads(found[1])
    return parsed


def test_a_file_needs_nothing_else(views: ModelViews) -> None:
    page = single_file(views, 300)
    assert not re.search(r"(src|href)=\"(?!data:)", page)
    data = data_of(page)
    assert len(data["states"]) == 14
    assert data["values"]["holder"].keys() == data["states"].keys()
    assert len(data["charts"]) == 1 and data["charts"][0]["lanes"]
    reachable = {str(move["to"]) for state in data["states"].values() for move in state["moves"]}
    assert reachable <= data["states"].keys()
    small = data_of(single_file(views, 2))
    assert len(small["states"]) == 5  # the trace whole


def test_strings_of_a_specification_do_not_become_markup() -> None:
    """In the file there is no tag that is not the page's own, whatever the specification says."""
    evil = ModelViews(open_space(load(EVIL, init="Init", next="Next").files), watched=["x"])
    page = single_file(evil, 2)
    assert HOSTILE not in page and "<img" not in page
    assert page.count("</script>") == 2 and page.count("<script") == 2
    assert HOSTILE in json.dumps(data_of(page)["states"], ensure_ascii=False)
    script = (Path(single_file.__code__.co_filename).parent / "assets" / "page.js").read_text()
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|DOMParser", script
    )


def test_the_command_writes_a_file(tmp_path: Path) -> None:
    file = tmp_path / "lock.html"
    done = CliRunner().invoke(main, ["explore", str(LOCK), "--html", str(file), "--states", "5", "--watch", "holder"])
    assert (done.exit_code, done.output) == (0, "")
    assert len(data_of(file.read_text())["states"]) == 5
    wrong = CliRunner().invoke(main, ["explore", str(LOCK), "--html", str(file), "--watch", "holde"])
    assert wrong.exit_code == 150 and "Did you mean holder?" in wrong.output
