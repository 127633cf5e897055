"""Values of one kind or another: messages with different fields, a number or a model value, functions on numbers.

One small protocol: nodes ask, a ring of counters gives out numbers, what is given is held.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.prove import fresh, translate
from rmqproof.model.prove.bounded import BoundedSearch, search_bounded
from rmqproof.model.prove.decide import PROVED, REFUTED, Verdict, decide
from rmqproof.model.prove.modules import Sizes, open_module
from rmqproof.model.prove.subject import subject_of
from rmqproof.model.prove.theorems import lemmas_of
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.tla.source import TlaError
from tools.bounded import Compared, compare_states

SPECS = Path(__file__).parents[1] / "specs"
MODULE = """---- MODULE Giving ----
EXTENDS Integers
CONSTANTS none, Node, N
VARIABLES held, msgs, ring
Slots == 0..N-1
Message == [type : {"ask"}, from : Node] \\cup [type : {"give"}, to : Node, number : Nat]
Init == held = [n \\in Node |-> none] /\\ msgs = {} /\\ ring = [i \\in Slots |-> 0]
Ask(n) == held[n] = none /\\ msgs' = msgs \\cup {[type |-> "ask", from |-> n]} /\\ UNCHANGED <<held, ring>>
Give(i) == \\E m \\in msgs :
  /\\ m.type = "ask"
  /\\ msgs' = (msgs \\ {m}) \\cup {[type |-> "give", to |-> m.from, number |-> ring[i]]}
  /\\ ring' = [ring EXCEPT ![i] = @ + 1]
  /\\ UNCHANGED held
Take(m) == m.type = "give" /\\ held' = [held EXCEPT ![m.to] = m.number] /\\ UNCHANGED <<msgs, ring>>
Next == (\\E n \\in Node : Ask(n)) \\/ (\\E i \\in Slots : Give(i)) \\/ (\\E m \\in msgs : Take(m))
TypeOK == held \\in [Node -> Nat \\cup {none}] /\\ msgs \\subseteq Message /\\ ring \\in [Slots -> Nat]
Counted(number) == \\E i \\in Slots : number < ring[i]
GivenWasCounted == \\A m \\in msgs : m.type = "give" => Counted(m.number)
HeldWasCounted == \\A n \\in Node : held[n] # none => Counted(held[n])
NobodyHoldsTwo == \\A n \\in Node : held[n] # 2
NobodyHolds == \\A n \\in Node : held[n] \\notin Nat
NothingIsGiven == \\A m \\in msgs : m.type = "ask"
Inv == TypeOK /\\ GivenWasCounted /\\ HeldWasCounted
"""
CONFIG = """INIT Init
NEXT Next
CONSTANTS none = none Node = {n1, n2} N = 2
INVARIANTS TypeOK HeldWasCounted
CHECK_DEADLOCK FALSE
"""
TRUE = (
    "ASSUME Init PROVE Inv",
    "ASSUME Inv, Next PROVE Inv'",
    "ASSUME TypeOK PROVE \\A n \\in Node : held[n] # none => held[n] + 1 > held[n]",
    "ASSUME TypeOK PROVE \\A n \\in Node : held[n] \\in Nat \\/ held[n] = none",
    "ASSUME TypeOK PROVE \\A n \\in Node : held[n] \\in Nat <=> held[n] # none",
    'ASSUME TypeOK PROVE \\A m \\in msgs : m.type = "ask" => m.from \\in Node',
    'ASSUME TypeOK PROVE \\A m \\in msgs : m.type \\in {"ask", "give"}',
    'ASSUME TypeOK PROVE [type |-> "ask", to |-> 1] \\notin msgs',
    "ASSUME TypeOK PROVE none \\notin Nat /\\ none \\notin msgs /\\ none \\notin 1..N /\\ none \\notin STRING",
    "none \\notin [f : Nat] /\\ none \\notin [1..2 -> Nat] /\\ none \\notin Nat \\X Nat",
    "ASSUME TypeOK, Next PROVE DOMAIN ring' = Slots",
    '[type |-> "ask", of |-> 1] # [type |-> "give", of |-> "all"]',
    '<<"ask", 1>> # <<"give", none, 2>> /\\ <<"ask", 1>> # <<"give", TRUE>>',
    "ASSUME NEW f \\in [Slots -> Nat \\cup {none}], f[0] = none PROVE f[0] # 3 /\\ f # [i \\in Slots |-> i]",
    "ASSUME NEW x \\in Nat \\cup {none} PROVE {x} \\cup {none} \\subseteq Nat \\cup {none}",
    "ASSUME NEW S \\in SUBSET (Nat \\cup {none}), none \\notin S PROVE \\A x \\in S : x >= 0",
    'ASSUME NEW S \\in SUBSET [a : {"x", "y"}, n : Nat], NEW t \\in {"x", "y", "z"},\n'
    '  [a |-> t, n |-> 1] \\in S PROVE t # "z"',
    'ASSUME NEW S \\in SUBSET ([t : {"a"}, n : Nat] \\cup [t : {"b"}, n : Nat]), NEW t \\in {"a", "b"},\n'
    "  [t |-> t, n |-> 1] \\notin S PROVE \\A m \\in S : m.n = 1 => m.t # t",
    'ASSUME TypeOK PROVE \\A t \\in {"ask", "give"}, n \\in Node : [type |-> t, from |-> n] \\in msgs => t = "ask"',
    "ASSUME NEW S \\in SUBSET [Slots -> Nat], [i \\in Slots |-> i] \\in S PROVE \\E f \\in S : f[0] < f[1]",
)
FALSE = (
    "ASSUME TypeOK, HeldWasCounted, Next PROVE HeldWasCounted'",
    "ASSUME TypeOK, Next PROVE \\A n \\in Node : held'[n] = none",
    "ASSUME TypeOK PROVE msgs = {}",
    "ASSUME NEW S \\in SUBSET (Nat \\cup {none}), S # {} PROVE none \\in S",
    "ASSUME NEW S \\in SUBSET (Nat \\cup {none}), S # {} PROVE none \\notin S",
    "ASSUME NEW f \\in [Slots -> Nat \\cup {none}] PROVE f[0] # none",
    'ASSUME NEW S \\in SUBSET ([t : {"a"}, n : Nat] \\cup [t : {"b"}, n : Nat]), NEW t \\in {"a", "b"},\n'
    '  [t |-> t, n |-> 1] \\in S PROVE t = "a"',
)
NO_VALUE = (
    "ASSUME TypeOK PROVE \\A n \\in Node : held[n] + 1 > held[n]",
    "ASSUME TypeOK PROVE \\A n \\in Node : held[n] = held[n] + 0",
    "ASSUME TypeOK PROVE \\A n \\in Node : {held[n] + 0} = {held[n] + 0}",
    "ASSUME NEW x \\in Nat \\cup {none} PROVE (x < 3) \\/ ~(x < 3)",
    "ASSUME NEW x \\in Nat \\cup {<<1, 2>>} PROVE x[1] = x[1]",
    "ASSUME NEW x \\in {[a |-> 1], [b |-> 2]} PROVE x.a = x.a",
    "ASSUME NEW x \\in {[a |-> 1], none} PROVE [x EXCEPT !.a = 2] = [x EXCEPT !.a = 2]",
    "ASSUME NEW x \\in {{1}, none} PROVE x \\cup {2} = x \\cup {2}",
    "ASSUME NEW x \\in {TRUE, none} PROVE x \\/ ~x",
    'ASSUME NEW x \\in Nat \\cup {"many"} PROVE x = 3 \\/ x # 3',
    "none \\notin SUBSET Nat",
)


def opened(folder: Path, *lemmas: str, config: str = CONFIG) -> Any:
    """The module with these lemmas."""
    path = folder / "Giving.tla"
    theorems = "".join(f"THEOREM T{number} ==\n  {text}\n" for number, text in enumerate(lemmas))
    path.write_text(MODULE + theorems + "====\n")
    path.with_suffix(".cfg").write_text(config)
    return open_module(path)


def verdicts(folder: Path, lemmas: tuple[str, ...], config: str = CONFIG) -> list[Verdict]:
    about = opened(folder, *lemmas, config=config)
    return [decide(about, lemma, 5.0) for lemma in lemmas_of(about.model.specification)]


def test_true_lemmas_are_proved(tmp_path: Path) -> None:
    found = {text: each.verdict for text, each in zip(TRUE, verdicts(tmp_path, TRUE), strict=True)}
    assert found == dict.fromkeys(TRUE, PROVED)


def test_false_lemmas_have_countermodels(tmp_path: Path) -> None:
    """Which the Python engine confirms."""
    found = {text: each.verdict for text, each in zip(FALSE, verdicts(tmp_path, FALSE), strict=True)}
    assert found == dict.fromkeys(FALSE, REFUTED)


def proved(folder: Path, lemmas: tuple[str, ...]) -> list[str]:
    found = []
    for text in lemmas:
        try:
            (each,) = verdicts(folder, (text,))
        except TlaError:
            continue
        if each.verdict == PROVED:
            found.append(text)
    return found


def test_nothing_is_proved_of_a_value_of_the_wrong_kind(tmp_path: Path) -> None:
    assert proved(tmp_path, NO_VALUE) == []


def test_a_typed_model_value_is_not_compared_with_other_kinds(tmp_path: Path) -> None:
    """As in TLC: `A_p` has the type A."""
    config = CONFIG.replace("none = none", "none = A_none")
    for text in (
        "none # 1",
        "none \\notin Nat",
        "none # [a |-> 1]",
        "ASSUME NEW S \\in SUBSET Message PROVE none \\notin S",
    ):
        try:
            assert [each.verdict for each in verdicts(tmp_path, (text,), config)] != [PROVED], text
        except TlaError as refused:
            assert "cannot translate" in refused.message


@pytest.mark.parametrize(
    ("where", "what", "wrong"),
    [
        (
            translate,
            "by_kinds",
            lambda real: lambda values, look, demands, at: demands.quietly(real)(values, look, demands, at),
        ),
        (fresh, "shapes_of", lambda real: lambda type_: real(type_)[:1]),
    ],
    ids=["what has no value is not asked", "one shape only"],
)
def test_a_wrong_rule_is_noticed(
    where: Any, what: str, wrong: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, what, wrong(getattr(where, what)))
    try:
        right = [each.verdict for each in verdicts(tmp_path, FALSE)] == [REFUTED] * len(FALSE)
    except TlaError:
        right = False
    assert not right or proved(tmp_path, NO_VALUE)


def test_a_function_on_numbers_has_those_arguments_only_where_they_are_fixed(tmp_path: Path) -> None:
    """With N open there is no such shape: a lemma that is true of two slots is not proved of any number."""
    claim = "ASSUME TypeOK PROVE ring[1] >= 0"
    (fixed,) = verdicts(tmp_path, (claim,))
    assert fixed.verdict == PROVED
    config = f"\\* UNBOUNDED N\n{CONFIG}"
    about = subject_of(opened(tmp_path, claim, config=config).model, config)
    (lemma,) = lemmas_of(about.model.specification)
    with pytest.raises(TlaError, match="cannot translate a value of the type"):
        decide(about, lemma, 5.0)


def test_any_nodes(tmp_path: Path) -> None:
    """Messages of several shapes, and what is held, of any number of nodes; with one counter: a ring is refused."""
    text = MODULE.replace("ring[i]", "ring").replace("[ring EXCEPT ![i] = @ + 1]", "ring + 1")
    text = text.replace("[i \\in Slots |-> 0]", "0").replace("ring \\in [Slots -> Nat]", "ring \\in Nat")
    lemmas = ("ASSUME Inv, Next PROVE Inv'", "ASSUME TypeOK, Next PROVE HeldWasCounted'")
    path = tmp_path / "Giving.tla"
    path.write_text(text + "".join(f"THEOREM T{n} == {each}\n" for n, each in enumerate(lemmas)) + "====\n")
    path.with_suffix(".cfg").write_text(CONFIG)
    about = open_module(path, sizes=Sizes(any=("Node",)))
    kept, wrong = lemmas_of(about.model.specification)
    assert decide(about, kept, 5.0).verdict == PROVED
    assert decide(about, wrong, 5.0).verdict == REFUTED


@pytest.mark.parametrize("invariant", ["NobodyHoldsTwo", "NothingIsGiven", "NobodyHolds"])
def test_a_bounded_search_needs_as_many_steps_as_the_explicit_one(invariant: str, tmp_path: Path) -> None:
    about = opened(tmp_path, config=CONFIG.replace("TypeOK HeldWasCounted", invariant).replace("N = 2", "N = 1"))
    explicit = BreadthFirst(system_of(about.model), workers=1).run()
    assert explicit.violation is not None
    found = search_bounded(about, 7, 120)
    assert (found.violated, len(found.path)) == (invariant, len(explicit.violation.behaviour))


@pytest.mark.parametrize("name", ["Giving", "Paxos", "TokenRing"])
def test_the_states_of_a_bounded_search_are_those_of_the_python_engine(name: str, tmp_path: Path) -> None:
    """Messages of four kinds and votes with a model value in the second, functions on numbers in the third."""
    about = opened(tmp_path) if name == "Giving" else open_module(SPECS / f"{name}.tla")
    search, system = BoundedSearch(about, 2, 120), system_of(about.model)
    found: list[Compared] = []
    search.run(lambda depth: found.append(compare_states(search, system, depth, most=100)))
    assert [level.differs for level in found] == [""] * 3
    assert found[0].states > 0


def test_a_bounded_search_finds_no_violation_where_there_is_none(tmp_path: Path) -> None:
    found = search_bounded(opened(tmp_path), 4, 120)
    assert (found.violated, found.steps) == ("", 4)
