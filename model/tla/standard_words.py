"""What TLC itself reads besides the user's files, as measured: see `reading_order`.

In `_MODULES` a line that does not begin with a blank is a module that TLC comes with: its name, the modules that it
EXTENDS, `|`, those of which it has an INSTANCE. The lines below it are the words of its text in their order, each once.
"""

from __future__ import annotations

from functools import cache

from rmqproof.model.tla.words import Outline, Words

_FIRST = r"""
STRING FALSE TRUE BOOLEAN = /= . ' \lnot \neg \land \lor \equiv => SUBSET UNION DOMAIN \subseteq \in \notin \
\intersect \union \times ~> [] <> ENABLED UNCHANGED \cdot -+-> [ ^ / * - -. + ^+ ^* ^# < \leq > \geq ... .. | || && &
?? %% % ## ++ -- ** // ^^ @@ !! |- |= -| =| <: :> := ::= \oplus \ominus \odot \oslash \otimes \uplus \sqcap \sqcup
\div \wr \star \o \bigcirc \bullet \prec \succ \preceq \succeq \sim \simeq \ll \gg \asymp \subset \supset \supseteq
\approx \cong \sqsubset \sqsubseteq \sqsupset \sqsupseteq \doteq \propto ~ /\ \/ <=> # <= =< >= \X \cap \cup \circ (+)
(-) (.) (/) (\X) @
"""

_LAST = """
beginLine beginColumn endLine endColumn module name location context parameters _action UnnamedAction exit pause
config spec coverage action install id behavior all all:named mode deadlock seed fingerprint worker traces depth aril
sched revision timestamp date count tag calver impliedinits impliedactions invariants impliedtemporals temporals
actions inits variables actionconstraints constraints stats duration generated diameter distinct initial queue retries
distinctvalues levelmean levelvariance
"""

_MODULES = """
Bags: TLC | Naturals
  Bags EXTENDS TLC LOCAL INSTANCE Naturals IsABag B DOMAIN n Nat 0 BagToSet SetToBag S e 1 BagIn EmptyBag B1 B2
  IF THEN ELSE LET IN d Sum f DSum SUBSET elt CHOOSE TRUE BagUnion UNION SubBag RemoveFromDom x y Combine BagSet i
  Biggest Range r s RSB BB BagOfAll F _ BagCardinality CopiesIn
BagsExt: | Bags Integers Folds
  BagsExt LOCAL INSTANCE Bags Integers Folds BagAdd B x IF DOMAIN THEN e 1 ELSE BagRemove BagRemoveAll
  MapThenFoldBag op _ base f choose LET handle pow n Nat 0 IN MapThenFoldSet LAMBDA S CHOOSE TRUE FoldBag SumBag y
  ProductBag
Bitwise: | Integers
  Bitwise LOCAL INSTANCE Integers RECURSIVE And _ x y n m LET exp 2 IN IF 0 THEN ELSE 1 Or xdm ydm Xor NotR Not
  a shiftR pos odd z
CSV: | TLC Integers
  CSV LOCAL INSTANCE TLC Integers CSVWrite template val file TRUE CSVWriteRecord record delim headers CSVRead
  columns delimiter CSVRecords CHOOSE n Nat
Combinatorics: Naturals |
  Combinatorics EXTENDS Naturals factorial n Nat IF 0 THEN 1 ELSE choose k
DyadicRationals: | FiniteSets Integers Sequences FiniteSetsExt TLC
  DyadicRationals LOCAL INSTANCE FiniteSets Integers Sequences FiniteSetsExt TLC Divides p q d 1 Divisors GCD n
  m Max Rational num den Reduce LET gcd IN IF THEN ELSE IsDyadicRational r i 0 2 Zero One Add lcn qq pp Half
  PrettyPrint ToString
FiniteSets: | Naturals Sequences
  FiniteSets LOCAL INSTANCE Naturals Sequences IsFiniteSet S seq Seq s n 1 Len Cardinality LET CS T SUBSET IF
  THEN 0 ELSE CHOOSE x IN
FiniteSetsExt: Folds Functions | Naturals FiniteSets
  FiniteSetsExt EXTENDS Folds Functions LOCAL INSTANCE Naturals FiniteSets FoldSet op _ base set MapThenFoldSet
  LAMBDA x s CHOOSE TRUE SumSet 0 ProductSet y 1 ReduceSet acc MapThenSumSet FlattenSet S UNION SymDiff A B Quantify P
  Cardinality kSubset k SUBSET Max Min Choices Sets LET ChoiceFunction Ts f T IN Range ChooseUnique
Folds: |
  Folds MapThenFoldSet op _ base f choose S LET iter s SUBSET IF THEN ELSE x IN
Functions: | Folds
  Functions LOCAL INSTANCE Folds Restrict f S x RestrictDomain Test _ DOMAIN RestrictValues LET IN
  IsRestriction narrow wide Range Pointwise g T e Inverse t CHOOSE s AntiFunction IsInjective a b Injection M
  Surjection Bijection ExistsInjection ExistsSurjection ExistsBijection FoldFunction op base fun MapThenFoldSet LAMBDA
  i TRUE FoldFunctionOnSet indices
GraphViz: |
  GraphViz DotDiGraph G VL _ EL TRUE
Graphs: | Naturals Sequences SequencesExt FiniteSets
  Graphs LOCAL INSTANCE Naturals Sequences SequencesExt FiniteSets IsDirectedGraph G node edge DirectedSubgraph
  H SUBSET Transpose e 2 1 IsUndirectedGraph UndirectedSubgraph Path p Seq i Len SimplePath SeqOf Cardinality DOMAIN
  AreConnectedIn m n ConnectionsIn LET C N IF THEN ELSE u CHOOSE TRUE Cu IN IsStronglyConnected IsTreeWithRoot r f
IOUtils: | TLC Integers
  IOUtils LOCAL INSTANCE TLC Integers IOSerialize val absoluteFilename compress TRUE IODeserialize compressed
  CHOOSE Serialize value dest options r exitValue Int stdout STRING stderr Deserialize src IOExec command IOEnvExec
  env IOExecTemplate commandTemplate parameters IOEnvExecTemplate IOEnv atoi str i ToString
Integers: Naturals |
  Integers EXTENDS Naturals Int a 0
Json: | Sequences FiniteSets TLC
  Json LOCAL INSTANCE Sequences FiniteSets TLC IsSequence F D TRUE FALSE ToJsonKeyValue d ToString RECURSIVE
  ToJsonObjectString _ LET CHOOSE IN IF DOMAIN THEN ELSE ToJsonArrayString ToJsonString IsFiniteSet ToJson value
  ToJsonArray ToJsonObject JsonSerialize absoluteFilename JsonDeserialize val ndJsonSerialize ndJsonDeserialize
Naturals: |
  Naturals Nat a b CHOOSE n TRUE
Randomization: | Naturals FiniteSets
  Randomization LOCAL INSTANCE Naturals FiniteSets RandomSubset k S CHOOSE T SUBSET Cardinality
  RandomSetOfSubsets n TestRandomSetOfSubsets i 1 5
RealTime: Reals |
  RealTime EXTENDS Reals VARIABLE now RTBound A v D E LET TNext t IF ENABLED THEN 0 ELSE Timer MaxTime MinTime
  IN RTnow NowNext r Real UNCHANGED WF_
Reals: Integers |
  Reals EXTENDS Integers Real a b CHOOSE m Infinity i r
Relation: | Naturals FiniteSets
  Relation LOCAL INSTANCE Naturals FiniteSets IsReflexive R S x IsReflexiveUnder op _ y IsIrreflexive
  IsIrreflexiveUnder IsSymmetric IsSymmetricUnder IsAntiSymmetric IsAntiSymmetricUnder IsAsymmetric IsAsymmetricUnder
  IsTransitive z IsTransitiveUnder IsStrictlyPartiallyOrdered IsStrictlyPartiallyOrderedUnder IsPartiallyOrdered
  IsPartiallyOrderedUnder IsStrictlyTotallyOrdered IsStrictlyTotallyOrderedUnder IsTotallyOrdered
  IsTotallyOrderedUnder TransitiveClosure LET N Cardinality trcl n Nat IF 0 THEN ELSE 1 IN ReflexiveTransitiveClosure
  IsConnected rtrcl
SVG: | Naturals Sequences Integers TLC FiniteSets
  SVG LOCAL INSTANCE Naturals Sequences Integers TLC FiniteSets Merge r1 r2 LET D1 DOMAIN D2 IN k IF THEN ELSE
  SVGElem _name _attrs _children _innerText name attrs children innerText Line x1 y1 x2 y2 svgAttrs ToString Circle cx
  cy r Rect x y w h width height Text text Group Svg SVGElemToString elem TRUE NodeOfRingNetwork n m 0
  NodesOfDirectedMultiGraph nodes edges options CHOOSE f Int PointOnLine from to segment
Sequences: | Naturals
  Sequences LOCAL INSTANCE Naturals Seq S UNION 1 n Nat Len s CHOOSE DOMAIN t i IF THEN ELSE Append e Head Tail
  CASE SubSeq m SelectSeq Test _ LET F 0 IN
SequencesExt: | Sequences Naturals FiniteSets FiniteSetsExt Functions Folds TLC
  SequencesExt LOCAL INSTANCE Sequences Naturals FiniteSets FiniteSetsExt Functions Folds TLC ToSet s i DOMAIN
  SetToSeq S CHOOSE f 1 Cardinality IsInjective SetToSeqs LET D IN j SetToSortSeq op _ SortSeq SetToAllKPermutations
  UNION SUBSET TupleOf set n SeqOf m 0 BoundedSeq Contains e Len Reverse Remove SelectSeq LAMBDA t ReplaceAll old new
  IF THEN ELSE SelectInSeq seq Test I Min SelectInSubSeq from to SubSeq SelectLastInSeq Max SelectLastInSubSeq
  InsertAt ReplaceAt EXCEPT RemoveAt RemoveFirst v RemoveFirstMatch Cons elt Snoc Append Front Last IsPrefix
  IsStrictPrefix IsSuffix IsStrictSuffix Prefixes l CommonPrefixes P prefix LongestCommonPrefix longest other Suffixes
  SeqMod a b FoldSeq base FoldFunction FoldLeft MapThenFoldSet x y FoldRight FoldLeftDomain FoldRightDomain FlattenSeq
  seqs flatten Zip Interleave CASE u SubSeqs AllSubSeqs IndexFirstSubSeq last ReplaceSubSeqAt r suffix
  ReplaceFirstSubSeq ReplaceAllSubSeqs z match comp p q R Range T g OTHER
ShiViz: | Integers Json TLC Toolbox
  ShiViz LOCAL INSTANCE Integers Json TLC Toolbox FnHost LET host i DOMAIN _TETrace IF 1 THEN ELSE pc CHOOSE p
  IN TLCEval Host _TEPosition clock n 0 sum F G d FnClock vclock Clock ToJsonObject
Statistics: Naturals |
  Statistics EXTENDS Naturals ChiSquare expected actual alpha TRUE
TLC: | Naturals Sequences FiniteSets
  TLC LOCAL INSTANCE Naturals Sequences FiniteSets Print out val PrintT TRUE Assert IF THEN ELSE CHOOSE v
  JavaTime n Nat TLCGet i TLCSet d e x f g DOMAIN Permutations S w SortSeq s Op _ LET Perm p 1 Len j IN RandomElement
  Any ToString a b STRING TLCEval
TLCExt: | TLC Integers
  TLCExt LOCAL INSTANCE TLC Integers AssertEq a b IF THEN PrintT ELSE AssertError err exp LET FailsEval e
  CHOOSE BOOLEAN TRUE TLCError s STRING IN Assert TLCGetOrDefault key defaultVal n TLCGetAndSet Op _ val oldVal v
  TLCSet Trace CounterExample ToTrace CE TLCModelValue str ToString TLCDefer expression TLCNoOp PickSuccessor bool
  TLCCache closure TLCFP var i Int TLCEvalDefinition definitionName
Toolbox: | Naturals FiniteSets TLC
  Toolbox LOCAL INSTANCE Naturals FiniteSets TLC _TETrace CHOOSE f Nat 0 STRING TRUE _TETraceLength Cardinality
  DOMAIN _TEPosition IF TLCGet THEN ELSE 1
UndirectedGraphs: | Naturals Sequences SequencesExt FiniteSets Folds
  UndirectedGraphs LOCAL INSTANCE Naturals Sequences SequencesExt FiniteSets Folds IsUndirectedGraph G node
  edge e a b IsLoopFreeUndirectedGraph UndirectedSubgraph H SUBSET Path p Seq i 1 Len SimplePath SeqOf Cardinality
  DOMAIN ConnectedComponents LET base n choice E CHOOSE TRUE firstNode secondNode nodesOfEdge merge comps compA c
  compB 2 IN IF THEN ELSE MapThenFoldSet AreConnectedIn m comp IsStronglyConnected
VectorClocks: Naturals Sequences Functions |
  VectorClocks EXTENDS Naturals Sequences Functions LOCAL concurrent v1 v2 i j DOMAIN happenedBefore
  IsCausalOrder log clock _ 1 Len LET Fill c D d IF THEN ELSE 0 vci vcj IN CausalOrder node domain CHOOSE newlog f
  Range
"""


def first_words() -> tuple[str, ...]:
    """The names that TLC knows before it opens a module: the operators of the language."""
    return tuple(_FIRST.split())


def last_words() -> tuple[str, ...]:
    """The names of TLC's own that come after the modules."""
    return tuple(_LAST.split())


@cache
def standard_words() -> dict[str, Words]:
    """By the name of the module."""
    found: dict[str, Words] = {}
    names: list[str] = []
    outline: Outline | None = None
    for line in [*_MODULES.strip("\n").split("\n"), ""]:
        if line.startswith(" "):
            names += line.split()
            continue
        if outline is not None:
            found[outline.name] = Words(tuple(names), (), outline)
        head, _, instances = line.partition("|")
        name, _, extends = head.partition(":")
        outline, names = Outline(name, tuple(extends.split()), tuple(instances.split())), []
    return found
