"""Builtins of the library modules, called from Python: what the specifications of `specs/` cannot say in TLA+."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy_sets import Functions, Interval, Numbers, Powerset, Products
from rmqproof.model.evaluate.library import files, folds, json_text, operators, pictures, samples, statistics
from rmqproof.model.evaluate.library import vector_clocks as clocks
from rmqproof.model.evaluate.library.operator import Runtime
from rmqproof.model.evaluate.library.reals import Reals
from rmqproof.model.evaluate.values import FALSE, TRUE, boolean, function, model_value, record
from rmqproof.model.tla.standard import standard_operators


def function_of(name: str) -> Callable[..., Any]:
    return operators()[name].function


def test_every_operator_of_the_table_is_implemented() -> None:
    implemented = operators()
    assert not set(standard_operators()) - set(implemented)


def test_folds_over_sets_start_at_the_first_element_in_order() -> None:
    def pair(a: object, b: object) -> tuple[object, object]:
        return (a, b)

    assert folds.fold_set(pair, 0, frozenset([3, 1, 2])) == (3, (2, (1, 0)))
    assert folds.fold_left(pair, 0, (3, 1)) == ((0, 3), 1)
    assert folds.fold_right(pair, (3, 1), 0) == (3, (1, 0))
    assert folds.fold_bag(pair, 0, function({"x": 2})) == ((0, "x"), "x")


def test_a_fold_picks_from_what_is_left() -> None:
    with pytest.raises(Fault, match="not in the set that is left"):
        folds.map_then_fold_set(lambda a, b: a + b, 0, lambda x: x, lambda s: 7, frozenset([1]))


def test_extremes_of_the_empty_set_are_faults() -> None:
    with pytest.raises(Fault, match="Max of the empty set"):
        function_of("FiniteSetsExt!Max")(frozenset())


def test_choose_unique_refuses_two() -> None:
    with pytest.raises(Fault, match="2 elements"):
        function_of("FiniteSetsExt!ChooseUnique")(frozenset([1, 2]), lambda x: TRUE)


def test_predicates_must_be_boolean() -> None:
    with pytest.raises(Fault, match="needs a Boolean"):
        function_of("FiniteSetsExt!Quantify")(frozenset([1]), lambda x: x)


def test_select_in_sub_seq_wants_indices() -> None:
    with pytest.raises(Fault, match=r"2\.\.5"):
        function_of("SequencesExt!SelectInSubSeq")((1, 2), 2, 5, lambda x: boolean(x == 9))


def test_strings_are_sequences_of_characters_where_tlc_has_it_so() -> None:
    assert function_of("SequencesExt!ReplaceAllSubSeqs")("-", "", "ab") == "-a-b"
    assert function_of("SequencesExt!ReplaceFirstSubSeq")("", ".tla", "A.tla") == "A"
    assert function_of("SequencesExt!IsPrefix")("ab", "abc")
    assert function_of("SequencesExt!LongestCommonPrefix")(frozenset(["abc", "abd"])) == "ab"
    with pytest.raises(Fault, match="strings go with strings"):
        function_of("SequencesExt!ReplaceAllSubSeqs")("-", (), "ab")


VALUE = record(
    flag=TRUE,
    name="a\u00e9\n",
    items=(1, 2),
    some=frozenset([2, 1]),
    other=function({3: "x", 4: FALSE}),
    m=model_value("m1"),
)


def test_json_text_is_read_back_as_far_as_json_goes(tmp_path: Path) -> None:
    document = json.loads(json_text.to_json(VALUE))
    assert document == {
        "flag": True, "name": "a\u00e9\n", "items": [1, 2], "some": [1, 2], "other": {"3": "x", "4": False}, "m": "m1"
    }  # fmt: skip
    path = str(tmp_path / "deeper" / "value.json")
    json_text.json_serialize(path, VALUE)
    expected = record(
        flag=TRUE, name="a\u00e9\n", items=(1, 2), some=(1, 2), other=record(**{"3": "x", "4": FALSE}), m="m1"
    )
    assert json_text.json_deserialize(Runtime(), path) == expected


def test_ndjson_is_a_value_a_line(tmp_path: Path) -> None:
    path = str(tmp_path / "log.ndjson")
    json_text.nd_json_serialize(path, (record(a=1), (2, 3)))
    assert Path(path).read_text().splitlines() == ['{"a":1}', "[2,3]"]
    assert json_text.nd_json_deserialize(Runtime(), path) == (record(a=1), (2, 3))


@pytest.mark.parametrize("text", ["null", "{"])
def test_json_without_a_counterpart_is_a_fault(tmp_path: Path, text: str) -> None:
    path = tmp_path / "value.json"
    path.write_text(text)
    with pytest.raises(Fault):
        json_text.json_deserialize(Runtime(), str(path))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="cannot read"):
        json_text.json_deserialize(Runtime(), str(tmp_path / "none.json"))
    assert files.csv_records(Runtime(), str(tmp_path / "none.csv")) == 0


def test_text_files(tmp_path: Path) -> None:
    path = str(tmp_path / "text")
    options = record(format="TXT", charset="UTF-8", openOptions=("WRITE", "CREATE", "TRUNCATE_EXISTING"))
    assert files.serialize("one", path, options) == record(exitValue=0, stdout="", stderr="")
    files.serialize("two", path, record(format="TXT", charset="UTF-8", openOptions=("APPEND",)))
    assert files.deserialize(Runtime(), path, record(format="TXT", charset="UTF-8")) == record(
        exitValue=0, stdout="onetwo", stderr=""
    )
    with pytest.raises(Fault, match="only TXT"):
        files.serialize("one", path, record(format="CBOR"))


def test_csv_files(tmp_path: Path) -> None:
    path = str(tmp_path / "rows.csv")
    files.csv_write("%1$s#%2$s#%s", ("a", 42), path)
    files.csv_write_record(record(x=1, y="b"), ",", TRUE, path)
    assert Path(path).read_text().splitlines() == ['"a"#42#"a"', "x,y", '1,"b"']
    assert files.csv_records(Runtime(), path) == 3
    assert files.csv_read(Runtime(), ("p", "q"), ",", path)[1] == record(p="x", q="y")
    with pytest.raises(Fault, match="more values"):
        files.csv_write("%3$s", ("a",), path)


def test_programs_are_refused() -> None:
    with pytest.raises(Fault, match="IOExec is not supported"):
        operators()["IOUtils!IOExec"].function(("ls",))


def test_random_subsets_are_the_same_in_every_run() -> None:
    first = samples.random_subset(Runtime(), 3, Interval(1, 100))
    assert len(first) == 3
    assert first == samples.random_subset(Runtime(), 3, Interval(1, 100))
    assert samples.random_subset(Runtime(), 3, frozenset([1, 2, 3])) == frozenset([1, 2, 3])
    assert samples.random_subset(Runtime(), 4, frozenset([1, 2, 3])) == frozenset([1, 2, 3])


def test_random_subsets_of_sets_too_large_to_list() -> None:
    pairs = Products((Interval(1, 10), Interval(1, 10)))
    graphs = samples.random_subset(Runtime(), 20, Powerset(pairs))
    assert len(graphs) == 20
    assert all(graph in Powerset(pairs) for graph in graphs)
    maps = samples.random_subset(Runtime(), 5, Functions(Interval(0, 30), Interval(1, 9)))
    assert len(maps) == 5
    assert all(f in Functions(Interval(0, 30), Interval(1, 9)) for f in maps)


def test_random_sets_of_subsets_have_the_size_that_was_asked_for_on_average() -> None:
    subsets = samples.random_set_of_subsets(Runtime(), 400, 10, Interval(1, 50))
    assert 395 <= len(subsets) <= 400
    assert 9 < sum(map(len, subsets)) / len(subsets) < 11


def test_pictures() -> None:
    rect = record(name="rect", attrs=record(x="1", stroke_width="2"), children=(), innerText="<<1>>")
    group = record(name="g", attrs=(), children=(rect, rect), innerText="")
    one = "<rect stroke-width='2' x='1'>&lt;&lt;1&gt;&gt;</rect>"
    assert pictures.element_to_string(group) == f"<g>{one}{one}</g>"
    assert pictures.node_of_ring_network(10, 10, 5, 1, 4) == record(x=10, y=15)


@pytest.mark.parametrize(
    ("statistic", "freedom", "quantile"),
    [(3.841458820694124, 1, 0.05), (16.918977604620448, 9, 0.05), (2.732636793499, 8, 0.95)],
)
def test_the_distribution_of_chi_square_has_the_tabulated_quantiles(
    statistic: float, freedom: int, quantile: float
) -> None:
    assert math.isclose(statistics._upper_gamma(freedom / 2, statistic / 2), quantile, rel_tol=1e-6)


def test_goodness_of_fit() -> None:
    assert statistics.chi_square((100, 100), (95, 105), "0.05")
    assert not statistics.chi_square((100, 100), (60, 140), "0.05")
    with pytest.raises(Fault, match="decimal"):
        statistics.chi_square((1, 1), (1, 1), "five")


def test_a_log_with_gaps_has_no_causal_order() -> None:
    entry = record(by="p", at=record(p=1, q=3))
    with pytest.raises(Fault, match="gaps"):
        clocks.causal_order(
            (entry,), lambda e: dict(e.items())["at"], lambda e: dict(e.items())["by"], lambda c: c[0].set
        )


def test_of_the_reals_the_integers_are_known() -> None:
    assert 3 in Reals()
    with pytest.raises(Fault, match="not supported"):
        "x" in Reals()  # noqa: B015
    assert Numbers(0) != Reals()
