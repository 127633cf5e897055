----------------------------- MODULE LogPieces -----------------------------
(***************************************************************************)
(* A log of bytes as TracedRun has it: pieces of messages, each with where *)
(* it begins and ends, the end of its message and that message's CRC32; a  *)
(* slave may have a message in part. What is copied, cut, left behind the  *)
(* end in the last file, and found there when a process starts.            *)
(***************************************************************************)
EXTENDS EpochFile

EndOfBytes(l) == IF l = <<>> THEN 0 ELSE l[Len(l)].to

(* Without a last message that is there in part. *)
WholeEnd(l) ==
  IF l = <<>> THEN 0
  ELSE IF l[Len(l)].to < l[Len(l)].end THEN l[Len(l)].from ELSE l[Len(l)].to

(* The first piece from `low` to `high` that ends beyond an offset; high + 1 where none does. Logs are long. *)
RECURSIVE FirstBeyond(_, _, _, _)
FirstBeyond(l, offset, low, high) ==
  IF low > high THEN low
  ELSE LET middle == (low + high) \div 2
       IN IF l[middle].to > offset THEN FirstBeyond(l, offset, low, middle - 1) ELSE FirstBeyond(l, offset, middle + 1, high)

(* The bytes from one offset to another. *)
Between(l, from, to) ==
  IF from >= to THEN <<>>
  ELSE LET first == FirstBeyond(l, from, 1, Len(l))
           last  == Smaller(FirstBeyond(l, to - 1, first, Len(l)), Len(l))
           found == SubSeq(l, first, last)
       IN [i \in DOMAIN found |-> [found[i] EXCEPT !.from = Larger(@, from), !.to = Smaller(@, to)]]

CutAt(l, offset) == IF offset >= EndOfBytes(l) THEN l ELSE Between(l, 0, offset)

(* A message that came in two packets is one piece. *)
Joined(l, pieces) ==
  IF l = <<>> \/ pieces = <<>> \/ l[Len(l)].to = l[Len(l)].end THEN l \o pieces
  ELSE SubSeq(l, 1, Len(l) - 1) \o <<[l[Len(l)] EXCEPT !.to = pieces[1].to]>> \o Tail(pieces)

(* Two pieces of one message. *)
GoesOn(p, q) == p.to < p.end /\ q.from = p.to /\ q.end = p.end /\ q.sum = p.sum

Onto(l, pieces) ==
  IF l # <<>> /\ pieces # <<>> /\ GoesOn(l[Len(l)], pieces[1]) THEN Joined(l, pieces) ELSE l \o pieces

(* How many of the first pieces have a property. *)
CountOfFirst(l, Has(_)) ==
  IF \A i \in DOMAIN l : Has(i) THEN Len(l)
  ELSE (CHOOSE i \in DOMAIN l : ~Has(i) /\ \A j \in 1..i-1 : Has(j)) - 1

(* What is left of these bytes behind a log that has grown: of a message that was overwritten in part nothing is
   readable, but where it is the same message again. *)
LeftBehind(pieces, l) ==
  IF pieces = <<>> THEN <<>>
  ELSE LET end == EndOfBytes(l)
           gone == CountOfFirst(pieces, LAMBDA i : pieces[i].from < end)
           rest == SubSeq(pieces, gone + 1, Len(pieces))
       IN IF gone = 0 \/ pieces[gone].to <= end THEN rest
          ELSE LET left == [pieces[gone] EXCEPT !.from = end] IN IF GoesOn(l[Len(l)], left) THEN <<left>> \o rest ELSE rest

(* What is behind a log that is cut: the bytes of the file that is the last one then, up to its filler. *)
BehindCut(l, pieces, offset) ==
  LET all    == Onto(Between(l, offset, EndOfBytes(l)), pieces)
      before == CountOfFirst(all, LAMBDA i : all[i].sum # 0)
  IN IF offset >= EndOfBytes(l) THEN pieces ELSE SubSeq(all, 1, Smaller(before + 1, Len(all)))

BehindWhole(l, pieces) == Onto(Between(l, WholeEnd(l), EndOfBytes(l)), pieces)

(* The log that is found in the files: whole messages, one after the other. *)
Found(l, pieces) ==
  LET start == WholeEnd(l)
      all   == BehindWhole(l, pieces)
      whole == CountOfFirst(all, LAMBDA i : all[i].to = all[i].end /\ all[i].from = IF i = 1 THEN start ELSE all[i-1].to)
  IN CutAt(l, start) \o SubSeq(all, 1, whole)

=============================================================================
