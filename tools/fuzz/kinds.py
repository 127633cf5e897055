"""`python -m tools.fuzz.kinds`: every operator applied to values of every kind, asked of TLC and of the engines.

Random specifications are mostly well-typed; what TLC does with an argument of another kind (an error, or an answer
since nobody looks at it) is met there too seldom to be sure of. Here nothing else is drawn: a formula is an operator
with arguments, in a surrounding that asks for its value, for an element, or for what it is a part of.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from random import Random

import click

from tools.fuzz.compared import told
from tools.fuzz.tlc import classpath

VALUES = (
    *("5", "0", "-1", '"a"', '""', "TRUE", "FALSE", "m"),
    *("{}", "{1}", '{"a"}', "{m}", "{m, 1}", "{{}}", "{<<>>}", "{{1}, {2}}", "{<<1, 2>>}", "BOOLEAN"),
    *("<<>>", "<<1>>", '<<"q">>', "<<1, 2>>", "<<{}>>", "<<0>>", "<<-1>>"),
    *("[a |-> 1]", '[a |-> "q"]', "(1 :> 1)", "(5 :> 1)", '("a" :> 2)', "(m :> 1)", "({} :> 1)", '(0 :> "z")'),
    *(
        "1..2",
        "2..1",
        "SUBSET {1}",
        "{1} \\X {2}",
        "[{1} -> {1}]",
        "[a : {1}]",
        "{k \\in {1, 2} : k > 1}",
        "UNION {{1}}",
    ),
    *("SUBSET {}", "[{} -> {1}]", "{k : k \\in {}}", "[k \\in {} |-> k]", "[k \\in {1, 2} |-> k]"),
)
"""Expressions; m is a model value."""

ENDLESS = (
    *("Nat", "Int", "STRING", "Seq({1})", "Seq(Nat)", "SUBSET Nat", "[{1} -> Nat]", "[{} -> Nat]", "[a : Nat]"),
    *(
        "Nat \\X {1}",
        "{} \\X Nat",
        "Nat \\cup {-1}",
        "Nat \\ {1}",
        "{k \\in Nat : k > 1}",
        "UNION {Nat}",
        "Nat \\cap {1}",
    ),
)
"""Sets that are not finite, or have a part that is not. No variable can have them."""

ATOMS = ("5", "1", '"a"', '"b"', "m", "t", "u", "TRUE", "{}", "<<>>")
"""m is an untyped model value, t and u are of two types."""

FRAMES = (
    *(
        "{{{}}}",
        "{{{}, 1}}",
        '{{"a", {}}}',
        "<<{}>>",
        "<<1, {}>>",
        "[a |-> {}]",
        "({} :> 1)",
        "(1 :> {})",
        '("a" :> {})',
    ),
    *("[k \\in {{{}}} |-> 1]", "[k \\in {{{}}} |-> k]", "[k \\in 1..1 |-> {}]"),
    *("{{k \\in {{{}}} : TRUE}}", "{{k : k \\in {{{}}}}}", "SUBSET {{{}}}", "UNION {{{{{}}}}}"),
    *("[{{{}}} -> {{1}}]", "[{{1}} -> {{{}}}]", "[a : {{{}}}]", "({{{}}} \\X {{1}})", "Seq({{{}}})"),
)
"""What is put around atoms, the same around all arguments of a formula: what is compared is alike outside."""

OPERATORS = (
    *(f"({{0}} {name} {{1}})" for name in ("\\in", "\\notin", "\\subseteq", "\\cup", "\\cap", "\\", "=", "#", "\\X")),
    *(
        f"({{0}} {name} {{1}})"
        for name in ("+", "-", "*", "\\div", "%", "^", "..", "<", "<=", ">", ">=", "\\o", ":>", "@@")
    ),
    *(f"({{0}} {name} {{1}})" for name in ("/\\", "\\/", "=>", "<=>", "(+)", "(-)", "\\sqsubseteq")),
    *("(SUBSET {0})", "(UNION {0})", "(DOMAIN {0})", "(UNION {{{0}, {1}}})", "(-{0})", "(~{0})"),
    *("{0}[{1}]", "{0}.a", "[{0} EXCEPT ![{1}] = 1]", "[{0} EXCEPT ![{1}] = @]", "[{0} EXCEPT !.a = 2]"),
    *("[{0} EXCEPT ![{1}] = {2}]", "[{0} -> {1}]", "[a : {0}]", "[k \\in {0} |-> 1]", "[k \\in {0} |-> k][{1}]"),
    *("{{k \\in {0} : TRUE}}", "{{k \\in {0} : k = {1}}}", "{{k : k \\in {0}}}", "{{1 : k \\in {0}}}", "{{{0}, {1}}}"),
    *(
        "(CHOOSE k \\in {0} : TRUE)",
        "(CHOOSE k \\in {0} : k = {1})",
        "(\\E k \\in {0} : TRUE)",
        "(\\A k \\in {0} : k # {1})",
    ),
    *("(\\E <<j, k>> \\in {0} : j = k)", "{{j : <<j, k>> \\in {0}}}", "(\\A k \\in {0}, j \\in {1} : j = k)"),
    *("(IF {0} THEN {1} ELSE {2})", "(CASE {0} -> {1} [] OTHER -> {2})", "<<{0}, {1}>>", "[a |-> {0}]"),
    *(
        "Len({0})",
        "Head({0})",
        "Tail({0})",
        "Append({0}, {1})",
        "SubSeq({0}, 1, 1)",
        "SubSeq({0}, {1}, {2})",
        "Seq({0})",
    ),
    *("SelectSeq({0}, LAMBDA k : k = {1})", "Cardinality({0})", "IsFiniteSet({0})", "Permutations({0})"),
    *("IsABag({0})", "BagToSet({0})", "SetToBag({0})", "BagIn({0}, {1})", "CopiesIn({0}, {1})", "BagCardinality({0})"),
    *(
        "BagUnion({0})",
        "BagUnion({{{0}, {1}}})",
        "SubBag({0})",
        "BagOfAll(LAMBDA k : k, {0})",
        "BagOfAll(LAMBDA k : 1, {0})",
    ),
    *("({0} \\cup {1} \\cup {2})", "({0} \\ ({1} \\cup {2}))", "(({0} \\cup {1}) \\cap {2})"),
    *(
        "({0} \\in ({1} \\cup {2}))",
        "({0} \\notin ({1} \\cup {2}))",
        "({0} \\in ({1} \\cap {2}))",
        "({0} \\in ({1} \\ {2}))",
    ),
    *("({0} \\in SUBSET {1})", "({0} \\in [{1} -> {2}])", "({0} \\in [a : {1}])", "({0} \\in Seq({1}))"),
    *(
        "({0} \\in {{k \\in {1} : k = {2}}})",
        "({0} \\in UNION {{{1}, {2}}})",
        "({0} \\in DOMAIN {1})",
        "({0} \\in Nat)",
    ),
    *(
        "({0} \\in Int)",
        "({0} \\in STRING)",
        "({0} \\in BOOLEAN)",
        "({0} \\subseteq SUBSET {1})",
        "({0} \\subseteq ({1} \\cup {2}))",
    ),
)
"""With places for arguments."""

OF_COMMUNITY = (
    *("SumSet({0})", "ProductSet({0})", "MapThenSumSet(LAMBDA k : k, {0})", "Max({0})", "Min({0})", "FlattenSet({0})"),
    *("FoldSet(LAMBDA k, j : k, {1}, {0})", "ReduceSet(LAMBDA k, j : k, {0}, {1})", "SymDiff({0}, {1})"),
    *(
        "Quantify({0}, LAMBDA k : k = {1})",
        "kSubset({0}, {1})",
        "ChooseUnique({0}, LAMBDA k : k = {1})",
        "Choices({0})",
    ),
    *("Restrict({0}, {1})", "RestrictDomain({0}, LAMBDA k : k = {1})", "RestrictValues({0}, LAMBDA k : k = {1})"),
    *("IsRestriction({0}, {1})", "Range({0})", "Pointwise({0}, {1}, LAMBDA k, j : k)", "Inverse({0}, {1}, {2})"),
    *("AntiFunction({0})", "IsInjective({0})", "Injection({0}, {1})", "Surjection({0}, {1})", "Bijection({0}, {1})"),
    *("ExistsInjection({0}, {1})", "ExistsSurjection({0}, {1})", "ExistsBijection({0}, {1})"),
    *("FoldFunction(LAMBDA k, j : k, {1}, {0})", "FoldFunctionOnSet(LAMBDA k, j : k, {1}, {0}, {2})"),
    *("SumFunction({0})", "SumFunctionOnSet({0}, {1})", "ToSet({0})", "ToBag({0})", "SetToSeqs({0})"),
    *("SetToSeq({0})", "SetToSortSeq({0}, LAMBDA k, j : FALSE)", "SetToAllKPermutations({0})", "TupleOf({0}, {1})"),
    *("SeqOf({0}, {1})", "BoundedSeq({0}, {1})", "Contains({0}, {1})", "IsSorted({0}, LAMBDA k, j : TRUE)"),
    *("Reverse({0})", "Remove({0}, {1})", "ReplaceAll({0}, {1}, {2})", "SelectInSeq({0}, LAMBDA k : k = {1})"),
    *("SelectLastInSeq({0}, LAMBDA k : k = {1})", "SelectInSubSeq({0}, {1}, {2}, LAMBDA k : TRUE)"),
    *("SelectLastInSubSeq({0}, {1}, {2}, LAMBDA k : TRUE)", "InsertAt({0}, {1}, {2})", "ReplaceAt({0}, {1}, {2})"),
    *("RemoveAt({0}, {1})", "RemoveFirst({0}, {1})", "RemoveFirstMatch({0}, LAMBDA k : k = {1})", "Cons({0}, {1})"),
    *("Snoc({0}, {1})", "Front({0})", "Last({0})", "IsPrefix({0}, {1})", "IsStrictPrefix({0}, {1})"),
    *("IsSuffix({0}, {1})", "IsStrictSuffix({0}, {1})", "Prefixes({0})", "CommonPrefixes({0})", "Suffixes({0})"),
    *("LongestCommonPrefix({0})", "FoldSeq(LAMBDA k, j : k, {1}, {0})", "FoldLeft(LAMBDA k, j : k, {1}, {0})"),
    *("FoldRight(LAMBDA k, j : k, {0}, {1})", "FoldLeftDomain(LAMBDA k, j : k, {1}, {0})", "FlattenSeq({0})"),
    *("FoldRightDomain(LAMBDA k, j : k, {0}, {1})", "Zip({0}, {1})", "Interleave({0}, {1})", "SubSeqs({0})"),
    *("AllSubSeqs({0})", "IndexFirstSubSeq({0}, {1})", "ReplaceSubSeqAt({0}, {1}, {2}, {1})"),
    *("ReplaceFirstSubSeq({0}, {1}, {2})", "ReplaceAllSubSeqs({0}, {1}, {2})", "BagAdd({0}, {1})"),
    *("BagRemove({0}, {1})", "BagRemoveAll({0}, {1})", "FoldBag(LAMBDA k, j : k, {1}, {0})", "SumBag({0})"),
    *("ProductBag({0})", "({0} & {1})", "({0} | {1})", "({0} ^^ {1})", "Not({0})", "shiftR({0}, {1})"),
    *("MapThenFoldSet(LAMBDA k, j : k, {1}, LAMBDA k : k, LAMBDA k : CHOOSE j \\in k : TRUE, {0})", "SetToBag({0})"),
)
"""Of the community's modules, some of which TLC has in Java and others as they are written."""

COMMUNITY = ", ".join(("FiniteSetsExt", "Functions", "SequencesExt", "BagsExt", "Bitwise", "Folds"))

COMPARING = 8
"""The first of them compare their arguments, or what is in them."""

SURROUNDINGS = (
    "TLCEval({}) = TLCEval({})",
    "LET v == TLCEval({}) IN v = v",
    "({})",
    "~({})",
    "({}) \\/ ({})",
    "\\E q \\in {} : q = q",
    "DOMAIN ({}) = {{1}}",
)
"""An invariant; `{}` is the formula."""

STANDARD = "Integers, Sequences, FiniteSets, Bags, TLC"

PLAIN = """---- MODULE Kinds ----
EXTENDS {modules}
CONSTANTS m, t, u
VARIABLES x, y, z
Init == x = 0 /\\ y = {first} /\\ z = {second}
Next == x < 2 /\\ x' = x + 1 /\\ UNCHANGED <<y, z>>
Invariant == x # 1 \\/ ({formula})
====
"""
CONFIG = "INIT Init\nNEXT Next\nINVARIANT Invariant\nCHECK_DEADLOCK FALSE\nCONSTANTS m = m t = T_t u = S_u\n"


@dataclass(frozen=True, slots=True)
class Formula:
    """The text of an invariant with the values of two variables that it reads."""

    seed: int
    text: str
    first: str
    second: str
    modules: str = STANDARD

    def __str__(self) -> str:
        return f"{self.text}   y = {self.first}, z = {self.second}"

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True)
        root = folder / "Kinds.tla"
        text = PLAIN.format(modules=self.modules, first=self.first, second=self.second, formula=self.text)
        root.write_text(text, encoding="utf-8")
        root.with_suffix(".cfg").write_text(CONFIG, encoding="utf-8")
        return root


def formula(seed: int, community: bool = False) -> Formula:
    """The formula with this number, on every machine the same; of the community's operators if they are wanted."""
    random = Random(seed)
    is_alike = random.random() < (0.2 if community else 0.5)
    arguments = _alike(random) if is_alike else [random.choice(VALUES) for _ in range(5)]
    first, second = (_listed(arguments.pop()) for _ in "yz")
    for place, name in ((random.randrange(3), "y"), (random.randrange(3), "z")):
        if random.random() < 0.4:
            arguments[place] = name
    if random.random() < 0.15:
        arguments[random.randrange(3)] = random.choice(ENDLESS)
    operators = OPERATORS[:COMPARING] if is_alike and random.random() < 0.6 else OPERATORS
    operators, modules = (OF_COMMUNITY, f"{STANDARD}, {COMMUNITY}") if community else (operators, STANDARD)
    applied = random.choice(operators).format(
        *(each if each[0] in "([{<" or each.isalnum() else f"({each})" for each in arguments)
    )
    surrounding = random.choice(SURROUNDINGS)
    return Formula(seed, surrounding.format(*[applied] * surrounding.count("{}")), first, second, modules)


def _listed(value: str) -> str:
    """TLC keeps SUBSET S as it is in a variable, and asks S of what is looked for."""
    return f"{{k : k \\in {value}}}" if "SUBSET" in value else value


def _alike(random: Random) -> list[str]:
    """Five expressions of values that differ inside."""
    frames = [random.choice(FRAMES) for _ in range(random.choice((1, 1, 2)))]
    return [reduce(lambda inner, frame: frame.format(inner), frames, random.choice(ATOMS)) for _ in range(5)]


@click.command()
@click.option("--count", default=1000, show_default=True, help="Formulas.")
@click.option("--seed", default=0, show_default=True, help="Of the first one.")
@click.option("--native", default=0.05, show_default=True, help="Share of the formulas that are compiled, too.")
@click.option("--tlc", default=classpath, required=True, metavar="CLASSPATH", help="Default: $TLC_CLASSPATH.")
@click.option("--workers", default=1, show_default=True, help="Processes.")
@click.option("--community", is_flag=True, help="Of the community's modules, in TLC's class path.")
def main(count: int, seed: int, native: float, tlc: str, workers: int, community: bool) -> None:
    """Ask TLC and the engines about operators applied to values of every kind; print those on which they differ."""
    shares = {"python": 1.0, "reference": 1.0, "native": native}
    formulas = [formula(number, community) for number in range(seed, seed + count)]
    sys.exit(bool(told(formulas, shares, tlc, workers)))


if __name__ == "__main__":
    main()
