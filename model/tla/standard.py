"""The builtin operators of the standard modules: what the checker computes instead of reading a definition.

`Naturals`, `Integers`, `Sequences`, `FiniteSets` and `TLC` have no TLA+ text here: the table is all they are. Every
other module has a text in `model/tla/modules`; a definition there whose qualified name is in the table is a builtin
(`Bags!BagUnion` written in TLA+ becomes `Builtin("Bags!BagUnion")`), so an entry needs an implementation in
`model/evaluate/library`.
Source: *Specifying Systems*, chapter 18; TLC's modules TLC, TLCExt, Json, Randomization; the CommunityModules.
"""

from __future__ import annotations

from functools import cache

from rmqproof.model.records import dataclass


@dataclass(frozen=True, slots=True)
class StandardOperator:
    """`arities[i]` is 0 where parameter i is a value, and the number of arguments where it is an operator."""

    module: str
    name: str
    arities: tuple[int, ...] = ()

    @property
    def qualified(self) -> str:
        return f"{self.module}!{self.name}"


# Modules that exist only as entries of the table, with what they extend.
TABLE_MODULES: dict[str, tuple[str, ...]] = {
    "Naturals": (),
    "Integers": ("Naturals",),
    "Sequences": (),
    "FiniteSets": (),
    "TLC": (),
}

# Modules whose builtins replace the text even of a user's own copy of the module: TLC comes with them.
TLC_MODULES = frozenset([*TABLE_MODULES, "Reals", "Bags", "TLCExt", "Json", "Randomization"])

# One line a module: name, then name/arities (0 a value, n an operator of n arguments).
_TABLE = r"""
Naturals       Nat/ +/00 -/00 */00 ^/00 %/00 \div/00 ../00 </00 >/00 <=/00 >=/00
Integers       Int/ -./0
Reals          Real/ //00 Infinity/
Sequences      Seq/0 Len/0 \o/00 Append/00 Head/0 Tail/0 SubSeq/000 SelectSeq/01
FiniteSets     IsFiniteSet/0 Cardinality/0
TLC            Print/00 PrintT/0 Assert/00 JavaTime/ TLCGet/0 TLCSet/00 :>/00 @@/00 Permutations/0 SortSeq/02
TLC            RandomElement/0 Any/ ToString/0 TLCEval/0
TLCExt         AssertError/00 TLCGetOrDefault/00 Trace/ CounterExample/ ToTrace/0 TLCModelValue/0 TLCDefer/0
TLCExt         TLCFP/0 TLCEvalDefinition/0
Randomization  RandomSubset/00 RandomSetOfSubsets/000
Json           ToJson/0 ToJsonArray/0 ToJsonObject/0 JsonSerialize/00 JsonDeserialize/0
Json           ndJsonSerialize/00 ndJsonDeserialize/0
IOUtils        IOEnv/ atoi/0 Serialize/000 Deserialize/00 IOSerialize/000 IODeserialize/00
IOUtils        IOExec/0 IOEnvExec/00 IOExecTemplate/00 IOEnvExecTemplate/000
Folds          MapThenFoldSet/20110
FiniteSetsExt  FoldSet/200 ReduceSet/200 SumSet/0 ProductSet/0 MapThenSumSet/10 Quantify/01 kSubset/00 Max/0 Min/0
FiniteSetsExt  ChooseUnique/01
Functions      FoldFunction/200 FoldFunctionOnSet/2000 SumFunction/0 SumFunctionOnSet/00 Range/0 Restrict/00
Functions      RestrictDomain/01 RestrictValues/01 AntiFunction/0 IsInjective/0 Injection/00 ExistsInjection/00
Functions      ExistsSurjection/00 ExistsBijection/00
SequencesExt   FoldSeq/200 FoldLeft/200 FoldRight/200 FoldLeftDomain/200 FoldRightDomain/200 ToSet/0 ToBag/0 SetToSeq/0
SequencesExt   SetToSeqs/0 SetToAllKPermutations/0 SeqOf/00 BoundedSeq/00 Contains/00 SelectInSeq/01 SelectLastInSeq/01
SequencesExt   SelectInSubSeq/0001 SelectLastInSubSeq/0001 Reverse/0 Remove/00 RemoveFirst/00 RemoveFirstMatch/01
SequencesExt   ReplaceAll/000 FlattenSeq/0 Zip/00 IsPrefix/00 IsStrictPrefix/00 IsSuffix/00 IsStrictSuffix/00
SequencesExt   Prefixes/0 Suffixes/0 LongestCommonPrefix/0 SubSeqs/0 AllSubSeqs/0 IndexFirstSubSeq/00
SequencesExt   ReplaceFirstSubSeq/000 ReplaceAllSubSeqs/000
BagsExt        FoldBag/200 BagAdd/00 BagRemove/00
Apalache       ApaFoldSet/200 ApaFoldSeqLeft/200
Bags           IsABag/0 BagCardinality/0 BagIn/00 CopiesIn/00 (+)/00 (-)/00 \sqsubseteq/00 BagUnion/0 SubBag/0
Bags           BagOfAll/10
Bitwise        &/00 |/00 ^^/00 Not/0 shiftR/00
CSV            CSVWrite/000 CSVWriteRecord/0000 CSVRead/000 CSVRecords/0
SVG            SVGElemToString/0 NodeOfRingNetwork/00000 NodesOfDirectedMultiGraph/000
Statistics     ChiSquare/000
VectorClocks   CausalOrder/0111
"""


# Builtins that compute what their module writes, for every value of which that can be computed.
_AS_WRITTEN = r"""
Bags           IsABag BagCardinality BagIn CopiesIn (+) (-) \sqsubseteq
BagsExt        FoldBag BagAdd BagRemove
FiniteSetsExt  FoldSet ReduceSet SumSet ProductSet MapThenSumSet Quantify kSubset Max Min
Folds          MapThenFoldSet
Functions      FoldFunction FoldFunctionOnSet SumFunction SumFunctionOnSet Range Restrict RestrictDomain RestrictValues
Functions      IsInjective Injection ExistsInjection ExistsSurjection ExistsBijection
SequencesExt   FoldSeq FoldLeft FoldRight ToSet ToBag SeqOf BoundedSeq Contains SelectInSeq SelectLastInSeq
SequencesExt   SelectInSubSeq SelectLastInSubSeq Reverse Remove RemoveFirst RemoveFirstMatch ReplaceAll Zip IsPrefix
SequencesExt   FlattenSeq FoldLeftDomain FoldRightDomain
SequencesExt   IsStrictPrefix IsSuffix IsStrictSuffix Prefixes Suffixes SubSeqs AllSubSeqs LongestCommonPrefix
"""


# Of these the ones that TLC and the CommunityModules have as Java methods of values, and those that hand arguments
# on to such a method at once: TLC evaluates every argument first. The others are evaluated as they are written.
_OF_VALUES = r"""
Bags           IsABag BagCardinality BagIn CopiesIn (+) (-) \sqsubseteq
BagsExt        FoldBag BagAdd BagRemove
FiniteSetsExt  FoldSet ReduceSet SumSet ProductSet Quantify kSubset
Functions      FoldFunction FoldFunctionOnSet SumFunction SumFunctionOnSet IsInjective
SequencesExt   FoldSeq FoldLeft FoldRight Contains SelectInSeq SelectLastInSeq SelectInSubSeq SelectLastInSubSeq
SequencesExt   RemoveFirst RemoveFirstMatch IsPrefix Suffixes LongestCommonPrefix Zip BoundedSeq
SequencesExt   FoldLeftDomain FoldRightDomain
"""


# Of these the ones that ask whether an argument is a function, used or not (`tlc2.module.Bags`), with its places.
_OF_BAGS = r"""
Bags           BagCardinality/0 BagIn/1 CopiesIn/1 (+)/01 (-)/01 \sqsubseteq/01
"""


@cache
def bags_of(operator: str) -> tuple[int, ...]:
    """Which arguments of the builtin have to be functions, by a qualified name."""
    rows = [line.split() for line in _OF_BAGS.strip().split("\n")]
    named = {
        f"{module}!{name}": places for module, *names in rows for name, _, places in (n.rpartition("/") for n in names)
    }
    return tuple(map(int, named.get(operator, "")))


@cache
def of_values() -> frozenset[str]:
    """The qualified names of the builtins with a text all of whose arguments need a value, used or not."""
    return _qualified(_OF_VALUES)


@cache
def as_written() -> frozenset[str]:
    """The qualified names of the builtins that compute what their module writes."""
    return _qualified(_AS_WRITTEN)


def _qualified(table: str) -> frozenset[str]:
    rows = [line.split() for line in table.strip().split("\n")]
    return frozenset(f"{module}!{name}" for module, *names in rows for name in names)


@cache
def standard_operators() -> dict[str, StandardOperator]:
    """By qualified name (`Sequences!Len`)."""
    found: dict[str, StandardOperator] = {}
    for line in _TABLE.split("\n"):
        module, *entries = line.split() or [""]
        for entry in entries:
            name, _, arities = entry.rpartition("/")
            operator = StandardOperator(module, name, tuple(map(int, arities)))
            found[operator.qualified] = operator
    return found


@cache
def operators_of(module: str) -> dict[str, StandardOperator]:
    """By plain name."""
    return {operator.name: operator for operator in standard_operators().values() if operator.module == module}
