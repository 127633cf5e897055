"""Every construct of the language, and that printing and parsing are each other's inverse."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.model.tla import syntax
from rmqproof.model.tla.operators import infix_operators, postfix_operators, prefix_operators
from rmqproof.model.tla.parser import parse_expression
from rmqproof.model.tla.print import text_of
from rmqproof.model.tla.source import Location, Source
from tests.tla.outline import expression, module, outline

EXPRESSIONS = {
    "TRUE": "TRUE",
    "F(x, y)": "(F x y)",
    "F(+, LAMBDA x, y : x)": "(F + (Lambda <x y> x))",
    "F(-, ~, ')": "(F - ~ ')",
    "F(-., 1)": "(F -. 1)",
    "+(a, b)": "(+ a b)",
    "M!Op": "M!Op",
    "F(x)!Op(y)": "(F x)!(Op y)",
    "A!B(1)!c": "A!(B 1)!c",
    "M!+(a, b)": "M!(+ a b)",
    "{}": "(SetEnumeration <>)",
    "{x \\in S : p}": "(SetFilter x S p)",
    "{<<x, y>> \\in S : p}": "(SetFilter (TuplePattern <x y>) S p)",
    "{x \\in S \\cup T : y \\in U}": "(SetFilter x (\\cup S T) (\\in y U))",
    "{(x \\in S) : y \\in U}": "(SetMap (\\in x S) <(Bound <y> U)>)",
    "{x + y : x, y \\in S, <<a, b>> \\in T}": (
        "(SetMap (+ x y) <(Bound <x y> S) (Bound <(TuplePattern <a b>)> T)>)"
    ),
    "{x \\in S, y \\in T}": "(SetEnumeration <(\\in x S) (\\in y T)>)",
    "[x \\in S |-> e]": "(FunctionConstructor <(Bound <x> S)> e)",
    "[x, y \\in S, z \\in T |-> e]": "(FunctionConstructor <(Bound <x y> S) (Bound <z> T)> e)",
    "[<<a, b>> \\in S |-> e]": "(FunctionConstructor <(Bound <(TuplePattern <a b>)> S)> e)",
    "[S -> T]": "(FunctionSet S T)",
    "[S -> [T -> U]]": "(FunctionSet S (FunctionSet T U))",
    "[a |-> 1]": "(Record <(RecordField a 1)>)",
    "[a |-> 1, b |-> 2]": "(Record <(RecordField a 1) (RecordField b 2)>)",
    "[NEW |-> 1].NEW": "(FieldAccess (Record <(RecordField NEW 1)>) NEW)",
    "[a : S, b : T]": "(RecordSet <(RecordField a S) (RecordField b T)>)",
    "[f EXCEPT ![a].b[c] = @ + 1, !.d = 2, ![a, b] = 3]": (
        "(Except f <(Update <(PathIndex <a>) (PathField b) (PathIndex <c>)> (+ (Old) 1)) "
        "(Update <(PathField d)> 2) (Update <(PathIndex <a b>)> 3)>)"
    ),
    "<<>>": "(TupleExpression <>)",
    "<<1, x>>": "(TupleExpression <1 x>)",
    "\\A x, y \\in S, z \\in T : p": "(Quantified \\A <(Bound <x y> S) (Bound <z> T)> p)",
    "\\E x, y : p": "(Quantified \\E <(Bound <x y> -)> p)",
    "\\E <<x, y>> \\in S : p": "(Quantified \\E <(Bound <(TuplePattern <x y>)> S)> p)",
    "\\AA x, y : p": "(TemporalQuantified \\AA <x y> p)",
    "\\EE x : p": "(TemporalQuantified \\EE <x> p)",
    "CHOOSE x \\in S : p": "(Choose x S p)",
    "CHOOSE x : p": "(Choose x - p)",
    "CHOOSE <<x, y>> \\in S : p": "(Choose (TuplePattern <x y>) S p)",
    "IF a THEN b ELSE IF c THEN d ELSE e": "(If a b (If c d e))",
    "CASE a -> b [] c -> d": "(Case <(CaseArm a b) (CaseArm c d)> -)",
    "CASE a -> b [] OTHER -> c": "(Case <(CaseArm a b)> c)",
    "LET a == 1 f[x \\in S] == x IN a": (
        "(Let <(OperatorDefinition a <> 1) (FunctionDefinition f <(Bound <x> S)> x)> a)"
    ),
    "LET RECURSIVE F(_) F(x) == F(x) IN F(1)": (
        "(Let <(Recursive <(Parameter F 1)>) (OperatorDefinition F <(Parameter x 0)> (F x))> (F 1))"
    ),
    "LET M == INSTANCE N WITH a <- 1 IN M!x": (
        "(Let <(ModuleDefinition M <> (Instance N <(Substitution a 1)>))> M!x)"
    ),
    "[][Next]_vars": "([] (BoxAction Next vars))",
    "[Next]_<<a, b>>": "(BoxAction Next (TupleExpression <a b>))",
    "[Next]_M!vars": "(BoxAction Next M!vars)",
    "<><<Next>>_vars": "(<> (AngleAction Next vars))",
    "WF_vars(Next)": "(Fairness WF vars Next)",
    "SF_<<a, b>>(A /\\ B)": "(Fairness SF (TupleExpression <a b>) (/\\ A B))",
    "WF_(f[x])(Next)": "(Fairness WF (FunctionApplication f <x>) Next)",
    "WF_M!vars(M!Next(x))": "(Fairness WF M!vars M!(Next x))",
    "WF_I(x)!vars(Next)": "(Fairness WF (I x)!vars Next)",
    "lab(x) :: x = 1": "(Label lab <x> (= x 1))",
    "((a))": "a",
}  # fmt: skip


@pytest.mark.parametrize(("text", "tree"), EXPRESSIONS.items())
def test_expressions(text: str, tree: str) -> None:
    assert expression(text) == tree


UNITS = {
    "VARIABLES x, y": "(Variables <x y>)",
    "CONSTANTS N, F(_, _), _ \\prec _, -. _, _ ^+": (
        "(Constants <(Parameter N 0) (Parameter F 2) (Parameter \\prec 2) (Parameter -. 1) (Parameter ^+ 1)>)"
    ),
    "ASSUME N > 0": "(Assume  (> N 0) False)",
    "AXIOM Big == N > 9": "(Assume Big (> N 9) True)",
    "THEOREM Spec => []P": "(Theorem  (=> Spec ([] P)))",
    "LEMMA L == TRUE BY DEF L": "(Theorem L TRUE)",
    "RECURSIVE F(_), G": "(Recursive <(Parameter F 1) (Parameter G 0)>)",
    "F(a, G(_)) == a": "(OperatorDefinition F <(Parameter a 0) (Parameter G 1)> a)",
    "a (+) b == a": "(OperatorDefinition (+) <(Parameter a 0) (Parameter b 0)> a)",
    "a \\in b == a": "(OperatorDefinition \\in <(Parameter a 0) (Parameter b 0)> a)",
    "-. a == a": "(OperatorDefinition -. <(Parameter a 0)> a)",
    "a ^+ == a": "(OperatorDefinition ^+ <(Parameter a 0)> a)",
    "f[x \\in S, <<y, z>> \\in T] == x": (
        "(FunctionDefinition f <(Bound <x> S) (Bound <(TuplePattern <y z>)> T)> x)"
    ),
    "INSTANCE M": "(Instance M <>)",
    "LOCAL INSTANCE M WITH a <- 1, \\prec <- <": "(Instance M <(Substitution a 1) (Substitution \\prec <)>)",
    "I(x) == INSTANCE M WITH a <- x": (
        "(ModuleDefinition I <(Parameter x 0)> (Instance M <(Substitution a x)>))"
    ),
    "THEOREM ASSUME NEW x \\in S, NEW STATE y, ACTION A, P PROVE Q": (
        "(Theorem  (AssumeProve <(NewSymbol CONSTANT (Parameter x 0) S) (NewSymbol STATE (Parameter y 0) -) "
        "(NewSymbol ACTION (Parameter A 0) -) P> Q))"
    ),
    "---- MODULE Inner ----\nA == 1\n====": "(Module Inner <> <(OperatorDefinition A <> 1)>)",
}  # fmt: skip


@pytest.mark.parametrize(("text", "tree"), UNITS.items())
def test_units(text: str, tree: str) -> None:
    parsed = module(text)
    assert outline(parsed.units[0]) == tree
    assert len(parsed.units) == 1


def test_local() -> None:
    parsed = module("LOCAL A == 1", "LOCAL f[x \\in S] == 1", "LOCAL M == INSTANCE N", "LOCAL INSTANCE N", "B == 1")
    assert [getattr(unit, "local", None) for unit in parsed.units] == [True, True, True, True, False]


def test_extends_and_separators() -> None:
    parsed = module("EXTENDS Naturals, Sequences", "------", "A == 1", "----------", "----------", "B == 2", "----")
    assert [name.name for name in parsed.extends] == ["Naturals", "Sequences"]
    assert [outline(unit) for unit in parsed.units] == ["(OperatorDefinition A <> 1)", "(OperatorDefinition B <> 2)"]


PROOF = """
THEOREM T == ASSUME NEW x \\in S, x > 1
             PROVE  P(x) /\\ Q(x)
PROOF
<1> USE DEF P
<1> DEFINE y == x + 1
           f(a) == CASE a -> 1 [] OTHER -> 2
<1>1. P(x)
  <2>1. CASE x = 1
    BY <1>1!1, Op!2!<<, SMT DEF P, +, MODULE M
  <2>2. SUFFICES ASSUME NEW z, <2>1 PROVE /\\ a
                                         /\\ b
    OBVIOUS
  <2>a. PICK q \\in S : q = 1  BY ONLY Fact
  <2>b. HAVE x > 0
  <2>c. TAKE u, v \\in S
  <2>d. WITNESS 1 \\in S, 2
  <2>e. local(w) == w
  <2> HIDE DEF P
  <2> QED BY <2>1, <2>2
<1>2. @ = 3
  OMITTED
<1>... QED  PROOF BY <1>1, Inv!1, \\A a : a DEFS y, f
Next == x' = 1
USE DEF Next
a (+) b == a
THEOREM Next OBVIOUS
LOCAL Last == 1
"""


def test_proofs_are_skipped() -> None:
    parsed = module(PROOF)
    assert [getattr(unit, "name", type(unit).__name__) for unit in parsed.units] == ["T", "Next", "(+)", "", "Last"]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("Inv!2", "Inv!2"),
        ("F(x)!<<", "(F x)!<<"),
        ("Op!:", "Op!:"),
        ("A!1!B + 1", "(+ A!1!B 1)"),
        ("Op!(1)!lab(2)", "Op!(() 1)!(lab 2)"),
        ("P(x)!2!>> /\\ Q!@", "(/\\ (P x)!2!>> Q!@)"),
    ],
)
def test_parts_of_definitions(text: str, tree: str) -> None:
    assert expression(text) == tree
    assert expression(text_of(parse_expression(text))) == tree


def test_field_named_by_reserved_words() -> None:
    assert expression("r.WF_x.THEN") == "(FieldAccess (FieldAccess r WF_x) THEN)"


# --- printing and parsing ----------------------------------------------------------------------------------

AT = Location(Source("t", ""), 1, 1, 1, 1)
NAMES = st.sampled_from(["a", "b", "Op", "x_1", "_p", "TRUE", "IFx"])
IDENTIFIERS = NAMES.map(lambda name: syntax.Identifier(AT, name))
PATTERNS = st.one_of(
    IDENTIFIERS, st.lists(IDENTIFIERS, min_size=1, max_size=3).map(lambda n: syntax.TuplePattern(AT, tuple(n)))
)
SYMBOLS = st.sampled_from(sorted((infix_operators().keys() | postfix_operators().keys() | {"~", "-."}) - {"\\X"}))


def _tuples(items: st.SearchStrategy[syntax.Expression], low: int, high: int) -> st.SearchStrategy[tuple]:  # type: ignore[type-arg]
    return st.lists(items, min_size=low, max_size=high).map(tuple)


def _larger(inner: st.SearchStrategy[syntax.Expression]) -> st.SearchStrategy[syntax.Expression]:
    return st.one_of(_applied(inner), _bound(inner), _built(inner))


def _applied(inner: st.SearchStrategy[syntax.Expression]) -> st.SearchStrategy[syntax.Expression]:
    """Operators, applications and names."""
    argument = st.one_of(
        inner,
        SYMBOLS.map(lambda name: syntax.Apply(AT, (), name)),
        st.builds(lambda n, e: syntax.Lambda(AT, (n,), e), IDENTIFIERS, inner),
    )
    arguments = st.lists(argument, min_size=1, max_size=2).map(tuple)
    prefix = st.lists(
        st.builds(lambda n, a: syntax.InstancePrefix(AT, n, a), NAMES, st.one_of(st.just(()), arguments)), max_size=2
    ).map(tuple)
    infix = st.sampled_from(sorted(infix_operators().keys() - {"\\X"}))
    return st.one_of(
        st.builds(lambda o, a, b: syntax.Apply(AT, (), o, (a, b)), infix, inner, inner),
        st.builds(lambda o, a: syntax.Apply(AT, (), o, (a,)), st.sampled_from(sorted(prefix_operators())), inner),
        st.builds(lambda o, a: syntax.Apply(AT, (), o, (a,)), st.sampled_from(sorted(postfix_operators())), inner),
        st.builds(lambda p, n, a: syntax.Apply(AT, p, n, a), prefix, NAMES, arguments),
        st.builds(lambda o, i: syntax.Junction(AT, o, i), st.sampled_from(["/\\", "\\/"]), _tuples(inner, 1, 3)),
        _tuples(inner, 2, 3).map(lambda f: syntax.Cartesian(AT, f)),
        st.builds(lambda f, a: syntax.FunctionApplication(AT, f, a), inner, _tuples(inner, 1, 2)),
        st.builds(lambda r, n: syntax.FieldAccess(AT, r, n), inner, NAMES),
        st.builds(lambda n, p, e: syntax.Label(AT, n, tuple(p), e), NAMES, st.lists(IDENTIFIERS, max_size=2), inner),
    )


def _bounds(inner: st.SearchStrategy[syntax.Expression]) -> st.SearchStrategy[tuple[syntax.Bound, ...]]:
    return st.lists(
        st.one_of(
            st.builds(lambda p, d: syntax.Bound(AT, (p,), d), PATTERNS, inner),
            st.builds(lambda n, d: syntax.Bound(AT, tuple(n), d), st.lists(IDENTIFIERS, min_size=1, max_size=2), inner),
        ),
        min_size=1,
        max_size=2,
    ).map(tuple)


def _bound(inner: st.SearchStrategy[syntax.Expression]) -> st.SearchStrategy[syntax.Expression]:
    """What binds names."""
    bounds = _bounds(inner)
    unbounded = st.lists(IDENTIFIERS, min_size=1, max_size=2).map(lambda n: (syntax.Bound(AT, tuple(n), None),))
    parameters = st.lists(st.builds(lambda n, a: syntax.Parameter(AT, n, a), NAMES, st.integers(0, 2)), max_size=2).map(
        tuple
    )
    units = st.lists(
        st.one_of(
            st.builds(lambda n, p, b: syntax.OperatorDefinition(AT, n, p, b), NAMES, parameters, inner),
            st.builds(
                lambda n, b: syntax.OperatorDefinition(
                    AT, n, (syntax.Parameter(AT, "a"), syntax.Parameter(AT, "b")), b
                ),
                st.sampled_from(sorted(infix_operators().keys() - {"\\X"})),
                inner,
            ),
            st.builds(lambda n, bs, b: syntax.FunctionDefinition(AT, n, bs, b), NAMES, bounds, inner),
        ),
        min_size=1,
        max_size=2,
    ).map(tuple)
    return st.one_of(
        st.builds(
            lambda k, b, e: syntax.Quantified(AT, k, b, e),
            st.sampled_from(["\\A", "\\E"]),
            st.one_of(bounds, unbounded),
            inner,
        ),
        st.builds(lambda n, e: syntax.TemporalQuantified(AT, "\\EE", (n,), e), IDENTIFIERS, inner),
        st.builds(lambda p, d, e: syntax.Choose(AT, p, d, e), PATTERNS, inner, inner),
        st.builds(lambda u, b: syntax.Let(AT, u, b), units, inner),
        st.builds(lambda p, d, e: syntax.SetFilter(AT, p, d, e), PATTERNS, inner, inner),
        st.builds(lambda e, b: syntax.SetMap(AT, e, b), inner, bounds),
        st.builds(lambda b, e: syntax.FunctionConstructor(AT, b, e), bounds, inner),
    )


def _built(inner: st.SearchStrategy[syntax.Expression]) -> st.SearchStrategy[syntax.Expression]:
    """Values with parts, choices, and what is temporal."""
    fields = st.lists(st.builds(lambda n, v: syntax.RecordField(AT, n, v), NAMES, inner), min_size=1, max_size=2).map(
        tuple
    )
    path = st.lists(
        st.one_of(
            NAMES.map(lambda n: syntax.PathField(AT, n)), _tuples(inner, 1, 2).map(lambda a: syntax.PathIndex(AT, a))
        ),
        min_size=1,
        max_size=2,
    ).map(tuple)
    updates = st.lists(st.builds(lambda p, v: syntax.Update(AT, p, v), path, inner), min_size=1, max_size=2).map(tuple)
    arms = st.lists(st.builds(lambda g, b: syntax.CaseArm(AT, g, b), inner, inner), min_size=1, max_size=2).map(tuple)
    return st.one_of(
        st.builds(lambda c, a, b: syntax.If(AT, c, a, b), inner, inner, inner),
        st.builds(lambda a, o: syntax.Case(AT, a, o), arms, st.one_of(st.none(), inner)),
        _tuples(inner, 0, 3).map(lambda i: syntax.SetEnumeration(AT, i)),
        st.builds(lambda a, b: syntax.FunctionSet(AT, a, b), inner, inner),
        fields.map(lambda f: syntax.Record(AT, f)),
        fields.map(lambda f: syntax.RecordSet(AT, f)),
        _tuples(inner, 0, 3).map(lambda i: syntax.TupleExpression(AT, i)),
        st.builds(lambda f, u: syntax.Except(AT, f, u), inner, updates),
        st.builds(lambda a, s: syntax.BoxAction(AT, a, s), inner, inner),
        st.builds(lambda a, s: syntax.AngleAction(AT, a, s), inner, inner),
        st.builds(lambda k, s, a: syntax.Fairness(AT, k, s, a), st.sampled_from(["WF", "SF"]), inner, inner),
    )


LEAVES: st.SearchStrategy[syntax.Expression] = st.one_of(
    NAMES.map(lambda name: syntax.Apply(AT, (), name)),
    st.integers(0, 10**20).map(lambda value: syntax.Number(AT, value)),
    st.text(alphabet='ab \\"\n\t(*)', max_size=5).map(lambda value: syntax.Text(AT, value)),
    st.just(syntax.Old(AT)),
)


@settings(max_examples=250, deadline=None)
@given(st.recursive(LEAVES, _larger, max_leaves=12))
def test_parsing_what_was_printed_gives_the_same_tree(tree: syntax.Expression) -> None:
    assert outline(parse_expression(text_of(tree))) == outline(tree)


@settings(max_examples=150, deadline=None)
@given(st.recursive(LEAVES, _larger, max_leaves=8))
def test_one_line_stays_one_line_and_parses(tree: syntax.Expression) -> None:
    text = text_of(tree, one_line=True)
    assert "\n" not in text
    parse_expression(text)


def test_a_subscript_of_fairness_may_be_an_application() -> None:
    found = parse_expression("WF_I!Op(x, y)(Next)")
    assert isinstance(found, syntax.Fairness)
    assert (text_of(found.subscript), text_of(found.action)) == ("I!Op(x, y)", "Next")
