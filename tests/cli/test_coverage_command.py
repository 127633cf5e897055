"""How often expressions are evaluated: counts that were counted by hand, the text, the page, the same states."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.cli import main
from rmqproof.model.tla.config_file import config_of
from rmqproof.model.tla.model_files import files_of
from tests.at_length import first

TESTS = Path(__file__).parents[1]
UP = """---- MODULE Up ----
EXTENDS Naturals
VARIABLE x
Twice(n) == n + n
Init == x \\in {0, 1}
Up == x < 3 /\\ x' = Twice(x) + 1
Never == x > 9 /\\ x' = IF "<i>" \\in {ToString(x)} THEN 0 ELSE 1
ToString(n) == [i |-> n].i
Next == Up \\/ Never
Small == x > 7 => Twice(x) < 3
====
"""


def run(*words: str | Path) -> Result:
    result = CliRunner().invoke(main, ["coverage", *(str(word) for word in words)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


@pytest.fixture
def up(tmp_path: Path) -> Path:
    (tmp_path / "Up.tla").write_text(UP.replace("ToString(n) == [i |-> n].i\n", "").replace("{ToString(x)}", "{}"))
    (tmp_path / "Up.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Small\n")
    return tmp_path / "Up.tla"


def places(spec: Path, *options: str) -> dict[str, int]:
    """Counts by the text of the expression."""
    to = spec.with_suffix(".json")
    run(spec, "--no-deadlock", "--json", to, *options)
    lines = spec.read_text().split("\n")
    found = json.loads(to.read_text())["expressions"]
    return {
        lines[line - 1][column - 1 : end]: one["count"]
        for one in found
        for line, column, end_line, end in [one["place"]]
        if line == end_line
    }


def test_counts_as_one_would_count_by_hand(up: Path) -> None:
    """States 0 and 1, and from those 1 and 3: x < 3 is asked of each of the three, and x gets a value from two."""
    counts = places(up)
    assert counts["x < 3"] == 3
    assert counts["Twice(x) + 1"] == counts["n + n"] == counts["x' = Twice(x) + 1"] == 2
    assert counts["x > 9"] == 3
    assert counts["x > 7 => Twice(x) < 3"] == counts["x > 7"] == 3
    assert counts["Twice(x) < 3"] == 0


def test_what_was_never_evaluated_is_said(up: Path) -> None:
    said = run(up, "--no-deadlock").output
    never = said[said.index("Never evaluated:") : said.index("Evaluated most often:")]
    assert re.findall(r":(\d+:\d+): (.*)", never) == [
        ("7:19", 'x\' = IF "<i>" \\in {} THEN 0 ELSE 1'),
        ("9:19", "Twice(x) < 3"),
    ]


class Reader(HTMLParser):
    """Holds that what is opened is closed in its turn; keeps the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page_is_the_text_in_colours(up: Path) -> None:
    page = up.with_name("page.html")
    run(up, "--no-deadlock", "--quiet", "--html", page)
    text = page.read_text()
    assert '<span class="never" title="never evaluated">' in text
    assert re.search(r'<span class="h\d" title="3 times, cost 3">x &lt; 3</span>', text)
    assert "<i>" not in re.sub(r'<i style="[^"]*">', "", text)
    read = "".join(Reader(text).text)
    for line in up.read_text().split("\n"):
        assert line in read


def test_an_interval_that_is_gone_through_was_evaluated(tmp_path: Path) -> None:
    spec = tmp_path / "Through.tla"
    spec.write_text(
        "---- MODULE Through ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 1\n"
        "Next == \\E i \\in 1..x : x' = i\nSmall == \\A i \\in x..3 : i > 0\n====\n"
    )
    spec.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Small\n")
    found = places(spec)
    assert (found["1..x"], found["x..3"]) == (1, 1)


def test_liveness_that_is_not_judged_is_said(up: Path, tmp_path: Path) -> None:
    up.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\nPROPERTY Ends\nCHECK_DEADLOCK FALSE\n")
    up.write_text(up.read_text().replace("Small ==", "Ends == <>(x = 77)\nSmall =="))
    said = "Up: success (without Ends: liveness is not judged here)"
    page = tmp_path / "page.html"
    assert said in run(up, "--html", page).output and said in page.read_text()


def test_an_algorithm_is_told_by_its_lines(tmp_path: Path) -> None:
    spec = tmp_path / "Loop.tla"
    spec.write_text(
        "---- MODULE Loop ----\nEXTENDS Naturals\n(* --algorithm Loop\nvariables x = 0;\nbegin\n"
        "  W: while x < 3 do\n       x := x + 1;\n     end while;\nend algorithm *)\n====\n"
    )
    spec.with_suffix(".cfg").write_text("SPECIFICATION Spec\n")
    page = tmp_path / "page.html"
    said = run(spec, "--html", page).output
    assert re.search(r"^ +4 +4 +6 +.*IF x < 3", said, re.MULTILINE)
    assert re.search(r"^ +3 +6 +7 +.*x' = x \+ 1", said, re.MULTILINE)
    assert re.search(r'<b id="Loop-7" class="h\d">7</b>', page.read_text())
    Reader(page.read_text())


@pytest.mark.parametrize("name", first(3, ["TokenRing", "InstanceForms", "DieHard", "Paxos"]))
def test_the_states_are_those_of_a_check(name: str) -> None:
    spec = TESTS / "specs" / f"{name}.tla"
    files = files_of(spec, config_of(spec))
    counted, plain = (check(files, Options(evaluations=on, engine="python", workers=1)).result for on in (True, False))
    for what in ("verdict", "total", "distinct", "depth", "coverage"):
        assert getattr(counted, what) == getattr(plain, what), what


def test_an_error_is_told_as_by_check(up: Path) -> None:
    up.write_text(up.read_text().replace("x > 7", "y > 7"))
    result = run(up)
    assert result.exit_code == 150
    assert "Up.tla:9:10: " in result.output


def test_a_search_that_was_stopped_is_no_error(up: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    text = run(up, "--max-states", "2", "--html", page, "--no-deadlock").output
    assert "Up: stopped (limit of states), " in text
    assert "<h1>Up: stopped (limit of states)</h1>" in page.read_text(encoding="utf-8")
