"""Numbers of one dimension: what a specification compares, by every form in which it may."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.infer.dimensions import Dimension, Dimensions
from rmqproof.model.infer.opening import Wish, opened
from rmqproof.model.tla.model_files import ModelFiles, find_models

REPLICA = """---- MODULE Replica ----
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS Server, MaxEpoch
VARIABLES epoch, log, sent, votes, seen
Smaller(x, y) == IF x <= y THEN x ELSE y
Sent(s, end, e) == [from |-> s, end |-> end, epoch |-> e]
End(s) == Len(log[s])
Last(l) == IF l = <<>> THEN 0 ELSE l[Len(l)].epoch
Init == /\\ epoch = [s \\in Server |-> 0] /\\ log = [s \\in Server |-> <<>>]
        /\\ sent = {} /\\ votes = 0 /\\ seen = [s \\in Server |-> 0]
Elect(s) == /\\ epoch[s] < MaxEpoch /\\ votes < 2
            /\\ epoch' = [epoch EXCEPT ![s] = @ + 1] /\\ votes' = votes + 1 /\\ UNCHANGED <<log, sent, seen>>
Put(s) == /\\ End(s) < 2
          /\\ log' = [log EXCEPT ![s] = Append(@, [epoch |-> epoch[s]])]
          /\\ sent' = sent \\cup {Sent(s, Smaller(End(s), seen[s]), Smaller(epoch[s], Last(log[s])))}
          /\\ UNCHANGED <<epoch, votes, seen>>
See(s, m) == seen' = [seen EXCEPT ![s] = m.end] /\\ UNCHANGED <<epoch, log, sent, votes>>
Next == \\E s \\in Server : Elect(s) \\/ Put(s) \\/ \\E m \\in sent : See(s, m)
Safe == \\A s \\in Server : \\A i \\in DOMAIN log[s] : log[s][i].epoch <= epoch[s]
====
"""
CONFIG = "INIT Init\nNEXT Next\nINVARIANT Safe\nCONSTANTS\n Server = {s1, s2}\n MaxEpoch = 2\n"


def files_of(folder: Path, text: str, config: str) -> ModelFiles:
    name = text.split()[2]
    (folder / f"{name}.tla").write_text(text)
    (folder / f"{name}.cfg").write_text(config)
    (files,) = find_models([folder / f"{name}.cfg"])
    return files


def test_epochs_and_offsets(tmp_path: Path) -> None:
    """Also through an operator that is applied to both, and what is told of a message."""
    model = files_of(tmp_path, REPLICA, CONFIG).load()
    assert model.initial is not None and model.next is not None
    found = Dimensions([model.initial, model.next, *(d.body for d in model.invariants)])
    epoch, log, sent, votes, seen = map(found.variable, model.specification.variables)
    epochs = [epoch.values, log.values.values.of_field("epoch"), sent.values.of_field("epoch")]
    offsets = [log.values.keys, sent.values.of_field("end"), seen.values]
    servers = [epoch.keys, log.keys, sent.values.of_field("from"), seen.keys]
    groups = [epochs, offsets, servers, [votes]]
    for number, group in enumerate(groups):
        assert all(group[0].is_same(other) for other in group)
        assert not any(group[0].is_same(other[0]) for other in groups[number + 1 :])


def test_candidates_compare_within_a_dimension(tmp_path: Path) -> None:
    """And apply the specification's own operators to what it applies them to."""
    texts = {atom.text for atom in opened(files_of(tmp_path, REPLICA, CONFIG), Wish(), lambda line: None).words.atoms}
    for written in ("seen[s] < End(s)", "Last(log[s]) < epoch[s]", "epoch[s] < epoch[s2]", "votes < 2"):
        assert written in texts
    for text in texts:
        assert not ("votes" in text and "epoch[" in text and " < " in text)
        assert not ("seen" in text and "Last(" in text)
    assert "Last(sent)" not in str(texts)


FORMS = {
    "x = y": True,
    "x = 0 /\\ y = 0": False,
    "x \\in 0..y": True,
    "x \\in 0..M /\\ y \\in 0..M": False,
    "{x} = {y}": True,
    "x \\in {1, 2} /\\ y \\in {1, 2}": False,
    "x + y > 0": True,
    "x * y > 0": False,
    "x = (IF TRUE THEN y ELSE 0)": True,
    "(IF x > 0 THEN y ELSE 0) = 0": False,
    "x = (CHOOSE n \\in {y} : TRUE)": True,
    "\\E n \\in {x, 1} : n = y": True,
    "\\E n \\in {x, 1} : n = 1 /\\ y = 1": False,
    "[a |-> x, b |-> y].a = x": False,
    "[a |-> x, b |-> y] = [a |-> y, b |-> 1]": True,
    "[k \\in {x} |-> k][y] = 0": True,
    "[k \\in {1} |-> x][y] = 0": False,
    "[[k \\in {1} |-> x] EXCEPT ![1] = y] = <<>>": True,
    "[[a |-> x] EXCEPT !.a = @ + 1].a = y": True,
    "<<x, y>> = <<x, y>>": False,
    "<<x, y>> = <<y, 1>>": True,
    "<<x>> \\in {1} \\X {1} /\\ y = 1": False,
    "\\E <<a, b>> \\in {<<x, 1>>} : a = y": True,
    "Append(<<x>>, y) = <<>>": True,
    "Len(<<x>>) = y": False,
    "SelectSeq(<<x>>, LAMBDA n : n = y) = <<>>": True,
    "Both(x, 1) /\\ Both(y, 1)": False,
    "Both(x, y)": True,
    "Applied(Twice, x) = y": True,
    "Applied(LAMBDA n : n + y, x) = 0": True,
    "LET z == x IN z = y": True,
    "LET F(n) == n + 1 IN F(x) = 1 /\\ F(y) = 1": False,
    "Sum({x}) = y": True,
    "Cardinality({x}) = y": False,
    "{n + 1 : n \\in {x}} = {y}": True,
    "{n \\in {x} : n > 0} = {y}": True,
    "UNION {{x}} = {y}": True,
    "{x} \\in SUBSET {y}": True,
    "x \\in DOMAIN [n \\in {y} |-> 0]": True,
    "[a |-> x] \\in [a : {y}]": True,
    "CASE x > 0 -> TRUE [] OTHER -> y > 0": False,
    "x' = y": True,
    "x % 2 = y": True,
    "-x = y": True,
    "(1 :> x @@ 2 :> y)[1] = 0": True,
    "(x :> 1 @@ y :> 2)[1] = 0": True,
    "Tail(<<x>>) \\o <<y>> = <<>>": True,
    "Head(<<x>>) = y": True,
    "SubSeq(<<1>>, x, y) = <<>>": True,
    "Seq({x}) = Seq({y})": True,
    "\\A n \\in 1..Len(<<1>>) : x = n": False,
    "\\E s \\in {<<1>>} : x = Len(s) /\\ y \\in DOMAIN s": True,
    "FoldFunction(LAMBDA n, m : IF x < y THEN n ELSE m, 0, <<1>>) = 0": True,
    "LET a == x b == a + a c == b + b d == c + c IN d = y": True,
}

MODULE = """---- MODULE Forms ----
EXTENDS Integers, Sequences, FiniteSets, TLC, Functions
CONSTANT M
VARIABLES x, y
Both(a, b) == a = b
Twice(a) == 2 + a
Applied(Op(_), a) == Op(a)
RECURSIVE Sum(_)
Sum(S) == IF S = {} THEN 0 ELSE LET n == CHOOSE n \\in S : TRUE IN n + Sum(S \\ {n})
Init == x = 0 /\\ y = 0
"""


@pytest.mark.parametrize("form", FORMS)
def test_every_form(tmp_path: Path, form: str) -> None:
    files = files_of(tmp_path, f"{MODULE}Next == {form}\n====\n", "INIT Init\nNEXT Next\nCONSTANT M = 3\n")
    model = files.load()
    assert model.next is not None
    found = Dimensions([model.next])
    x, y = map(found.variable, model.specification.variables)
    assert x.is_same(y) is FORMS[form]


def test_parts_are_joined_with_their_wholes() -> None:
    one, other = Dimension(), Dimension()
    deep, more = one.values.of_field("a"), other.values.of_field("b")
    one.join(other)
    assert one.values.is_same(other.values)
    assert other.values.of_field("a").is_same(deep)
    assert one.values.of_field("b").is_same(more)
    one.join(one.values)  # a whole that is its own part, as by a specification that cannot have a value
    assert one.is_same(one.values.values)
