--------------------------- MODULE CommunityModules ---------------------------
(* Operators of the community modules that the compiler takes as their modules write them. *)
EXTENDS Integers, Sequences, FiniteSets, FiniteSetsExt, Functions, SequencesExt
VARIABLES s, f, S, n
Values == 1..3
Init == s = <<>> /\ f = [v \in Values |-> v] /\ S = {} /\ n = 0
Grow == \E v \in Values : ~Contains(s, v) /\ s' = Append(s, v) /\ S' = ToSet(s') /\ n' = SumSet(S') /\ UNCHANGED f
Cut == Len(s) > 1 /\ s' = Reverse(Tail(s)) /\ S' = S \ {Max(S)} /\ n' = FoldLeft(LAMBDA a, b: 2 * a + b, 0, s')
       /\ f' = [f EXCEPT ![Min(S)] = Max(Range(f))]
Drop == s # <<>> /\ s' = Remove(s, Last(s)) /\ S' = UNION kSubset(2, S) /\ n' = MapThenSumSet(LAMBDA v: v * v, S')
        /\ UNCHANGED f
Mirror == \E t \in Suffixes(s) : IsSuffix(t, s) /\ t # s /\ s' = t /\ n' = FoldFunction(LAMBDA v, sum: 3 * sum - v, 1, f)
          /\ f' = [v \in Values |-> Quantify(Values, LAMBDA w: w < f[v]) + 1] /\ UNCHANGED S
Next == Grow \/ Cut \/ Drop \/ Mirror
Typed == s \in BoundedSeq(Values, 3) /\ s \in SeqOf(Values, 5) /\ ToSet(s) \subseteq Values
Prefix == \A t \in Prefixes(s) : IsPrefix(t, s) /\ (IsStrictPrefix(t, s) <=> t # s) /\ t \in SubSeqs(s)
Selected == \A v \in Values : SelectInSeq(s, LAMBDA w: w = v) > 0 <=> Contains(s, v)
Folded == FoldFunctionOnSet(+, 0, f, Values) = SumFunction(f) /\ FoldSet( *, 1, S) = ProductSet(S)
Ordered == FoldRight(LAMBDA a, b: <<a>> \o b, s, <<>>) = s
Ascending == FoldSet(LAMBDA v, t: Append(t, v), <<>>, S) = Reverse(FoldSet(LAMBDA v, t: <<v>> \o t, <<>>, S))
OneByOne == FoldFunction(LAMBDA v, t: Append(t, v), <<>>, f) = <<f[1], f[2], f[3]>>
Injected == IsInjective(f) <=> f \in Injection(Values, Values)
Restricted == \A T \in SUBSET Values : Range(Restrict(f, T)) = {f[v] : v \in T}
Twice == Zip(s, s) = [i \in 1..Len(s) |-> <<s[i], s[i]>>] /\ ReplaceAll(s, 1, 2) \in SeqOf({2, 3}, 3)
==============================================================================
