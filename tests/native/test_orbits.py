"""SYMMETRY of which not all permutations are tried: the states are those that trying all of them leaves."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path

import pytest

from rmqproof import check, load
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch, permutations_of
from rmqproof.model.native.symmetry import Interchangeable, Permutation
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.tla.model import load_model
from tests.native.differential import FAST, outcome

SPECS = Path(__file__).parents[1] / "specs"
OWN = Path(__file__).parent / "specs"
LINKS = """---- MODULE Links ----
EXTENDS Naturals, FiniteSets, TLC
CONSTANT Node
VARIABLES links, first
Init == links = {} /\\ first \\in Node
Next ==
  /\\ Cardinality(links) < 3
  /\\ \\E a, b \\in Node : a # b /\\ <<a, b>> \\notin links /\\ links' = links \\cup {<<a, b>>}
  /\\ UNCHANGED first
Exchanged == Permutations(Node)
====
"""
GRAPHS = 90
"""Directed graphs with at most three arrows and a vertex that is chosen, as TLC counts them among seven vertices."""


def all_permutations(sets: Interchangeable) -> list[Permutation]:
    found = [
        {a: b for names, images in zip(sets.sets, chosen, strict=True) for a, b in zip(names, images, strict=True)}
        for chosen in product(*(permutations(names) for names in sets.sets))
    ]
    return found[1:]


@pytest.mark.parametrize(
    "spec", [SPECS / "PaxosSymmetric", OWN / "SymmetricSets", OWN / "Orbits"], ids=lambda p: p.name
)
@pytest.mark.parametrize("memory", [None, 200_000])
def test_as_many_states_as_with_all_permutations(spec: Path, memory: int | None) -> None:
    model = load_model(spec.with_suffix(".tla"), spec.with_suffix(".cfg"))
    system = system_of(model)
    assert system.symmetry is not None
    sets = Interchangeable(tuple(tuple(sorted(v.name for v in values)) for values in system.symmetry.sets))
    found = []
    for group in (all_permutations(sets), sets):
        native = NativeModel(model, model.check_deadlock, flags=FAST, group=group)
        native.compile()
        found.append(outcome(NativeSearch(native, system, workers=2, memory=memory).run()))
    assert found[0][:4] == found[1][:4]  # which of the images is kept is another matter


@pytest.mark.parametrize("count", [6, 8, 12, pytest.param(22, marks=pytest.mark.large)])
def test_so_many_values_as_nobody_permutes(tmp_path: Path, count: int) -> None:
    """Of twelve values there are 479,001,600 permutations."""
    (tmp_path / "Links.tla").write_text(LINKS)
    nodes = ", ".join(f"n{i}" for i in range(count))
    config = f"INIT Init\nNEXT Next\nCONSTANT Node = {{{nodes}}}\nSYMMETRY Exchanged\nCHECK_DEADLOCK FALSE\n"
    (tmp_path / "Links.cfg").write_text(config)
    model = load_model(tmp_path / "Links.tla", tmp_path / "Links.cfg")
    system = system_of(model)
    assert isinstance(permutations_of(system), Interchangeable)
    in_python = BreadthFirst(system).run()
    compiled = check(load(tmp_path / "Links.tla"), engine="native", workers=1)
    assert in_python.distinct == compiled.outcome.result.distinct
    assert in_python.total == compiled.outcome.result.total
    if count > 6:
        assert in_python.distinct == GRAPHS


@pytest.mark.parametrize(
    ("view", "counts"),
    [("links", (42, 14)), ("<<links, first>>", (90, 32)), ("Cardinality(links)", (21, 5)), ("first", (19, 3))],
)
@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("declared", ["links, first", "first, links"])
def test_a_view_is_one_of_the_least_image(
    tmp_path: Path, view: str, counts: tuple[int, int], engine: str, declared: str
) -> None:
    """As TLC counts, also where the view does not treat all values alike. SYMMETRY was passed over beside VIEW, and
    then states were compared by the variable that is declared first."""
    text = LINKS.replace("< 3", "< 4").replace("Exchanged ==", f"Shown == {view}\nExchanged ==")
    assert "VARIABLES links, first" in text
    text = text.replace("VARIABLES links, first", f"VARIABLES {declared}")
    (tmp_path / "Links.tla").write_text(text)
    (tmp_path / "Links.cfg").write_text(
        "INIT Init\nNEXT Next\nCONSTANT Node = {n1, n2, n3}\nSYMMETRY Exchanged\nVIEW Shown\nCHECK_DEADLOCK FALSE\n"
    )
    found = check(load(tmp_path / "Links.tla"), engine=engine, workers=1).outcome.result
    assert (found.total, found.distinct) == counts


def test_a_symmetry_that_is_no_union_of_whole_sets_is_listed(tmp_path: Path) -> None:
    (tmp_path / "Links.tla").write_text(
        LINKS.replace(
            "Exchanged == Permutations(Node)", "Exchanged == {p \\in Permutations(Node) : p[n0] = n0}"
        ).replace("CONSTANT Node", "CONSTANTS Node, n0")
    )
    names = ", ".join(f"n{i}" for i in range(5))
    config = f"INIT Init\nNEXT Next\nCONSTANTS Node = {{{names}}} n0 = n0\nSYMMETRY Exchanged\nCHECK_DEADLOCK FALSE\n"
    (tmp_path / "Links.cfg").write_text(config)
    system = system_of(load_model(tmp_path / "Links.tla", tmp_path / "Links.cfg"))
    group = permutations_of(system)
    assert isinstance(group, list)
    assert len(group) == 23
