--------------------------- MODULE SequenceOperators ---------------------------
\* What SequencesExt means, checked by evaluation. Values verified with TLC 2.20.
EXTENDS Integers, Sequences, FiniteSets, SequencesExt

Digits == <<3, 1, 2>>
Minus(a, b) == a - b
Pair(a, b) == <<a, b>>
Even(n) == n % 2 = 0

ASSUME ToSet(<<2, 1, 2>>) = {1, 2} /\ ToSet(<<>>) = {}
ASSUME SetToSeq({3, 1, 2}) = <<1, 2, 3>> /\ SetToSeq({}) = <<>>
ASSUME SetToSeqs({1, 2}) = {<<1, 2>>, <<2, 1>>}
ASSUME SetToSeqs({}) = {<<>>}
ASSUME Cardinality(SetToSeqs(1..4)) = 24
ASSUME SetToSortSeq({3, 1, 2}, >) = <<3, 2, 1>>
ASSUME SetToSortSeq({<<1, 2>>, <<0, 5>>}, LAMBDA p, q : p[2] < q[2]) = <<<<1, 2>>, <<0, 5>>>>
ASSUME SetToAllKPermutations({"a", "b"}) = {<<>>, <<"a">>, <<"b">>, <<"a", "b">>, <<"b", "a">>}
ASSUME TupleOf({0, 1}, 2) = {<<0, 0>>, <<0, 1>>, <<1, 0>>, <<1, 1>>}
ASSUME SeqOf({0, 1}, 1) = {<<>>, <<0>>, <<1>>} /\ SeqOf({7}, 2) = BoundedSeq({7}, 2)

ASSUME Contains(Digits, 1) /\ ~Contains(Digits, 4) /\ ~Contains(<<>>, 1)
ASSUME SelectInSeq(<<1, 4, 6, 7>>, Even) = 2 /\ SelectInSeq(<<1, 3>>, Even) = 0
ASSUME SelectLastInSeq(<<1, 4, 6, 7>>, Even) = 3 /\ SelectLastInSeq(<<>>, Even) = 0
ASSUME SelectInSubSeq(<<2, 4, 6, 7>>, 2, 4, Even) = 2
ASSUME SelectInSubSeq(<<2, 1, 6>>, 2, 2, Even) = 0 /\ SelectInSubSeq(<<2>>, 2, 1, Even) = 0
ASSUME SelectLastInSubSeq(<<2, 4, 6, 8>>, 1, 3, Even) = 3

ASSUME Reverse(Digits) = <<2, 1, 3>> /\ Reverse(<<>>) = <<>>
ASSUME InsertAt(<<1, 3>>, 2, 2) = <<1, 2, 3>> /\ InsertAt(<<>>, 1, 5) = <<5>>
ASSUME ReplaceAt(<<1, 3>>, 2, 2) = <<1, 2>>
ASSUME RemoveAt(<<1, 2, 3>>, 2) = <<1, 3>>
ASSUME Remove(<<1, 2, 1>>, 1) = <<2>> /\ Remove(<<1>>, 2) = <<1>>
ASSUME RemoveFirst(<<1, 2, 1>>, 1) = <<2, 1>> /\ RemoveFirst(<<1>>, 2) = <<1>>
ASSUME RemoveFirstMatch(<<1, 2, 4>>, Even) = <<1, 4>> /\ RemoveFirstMatch(<<1>>, Even) = <<1>>
ASSUME ReplaceAll(<<1, 2, 1>>, 1, 0) = <<0, 2, 0>>
ASSUME Cons(0, <<1>>) = <<0, 1>> /\ Snoc(0, <<1>>) = <<1, 0>>
ASSUME Front(Digits) = <<3, 1>> /\ Last(Digits) = 2

ASSUME FlattenSeq(<<<<1, 2>>, <<>>, <<1>>>>) = <<1, 2, 1>> /\ FlattenSeq(<<>>) = <<>>
ASSUME FlattenSeq(<<"ab", "c">>) = "abc" /\ FlattenSeq(<<1>>) = 1 /\ FlattenSeq(<<{1}>>) = {1} /\ FlattenSeq("") = ""
ASSUME Zip(<<1, 2, 3>>, <<"a", "b">>) = <<<<1, "a">>, <<2, "b">>>> /\ Zip(<<>>, <<1>>) = <<>>
ASSUME Interleave(<<1, 3>>, <<2, 4>>) = <<<<1>>, <<2>>, <<3>>, <<4>>>>
ASSUME Interleave(<<>>, <<>>) = <<<<>>, <<>>>>

ASSUME FoldLeft(Minus, 10, Digits) = 4 /\ FoldLeft(Minus, 10, <<>>) = 10
ASSUME FoldLeft(Pair, 0, Digits) = <<<<<<0, 3>>, 1>>, 2>>
ASSUME FoldRight(Minus, Digits, 10) = -6
ASSUME FoldRight(Pair, Digits, 0) = <<3, <<1, <<2, 0>>>>>>
ASSUME FoldLeftDomain(Pair, 0, <<"a", "b">>) = <<<<0, 1>>, 2>>
ASSUME FoldRightDomain(Pair, <<"a", "b">>, 0) = <<1, <<2, 0>>>>
ASSUME FoldSeq(+, 0, Digits) = 6

ASSUME IsPrefix(<<1>>, <<1, 2>>) /\ IsPrefix(<<>>, <<>>) /\ ~IsPrefix(<<1, 2>>, <<1>>) /\ ~IsPrefix(<<2>>, <<1, 2>>)
ASSUME IsStrictPrefix(<<1>>, <<1, 2>>) /\ ~IsStrictPrefix(<<1>>, <<1>>)
ASSUME IsSuffix(<<2>>, <<1, 2>>) /\ IsSuffix(<<1>>, <<1>>) /\ ~IsSuffix(<<1>>, <<1, 2>>)
ASSUME IsStrictSuffix(<<2>>, <<1, 2>>) /\ ~IsStrictSuffix(<<2>>, <<2>>)
ASSUME Prefixes(<<1, 2>>) = {<<>>, <<1>>, <<1, 2>>}
ASSUME Suffixes(<<1, 2>>) = {<<>>, <<2>>, <<1, 2>>} /\ Suffixes(<<>>) = {<<>>}
ASSUME CommonPrefixes({<<1, 2>>, <<1, 3>>}) = {<<>>, <<1>>}
ASSUME LongestCommonPrefix({<<1, 2, 3>>, <<1, 2, 4>>}) = <<1, 2>>
ASSUME LongestCommonPrefix({<<1>>, <<2>>}) = <<>>
ASSUME SubSeqs(<<1, 2, 3>>) = {<<>>, <<1>>, <<2>>, <<3>>, <<1, 2>>, <<2, 3>>, <<1, 2, 3>>}
ASSUME AllSubSeqs(<<1, 2, 3>>) = SubSeqs(<<1, 2, 3>>) \cup {<<1, 3>>}
ASSUME IndexFirstSubSeq(<<1>>, <<2, 1, 1>>) = 2 /\ IndexFirstSubSeq(<<1, 2>>, <<1, 1, 2>>) = 2
ASSUME ReplaceSubSeqAt(2, <<7, 8>>, <<2>>, <<1, 2, 3>>) = <<1, 7, 8, 3>>
ASSUME ReplaceFirstSubSeq(<<0>>, <<1>>, <<2, 1, 1>>) = <<2, 0, 1>>
ASSUME ReplaceFirstSubSeq(<<0>>, <<5>>, <<2, 1>>) = <<2, 1>>
ASSUME ReplaceFirstSubSeq("x", "b", "abcb") = "axcb" /\ ReplaceFirstSubSeq("x", "", "ab") = "xab"
ASSUME ReplaceAllSubSeqs(<<2, 2>>, <<1, 1>>, <<1, 1, 1>>) = <<2, 2, 1>>
ASSUME ReplaceAllSubSeqs(<<0>>, <<1>>, <<1, 2, 1>>) = <<0, 2, 0>>
ASSUME ReplaceAllSubSeqs(<<4>>, <<>>, <<>>) = <<4>>
ASSUME ReplaceAllSubSeqs(<<4>>, <<>>, <<1, 2>>) = <<4, 1, 4, 2>>
ASSUME ReplaceAllSubSeqs("x", "b", "abcb") = "axcx"
================================================================================
