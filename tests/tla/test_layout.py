"""Junction lists: what belongs to which list, decided by columns."""

from __future__ import annotations

import textwrap

import pytest

from rmqproof.model.tla.source import TlaError
from tests.tla.outline import body, expression

LISTS = {
    "one item": ("/\\ a", "[/\\ a]"),
    "two items": ("/\\ a\n/\\ b", "[/\\ a b]"),
    "disjunction": ("\\/ a\n\\/ b", "[\\/ a b]"),
    "inline is infix": ("/\\ a /\\ b", "[/\\ (/\\ a b)]"),
    "nested": ("/\\ a\n/\\ \\/ b\n   \\/ c\n/\\ d", "[/\\ a [\\/ b c] d]"),
    "nested alike": ("/\\ a\n/\\ /\\ b\n   /\\ c\n/\\ d", "[/\\ a [/\\ b c] d]"),
    "three levels": (
        "/\\ a\n/\\ \\/ b\n   \\/ /\\ c\n      /\\ d\n   \\/ e\n/\\ f",
        "[/\\ a [\\/ b [/\\ c d] e] f]",
    ),
    "infix after the list, by column": ("  /\\ a\n  /\\ b\n=> c", "(=> [/\\ a b] c)"),
    "infix within the last item": ("/\\ a\n/\\ b\n   => c", "[/\\ a (=> b c)]"),
    "infix under the bullet": ("/\\ a\n/\\ b\n=> c", "(=> [/\\ a b] c)"),
    "implication between lists": (
        "  /\\ a\n  /\\ b\n=>\n  /\\ c\n  /\\ d",
        "(=> [/\\ a b] [/\\ c d])",
    ),
    "other bullet in the same column": ("/\\ a\n/\\ b\n\\/ c", "(\\/ [/\\ a b] c)"),
    "same operator further left": ("  /\\ a\n  /\\ b\n/\\ c", "(/\\ [/\\ a b] c)"),
    "same operator further right": ("/\\ a\n  /\\ b\n/\\ c", "[/\\ (/\\ a b) c]"),
    "in parentheses": ("/\\ (\\/ a\n    \\/ b)\n/\\ c", "[/\\ [\\/ a b] c]"),
    "closed by a parenthesis": ("(/\\ a\n /\\ b) => c", "(=> [/\\ a b] c)"),
    "comma closes": ("F(/\\ a\n  /\\ b, c)", "(F [/\\ a b] c)"),
    "in a set": ("{/\\ a\n /\\ b, c}", "(SetEnumeration <[/\\ a b] c>)"),
    "in a tuple": ("<</\\ a, /\\ b>>", "(TupleExpression <[/\\ a] [/\\ b]>)"),
    "in a set filter": ("{x \\in S : /\\ a\n           /\\ b}", "(SetFilter x S [/\\ a b])"),
    "in a function": ("[x \\in S |-> /\\ a\n             /\\ b]", "(FunctionConstructor <(Bound <x> S)> [/\\ a b])"),
    "in a record": (
        "[p |-> /\\ a\n       /\\ b, q |-> c]",
        "(Record <(RecordField p [/\\ a b]) (RecordField q c)>)",
    ),
    "box action": ("[/\\ a\n /\\ b]_v", "(BoxAction [/\\ a b] v)"),
    "angle action": ("<</\\ a\n  /\\ b>>_v", "(AngleAction [/\\ a b] v)"),
    "IF in an item": (
        "/\\ IF a\n     THEN b\n     ELSE c\n/\\ d",
        "[/\\ (If a b c) d]",
    ),
    "lists in IF": (
        "IF /\\ a\n   /\\ b\nTHEN /\\ c\n     /\\ d\nELSE /\\ e\n     /\\ f",
        "(If [/\\ a b] [/\\ c d] [/\\ e f])",
    ),
    "list in ELSE in an item": (
        "/\\ IF a THEN /\\ b\n             /\\ c\n        ELSE /\\ d\n             /\\ e\n/\\ f",
        "[/\\ (If a [/\\ b c] [/\\ d e]) f]",
    ),
    "CASE in an item": (
        "/\\ CASE a -> b\n     [] c -> d\n     [] OTHER -> e\n/\\ f",
        "[/\\ (Case <(CaseArm a b) (CaseArm c d)> e) f]",
    ),
    "lists in CASE arms": (
        "CASE a -> /\\ b\n          /\\ c\n  [] d -> /\\ e\n          /\\ f\n  [] OTHER -> /\\ g",
        "(Case <(CaseArm a [/\\ b c]) (CaseArm d [/\\ e f])> [/\\ g])",
    ),
    "arm on the line of a list": ("CASE a -> /\\ b [] c -> d", "(Case <(CaseArm a [/\\ b]) (CaseArm c d)> -)"),
    "CASE in CASE, ended by column": (
        "CASE a ->\n    /\\ CASE b -> c\n       [] d -> e\n  [] f -> g",
        "(Case <(CaseArm a [/\\ (Case <(CaseArm b c) (CaseArm d e)> -)]) (CaseArm f g)> -)",
    ),
    "CASE in CASE, ended by OTHER": (
        "CASE a -> CASE b -> c [] OTHER -> d [] e -> f",
        "(Case <(CaseArm a (Case <(CaseArm b c)> d)) (CaseArm e f)> -)",
    ),
    "temporal box in a CASE": ("CASE a -> []b [] c -> []d", "(Case <(CaseArm a ([] b)) (CaseArm c ([] d))> -)"),
    "LET in an item": (
        "/\\ LET x == 1\n       y == /\\ a\n            /\\ b\n   IN /\\ c\n      /\\ d\n/\\ e",
        "[/\\ (Let <(OperatorDefinition x <> 1) (OperatorDefinition y <> [/\\ a b])> [/\\ c d]) e]",
    ),
    "definitions of a LET on one line": (
        "LET x == /\\ a  y == CASE p -> \\/ q  z == 1 IN x",
        "(Let <(OperatorDefinition x <> [/\\ a]) (OperatorDefinition y <> (Case <(CaseArm p [\\/ q])> -)) "
        "(OperatorDefinition z <> 1)> x)",
    ),
    "quantifier in an item": (
        "/\\ \\A x \\in S : /\\ a\n                /\\ b\n/\\ c",
        "[/\\ (Quantified \\A <(Bound <x> S)> [/\\ a b]) c]",
    ),
    "body of a quantifier further left than its own bullets": (
        "/\\ \\E x \\in S :\n   /\\ a\n   /\\ b\n/\\ c",
        "[/\\ (Quantified \\E <(Bound <x> S)> [/\\ a b]) c]",
    ),
    "quantifier in a set filter": (
        "{x \\in S : \\A y \\in T : /\\ a}",
        "(SetFilter x S (Quantified \\A <(Bound <y> T)> [/\\ a]))",
    ),
    "CHOOSE": ("/\\ CHOOSE x : /\\ a\n/\\ b", "[/\\ (Choose x - [/\\ a]) b]"),
    "prime after a list": ("(/\\ a)'", "(' [/\\ a])"),
    "negated": ("~ /\\ a\n  /\\ b", "(~ [/\\ a b])"),
    "list after an infix operator": ("a => /\\ b\n     /\\ c", "(=> a [/\\ b c])"),
    "list after =": ("x = /\\ a\n    /\\ b", "(= x [/\\ a b])"),
    "EXCEPT": (
        "/\\ f' = [f EXCEPT ![a] = /\\ b\n                         /\\ c,\n              ![d] = e]\n/\\ g",
        "[/\\ (= (' f) (Except f <(Update <(PathIndex <a>)> [/\\ b c]) (Update <(PathIndex <d>)> e)>)) g]",
    ),
    "comments and blank lines": (
        "/\\ a \\* one\n\n(* two\n/\\ x *)\n/\\ b\n\\* three\n/\\ c",
        "[/\\ a b c]",
    ),
    "a comment before a bullet": ("(* 1 *) /\\ a\n(* 2 *) /\\ b", "[/\\ a b]"),
    "label": ("/\\ one:: a\n/\\ two:: /\\ b\n         /\\ c", "[/\\ (Label one <> a) (Label two <> [/\\ b c])]"),
    "Unicode bullets": ("∧ a\n∧ ∨ b\n  ∨ c", "[/\\ a [\\/ b c]]"),
    "the words are no bullets": ("a \\land b \\land c", "(/\\ (/\\ a b) c)"),
    "operator as argument": ("F(/\\, \\/)", "(F /\\ \\/)"),
    "minus in a list": ("/\\ -1\n/\\ - x", "[/\\ (-. 1) (-. x)]"),
}


@pytest.mark.parametrize(("text", "tree"), LISTS.values(), ids=LISTS.keys())
def test_lists(text: str, tree: str) -> None:
    assert expression(text) == tree


@pytest.mark.parametrize(("text", "tree"), LISTS.values(), ids=LISTS.keys())
def test_lists_do_not_depend_on_how_far_they_are_indented(text: str, tree: str) -> None:
    assert body("Op ==", textwrap.indent(text, "     ")) == tree


def test_a_list_begins_on_the_line_of_its_definition() -> None:
    assert body("Init == /\\ a", "        /\\ b") == "[/\\ a b]"
    assert body("Init == /\\ a", "        /\\ b", "Next == /\\ c") == "[/\\ c]"


def test_tabs_stand_at_multiples_of_eight() -> None:
    assert expression("\t/\\ a\n        /\\ b") == "[/\\ a b]"
    assert expression("  \t/\\ a\n\t/\\ b\n        /\\ c") == "[/\\ a b c]"
    assert expression("\t/\\ a\n  /\\ b") == "(/\\ [/\\ a] b)"


@pytest.mark.parametrize(
    "text",
    [
        "/\\ (a\n)",
        "/\\ (a +\nb)",
        "/\\ IF a\nTHEN b ELSE c",
        "/\\ F(a,\n/\\ b)",
        "  /\\ {a,\n b}",
        "/\\ LET x == 1\nIN x",
    ],
)
def test_nothing_inside_an_item_stands_left_of_its_bullet(text: str) -> None:
    with pytest.raises(TlaError, match="at or left of the column"):
        expression(text)


@pytest.mark.parametrize("text", ["/\\ a =>\n/\\ b", "/\\\n/\\ a", "/\\ a\n/\\", "/\\ a +\n b)"])
def test_unfinished_items(text: str) -> None:
    with pytest.raises(TlaError):
        expression(text)
