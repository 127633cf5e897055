"""A function keeps its values where it keeps their arguments, whatever order the names have.

The verdicts are TLC's. Each of these models was once judged wrongly: a function on a constant set had its arguments in
one order (by name) and its values in another (that in which the names are met, or that of hashes).
"""

from __future__ import annotations

import pickle
from pathlib import Path
from random import Random

import pytest

from rmqproof.model.evaluate.fingerprint import digest_tables, fingerprint
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.lazy_sets import Functions
from rmqproof.model.evaluate.operations import apply, except_path
from rmqproof.model.evaluate.symmetry import Images
from rmqproof.model.evaluate.value_order import current, use
from rmqproof.model.evaluate.values import BY_NAME, Order, Value, function, kind_of, model_value, pairs_of
from rmqproof.model.judge.values import engine_value, reference_value
from rmqproof.model.native.errors import NotCompilable
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.model import load_model
from tests.native.differential import interpreted, native, outcome

HOLDS, VIOLATED = Verdict.SUCCESS, Verdict.SAFETY
STARTS = "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n"
NODES = "CONSTANT Node = {c, b, a}\n"
TEN = ", ".join(f"n{i}" for i in (7, 3, 10, 1, 9, 2, 8, 4, 6, 5))

# the body of the module, the configuration beside INIT and NEXT, what TLC says, its distinct states
MODELS = {
    "lock": (
        "CONSTANT Node\nVARIABLES lock, has\nnext == [n \\in Node |-> n]\n"
        "Init == lock = (CHOOSE n \\in Node : TRUE) /\\ has = [n \\in Node |-> FALSE]\n"
        "Enter(n) == lock = n /\\ has' = [m \\in Node |-> m = n] /\\ lock' = lock\n"
        "Next == \\E n \\in Node : Enter(n)\nInv == \\A n \\in Node : has[n] => n # lock",
        "CONSTANT Node = {b, a}\nINVARIANT Inv\n",
        VIOLATED,
        2,
    ),
    "strings": (
        'VARIABLE x\nFirst == {"q"}\nInit == x = 0\nNext == x\' = 1 - x\n'
        'Inv == [k \\in {"p", "q"} |-> k]["p"] = "p" /\\ "q" \\in First',
        "INVARIANT Inv\n",
        HOLDS,
        2,
    ),
    "ten model values": (
        "CONSTANT Node\nVARIABLE x\nInit == x = 0\nNext == x' = 1 - x\n"
        "Inv == \\A n \\in Node : [m \\in Node |-> m][n] = n",
        f"CONSTANT Node = {{{TEN}}}\nINVARIANT Inv\n",
        HOLDS,
        2,
    ),
    "an action property": (
        "CONSTANT Node\nVARIABLE leader\nInit == leader \\in Node\nNext == leader' = [n \\in Node |-> n][leader]\n"
        "Same == [][leader' = leader]_leader",
        NODES + "PROPERTY Same\n",
        HOLDS,
        3,
    ),
    "a large set": (
        "VARIABLE x\nKeys == {y * 7919 : y \\in 1..1100}\nId == [k \\in Keys |-> k]\nInit == x = 7919\n"
        "Next == x < 40000 /\\ x' = Id[x] + 7919\nInv == \\A k \\in Keys : Id[k] = k",
        "INVARIANT Inv\n",
        HOLDS,
        6,
    ),
    "a value that depends on the argument": (
        "CONSTANT Node\nVARIABLE f\nInit == f = [n \\in Node |-> IF n = CHOOSE m \\in Node : TRUE THEN 1 ELSE 0]\n"
        "Next == \\E n \\in Node : f[n] < 3 /\\ f' = [m \\in Node |-> IF m = n THEN f[m] + 1 ELSE f[m]]\n"
        "Inv == \\A n \\in Node : f[n] = 0 => n # CHOOSE m \\in Node : TRUE",
        NODES + "INVARIANT Inv\n",
        HOLDS,
        48,
    ),
    "EXCEPT of it": (
        "CONSTANT Node\nVARIABLE f\nId == [n \\in Node |-> n]\nInit == f = Id\n"
        "Next == \\E n, m \\in Node : f' = [Id EXCEPT ![n] = Id[m], ![m] = Id[n]]\n"
        "Inv == \\A n \\in Node : \\E m \\in Node : f[m] = n /\\ [f EXCEPT ![m] = @][m] = n",
        NODES + "INVARIANT Inv\n",
        HOLDS,
        4,
    ),
    "sets of functions": (
        "CONSTANT Node\nVARIABLE f\nInit == f \\in [Node -> Node] /\\ f = [n \\in Node |-> n]\n"
        "Next == f' \\in {g \\in [Node -> Node] : g = [n \\in Node |-> n]}\n"
        "Inv == (CHOOSE g \\in [Node -> Node] : \\A n \\in Node : g[n] = n) = f /\\ \\A n \\in Node : f[n] = n",
        NODES + "INVARIANT Inv\n",
        HOLDS,
        1,
    ),
    "records": (
        'VARIABLE r\nOrder == <<"z", "m", "b">>\nInit == r = [k \\in {"b", "z", "m"} |-> k]\n'
        "Next == r' \\in [b : {r.z, r.b}, m : {r.m}, z : {r.b, r.z}] \\cup {[z |-> r.z, b |-> r.b, m |-> r.m]}\n"
        'Inv == r.m = "m" /\\ r["b"] \\in {"b", "z"} /\\ DOMAIN r = {"b", "m", "z"}\n'
        'At == r = [k \\in {"b", "z", "m"} |-> k] => r.b = "b" /\\ r = [z |-> "z", m |-> Order[2], b |-> "b"]',
        "INVARIANTS Inv At\n",
        HOLDS,
        4,
    ),
    "functions of functions": (
        "CONSTANT Node\nVARIABLE f\nInit == f = [n \\in Node |-> [m \\in Node |-> <<n, m>>]]\n"
        "Next == f' = [n \\in Node |-> [m \\in Node |-> f[n][m]]] /\\ UNCHANGED <<>>\n"
        "Inv == \\A n, m \\in Node : f[n][m] = <<n, m>> /\\ f = [k \\in Node |-> [l \\in Node |-> <<k, l>>]]",
        NODES + "INVARIANT Inv\n",
        HOLDS,
        1,
    ),
    "symmetry": (
        "EXTENDS TLC\nCONSTANT Node\nVARIABLES f, done\nId == [n \\in Node |-> n]\nInit == f = Id /\\ done = {}\n"
        "Next == \\E n \\in Node : n \\notin done /\\ done' = done \\cup {f[n]} /\\ f' = [m \\in Node |-> Id[f[m]]]\n"
        "Inv == f = Id\nSymmetry == Permutations(Node)",
        NODES + "INVARIANT Inv\nSYMMETRY Symmetry\n",
        HOLDS,
        4,
    ),
    "the argument that has a value": (
        'EXTENDS Functions, Integers\nVARIABLE x\nFirst == <<"z", "q">>\nInit == x = 0\nNext == x\' = 1 - x\n'
        'Inv == AntiFunction([k \\in {"q", "z"} |-> 1]) = [one \\in {1} |-> CHOOSE k \\in {"q", "z"} : TRUE]',
        "INVARIANT Inv\n",
        HOLDS,
        2,
    ),
}


def written(folder: Path, body: str, config: str) -> tuple[Path, Path]:
    spec, cfg = folder / "Test.tla", folder / "Test.cfg"
    extends = "" if body.startswith("EXTENDS") else "EXTENDS Integers\n"
    spec.write_text("---- MODULE Test ----\n" + extends + body + "\n====\n")
    cfg.write_text(STARTS + config)
    return spec, cfg


@pytest.mark.parametrize("name", MODELS)
def test_the_verdict_is_that_of_tlc(name: str, tmp_path: Path) -> None:
    body, config, verdict, distinct = MODELS[name]
    model = load_model(*written(tmp_path, body, config))
    explored = interpreted(model)
    assert (explored.result.verdict, explored.result.distinct) == (verdict, distinct)
    try:
        compiled = native(model)
    except NotCompilable:
        assert name in ("a large set", "the argument that has a value")
        return
    assert outcome(compiled.result) == outcome(explored.result)
    assert compiled.states == explored.states


KEYS = [
    ["b", "q", "z"],
    [-7, 3, 7919, 10**6],
    [*map(model_value, ("n10", "n9", "n2", "A_1"))],
    [*map(frozenset, ([], [3], [1, 2], [1, 2, 3]))],
    [(1,), (), (2, 1), (1, 2)],
    [*(function({key: 1, 2: key}) for key in range(3, 7))],
    [*range(1, 1200)],
    [*(number * 7919 for number in range(1100))],
]


@pytest.mark.parametrize("keys", KEYS, ids=lambda keys: kind_of(keys[0]))
def test_what_a_function_goes_through_leaves_it_the_identity(keys: list[Value]) -> None:
    """However it is made, kept and told: by pairs in any order, in a set of functions, pickled, printed, converted."""
    for seed in range(3):
        Random(seed).shuffle(keys)
        use(Order([str(key) for key in keys]))
        identity = function({key: key for key in keys})
        assert all(apply(identity, key) == key for key in keys)
        assert all(key == value for key, value in [*pairs_of(identity), *current().pairs(identity)])
        assert pickle.loads(pickle.dumps(identity)) == identity
        assert engine_value(reference_value(identity)) == identity
        changed = except_path(identity, (keys[0],), lambda old: (old,))
        assert {key: value for key, value in pairs_of(changed) if key != value} == {keys[0]: (keys[0],)}
        some = keys[:3]
        found = [f for f in Functions(frozenset(some), frozenset(some)).elements() if apply(f, some[0]) == some[0]]
        assert len(found) == 9
        assert function({key: key for key in some}) in found
        told = to_itf(identity)
        shown = told["#map"] if "#map" in told else told.get("#tup") or [*told.items()]
        assert "#tup" in told or all(key == value for key, value in shown)
        assert fingerprint((identity,), digest_tables(1)) == fingerprint((dict_made(keys),), digest_tables(1))
    use(BY_NAME)


def dict_made(keys: list[Value]) -> Value:
    return function({key: key for key in sorted(keys, key=repr)})


def test_the_image_of_a_function_has_the_images_where_the_images_are() -> None:
    names = [model_value(f"n{number}") for number in (7, 10, 3, 1)]
    turn = dict(zip(names, [*names[1:], names[0]], strict=True))
    f = function({name: (name, number) for number, name in enumerate(names)})
    image = Images(turn)[f]
    assert all(apply(image, turn[name]) == (turn[name], number) for number, name in enumerate(names))
