------------------------------- MODULE SequencesExt ------------------------------
(* Operators on sequences beyond Sequences. Names and meaning are those of the
   TLA+ community's module, so that specifications written for TLC need no change. *)
EXTENDS Sequences, Naturals, FiniteSets, FiniteSetsExt, Functions, Folds, Bags, TLC

----------------------------------------------------------------------------------
(* Between sequences, sets and bags *)

ToSet(s) == {s[i] : i \in DOMAIN s}

ToBag(s) == [e \in ToSet(s) |-> Cardinality({i \in DOMAIN s : s[i] = e})]

(* The elements of S in TLC's order. *)
SetToSeq(S) == CHOOSE s \in [1..Cardinality(S) -> S] : IsInjective(s)

(* All orders of the elements of S. *)
SetToSeqs(S) == {s \in [1..Cardinality(S) -> S] : IsInjective(s)}

SetToSortSeq(S, op(_, _)) == SortSeq(SetToSeq(S), op)

(* All sequences of distinct elements of S. *)
SetToAllKPermutations(S) == UNION {SetToSeqs(T) : T \in SUBSET S}

TupleOf(S, n) == [1..n -> S]

(* All sequences over S of at most n elements. *)
SeqOf(S, n) == UNION {[1..k -> S] : k \in 0..n}
BoundedSeq(S, n) == SeqOf(S, n)

Reverse(s) == [i \in 1..Len(s) |-> s[1 + Len(s) - i]]

----------------------------------------------------------------------------------
(* Searching. What is selected from is a sequence, and no string: `s \o <<>>` asks. *)

Contains(s, e) == \E i \in DOMAIN s : s[i] = e

(* The index of the first (last) element that passes Test; 0 where none does. *)
SelectInSeq(s, Test(_)) ==
    LET passes(i) == Test(s[i])
        first(i) == passes(i) /\ \A j \in 1..i - 1 : ~passes(j)
        all == 1..Len(s \o <<>>)
    IN  IF \E i \in all : passes(i) THEN CHOOSE i \in all : first(i) ELSE 0

SelectLastInSeq(s, Test(_)) ==
    LET at == SelectInSeq(Reverse(s \o <<>>), Test)
    IN  IF at = 0 THEN 0 ELSE Len(s) + 1 - at

(* The same among the indices from..to; the result is an index of s, as TLC's is. *)
SelectInSubSeq(s, from, to, Test(_)) ==
    LET at == SelectInSeq(SubSeq(s, from, to), Test)
    IN  IF at = 0 THEN 0 ELSE from - 1 + at

SelectLastInSubSeq(s, from, to, Test(_)) ==
    LET at == SelectLastInSeq(SubSeq(s, from, to), Test)
    IN  IF at = 0 THEN 0 ELSE from - 1 + at

(* Does op hold between each element and every later one? *)
IsSorted(s, op(_, _)) == \A j \in 1..Len(s) : \A i \in 1..j - 1 : op(s[i], s[j])

----------------------------------------------------------------------------------
(* Changing *)

InsertAt(s, i, e) == SubSeq(s, 1, i - 1) \o <<e>> \o SubSeq(s, i, Len(s))
ReplaceAt(s, i, e) == [s EXCEPT ![i] = e]
RemoveAt(s, i) == SubSeq(s, 1, i - 1) \o SubSeq(s, i + 1, Len(s))

(* s without e; without its first e; without its first element that passes Test. *)
Remove(s, e) == SelectSeq(s, LAMBDA x : x # e)
RemoveFirstMatch(s, Test(_)) ==
    LET at == SelectInSeq(s, Test)
    IN  IF at = 0 THEN s ELSE RemoveAt(s, at)
RemoveFirst(s, e) == RemoveFirstMatch(s, LAMBDA x : x = e)

ReplaceAll(s, old, new) == [i \in 1 .. Len(s) |-> IF s[i] = old THEN new ELSE s[i]]

Cons(e, s) == <<e>> \o s
Snoc(e, s) == Append(s, e)
Front(s) == SubSeq(s, 1, Len(s) - 1)
Last(s) == s[Len(s)]

FlattenSeq(seqs) ==
    LET RECURSIVE upTo(_)
        upTo(n) == IF n = 1 THEN seqs[1] ELSE upTo(n - 1) \o seqs[n]
    IN  IF Len(seqs) = 0 THEN seqs ELSE upTo(Len(seqs))

(* Pairs of what stands at the same place; as long as the shorter of the two. *)
Zip(s, t) == [i \in 1..Min({Len(s), Len(t)}) |-> <<s[i], t[i]>>]

(* s[1], t[1], s[2], t[2], …, each as a sequence of one element. *)
Interleave(s, t) ==
    CASE Len(s) = 0 /\ Len(t) = 0 -> << <<>>, <<>> >>
      [] Len(s) = Len(t) /\ Len(s) > 0 ->
            [i \in 1..2 * Len(s) |-> IF i % 2 = 1 THEN <<s[(i + 1) \div 2]>> ELSE <<t[i \div 2]>>]

----------------------------------------------------------------------------------
(* Folds. FoldLeft starts at the first element, FoldRight at the last; FoldSeq
   promises no order. The Domain variants fold the indices.                        *)

FoldSeq(op(_, _), base, s) == FoldFunction(op, base, s)

FoldLeft(op(_, _), base, s) ==
    LET RECURSIVE upTo(_)
        upTo(n) == IF n = 0 THEN base ELSE op(upTo(n - 1), s[n])
    IN  upTo(Len(s \o <<>>))

FoldRight(op(_, _), s, base) ==
    LET RECURSIVE from(_)
        from(n) == IF n > Len(s \o <<>>) THEN base ELSE op(s[n], from(n + 1))
    IN  from(1)

FoldLeftDomain(op(_, _), base, s) == FoldLeft(op, base, [i \in 1..Len(s) |-> i])
FoldRightDomain(op(_, _), s, base) == FoldRight(op, [i \in 1..Len(s) |-> i], base)

----------------------------------------------------------------------------------
(* Prefixes, suffixes, subsequences *)

IsPrefix(s, t) == Len(s) <= Len(t) /\ \A i \in 1..Len(s) : s[i] = t[i]
IsStrictPrefix(s, t) == IsPrefix(s, t) /\ s # t
IsSuffix(s, t) == IsPrefix(Reverse(s), Reverse(t))
IsStrictSuffix(s, t) == IsSuffix(s, t) /\ s # t

Prefixes(s) == {SubSeq(s, 1, n) : n \in 0..Len(s)}
Suffixes(s) == {SubSeq(s, n, Len(s)) : n \in 1..Len(s) + 1}

CommonPrefixes(S) == {p \in UNION {Prefixes(s) : s \in S} : \A s \in S : IsPrefix(p, s)}

LongestCommonPrefix(S) ==
    LET common == CommonPrefixes(S)
    IN  CHOOSE p \in common : \A q \in common : Len(q) <= Len(p)

(* The contiguous parts of s, the empty one included. *)
SubSeqs(s) == {SubSeq(s, i, j) : i \in 1..Len(s) + 1, j \in 0..Len(s)}

(* What remains of s after removing any of its elements. *)
AllSubSeqs(s) ==
    LET RECURSIVE of(_)
        of(n) == IF n = 0 THEN {<<>>}
                 ELSE LET shorter == of(n - 1)
                      IN  shorter \cup {Append(t, s[n]) : t \in shorter}
    IN  of(Len(s))

(* Does s stand in t at index i? *)
LOCAL StandsAt(i, s, t) == i + Len(s) - 1 <= Len(t) /\ \A j \in 1..Len(s) : t[i + j - 1] = s[j]

(* Where s begins in t for the first time. *)
IndexFirstSubSeq(s, t) ==
    CHOOSE i \in 1..Len(t) + 1 : StandsAt(i, s, t) /\ \A j \in 1..i - 1 : ~StandsAt(j, s, t)

(* t with its part s at index i replaced by r; the first part; all parts from the left. *)
ReplaceSubSeqAt(i, r, s, t) == SubSeq(t, 1, i - 1) \o r \o SubSeq(t, i + Len(s), Len(t))

ReplaceFirstSubSeq(r, s, t) ==
    IF s \in SubSeqs(t) THEN ReplaceSubSeqAt(IndexFirstSubSeq(s, t), r, s, t) ELSE t

ReplaceAllSubSeqs(r, s, t) ==
    LET width == Len(s)
        RECURSIVE from(_)
        from(i) ==
            CASE i > Len(t) -> <<>>
              [] i <= Len(t) /\ StandsAt(i, s, t) -> r \o from(i + width)
              [] OTHER -> <<t[i]>> \o from(i + 1)
    IN  CASE s = t -> r
          [] s # t /\ width = 0 -> FlattenSeq([i \in 1..Len(t) |-> Append(r, t[i])])
          [] OTHER -> from(1)
==================================================================================
