--------------------------- MODULE EpochFileGolden ---------------------------
(***************************************************************************)
(* Golden tests of EpochFile: every ASSUME is one published or recorded    *)
(* vector. E1..E31 are vectors of EpochFileCacheTest and of runs of the    *)
(* real class; the groups before them are the figures of the design texts. *)
(* A file is written as a sequence of <<epoch, start>>.                    *)
(***************************************************************************)
EXTENDS EpochFile

File(pairs) == [i \in DOMAIN pairs |-> Entry(pairs[i][1], pairs[i][2])]
Point(l, lEnd, m, mEnd) == ConsistentPoint(File(l), lEnd, File(m), mEnd)

-----------------------------------------------------------------------------
(* The six truncation examples of RIP-44. The text gives the result of each; the figures are not in the text, so the
   files are the smallest ones that lead to it. *)

(* 1. The old master wrote to 1000, the new one began at 900. *)
ASSUME Point(<<<<0, 0>>>>, 1000, <<<<0, 0>>, <<1, 900>>>>, 1200) = 900
(* 2. The old master lost 900-1000 by asynchronous flush: both end at 900, nothing is cut. *)
ASSUME Point(<<<<0, 0>>>>, 900, <<<<0, 0>>, <<1, 900>>>>, 1200) = 900
(* 3. The slave ends within epoch 1 before the master: nothing needs to be cut. *)
ASSUME Point(<<<<0, 0>>, <<1, 900>>>>, 1200, <<<<0, 0>>, <<1, 900>>>>, 1500) = 1200
(* 4. Both had an epoch of their own after epoch 0. *)
ASSUME Point(<<<<0, 0>>, <<1, 1000>>>>, 1200, <<<<0, 0>>, <<2, 900>>>>, 1500) = 900
(* 5. Two slaves with epoch 1 to 1000 and 900, the master's epoch 1 ends at 800: both are cut to 800. *)
ASSUME Point(<<<<0, 0>>, <<1, 500>>>>, 1000, <<<<0, 0>>, <<1, 500>>, <<2, 800>>>>, 1200) = 800
ASSUME Point(<<<<0, 0>>, <<1, 500>>>>, 900, <<<<0, 0>>, <<1, 500>>, <<2, 800>>>>, 1200) = 800
(* 6. Epoch 0 ends at 1000 on both, what follows differs. *)
ASSUME Point(<<<<0, 0>>, <<1, 1000>>>>, 1300, <<<<0, 0>>, <<2, 1000>>>>, 1500) = 1000

-----------------------------------------------------------------------------
(* The six cases of the watermark figure: the master's log has a beginning and an end, which make three ranges; the
   slave's log begins in one and ends in the same or a later one. The article says what each case needs. *)

Case11 == "copy from the master's beginning"
Case12 == "follow the master"
Case13 == "cut, an unclean election happened"
Case33 == "ask an operator"

Watermark(slaveMin, slaveMax, masterMin, masterMax) ==
  CASE slaveMin > masterMax                            -> Case33
    [] slaveMax <= masterMin                           -> Case11
    [] slaveMax > masterMin /\ slaveMax <= masterMax   -> Case12
    [] OTHER                                           -> Case13

ASSUME Watermark(100, 250, 300, 2500)   = Case11   (* 1-1 *)
ASSUME Watermark(100, 2000, 300, 2500)  = Case12   (* 1-2 *)
ASSUME Watermark(100, 2600, 300, 2500)  = Case13   (* 1-3 *)
ASSUME Watermark(400, 2000, 300, 2500)  = Case12   (* 2-2 *)
ASSUME Watermark(400, 2600, 300, 2500)  = Case13   (* 2-3 *)
ASSUME Watermark(2600, 2700, 300, 2500) = Case33   (* 3-3 *)

(* In the cases 1-2 and 2-2 the epoch files leave the slave's log whole, in 1-3 and 2-3 they cut it to the master's
   end, and in 1-1 and 3-3 no entry need be common. *)
ASSUME Point(<<<<6, 200>>>>, 2000, <<<<6, 200>>>>, 2500) = 2000
ASSUME Point(<<<<6, 200>>>>, 2600, <<<<6, 200>>>>, 2500) = 2500
ASSUME Point(<<<<5, 100>>>>, 250, <<<<6, 300>>>>, 2500) = NoPoint
ASSUME Point(<<<<7, 2600>>>>, 2700, <<<<6, 200>>>>, 2500) = NoPoint

-----------------------------------------------------------------------------
(* The worked example with the epochs 6, 7 and 8: the files agree up to epoch 7, whose smaller end is 2250. The
   article calls <8, 2250> the point of divergence; epoch 8 itself is not common. *)
ASSUME Point(<<<<6, 200>>, <<7, 1200>>, <<8, 2250>>>>, 2500, <<<<6, 200>>, <<7, 1200>>, <<8, 2500>>>>, 2500) = 2250
ASSUME ~ \E i \in Common(File(<<<<6, 200>>, <<7, 1200>>, <<8, 2250>>>>), File(<<<<6, 200>>, <<7, 1200>>, <<8, 2500>>>>)) : i = 3

-----------------------------------------------------------------------------
(* EpochFileCacheTest *)
Cache1 == File(<<<<1, 100>>, <<2, 300>>, <<3, 500>>>>)

(* E1, E2 *)
ASSUME IndexOf(Cache1, 2) = 2 /\ Cache1[2].start = 300 /\ EndOf(Cache1, 2, 700) = 500
(* E3 *)
ASSUME DropFromOffset(Cache1, 150) = File(<<<<1, 100>>>>)
(* E4 *)
ASSUME IndexAt(Cache1, 350) = 2
(* E5 to E8; an end that the test leaves open is Unbounded *)
ASSUME ConsistentPoint(Cache1, Unbounded, File(<<<<1, 100>>, <<2, 300>>, <<3, 450>>>>), Unbounded) = 450
ASSUME ConsistentPoint(Cache1, 700, Cache1, 600) = 600
ASSUME ConsistentPoint(Cache1, Unbounded, File(<<<<1, 200>>, <<2, 500>>>>), Unbounded) = NoPoint
ASSUME ConsistentPoint(File(<<<<1, 100>>, <<2, 300>>, <<3, 500>>, <<4, 800>>>>), Unbounded, Cache1, 700) = 700
(* E9: the shipped append refuses an equal start, the repaired one lets the newer epoch win *)
ASSUME AppendAsShipped(File(<<<<1, 0>>>>), Entry(2, 0)) = File(<<<<1, 0>>>>)
ASSUME AppendNewerWins(File(<<<<1, 0>>>>), Entry(2, 0)) = File(<<<<2, 0>>>>)
(* E10: after that refusal two logs of equal length count as equal *)
ASSUME Point(<<<<1, 0>>>>, 100, <<<<1, 0>>>>, 100) = 100
(* E11, first half: what is left; the stale end in memory is not modelled *)
ASSUME DropFromOffset(File(<<<<1, 0>>, <<2, 1000>>>>), 900) = File(<<<<1, 0>>>>)
(* E12: a log that does not reach its last entry gets a point beyond its end; repaired, it does not *)
ASSUME Point(<<<<1, 0>>, <<2, 1000>>>>, 900, <<<<1, 0>>, <<2, 1000>>>>, 2000) = 2000
ASSUME ConsistentPointOrStart(File(<<<<1, 0>>, <<2, 1000>>>>), 900, File(<<<<1, 0>>, <<2, 1000>>>>), 2000) = 900
ASSUME ConsistentPoint(KeepUpTo(File(<<<<1, 0>>, <<2, 1000>>>>), 900), 900, File(<<<<1, 0>>, <<2, 1000>>>>), 2000) = 900
(* E13, E14: the same epoch again moves its entry, and a slave is cut to the old start *)
ASSUME AppendAsShipped(DropFromEpoch(File(<<<<1, 0>>, <<5, 500>>>>), 5), Entry(5, 900)) = File(<<<<1, 0>>, <<5, 900>>>>)
ASSUME Point(<<<<1, 0>>, <<5, 500>>>>, 900, <<<<1, 0>>, <<5, 900>>>>, 900) = 500
ASSUME AppendNewerWins(File(<<<<1, 0>>, <<5, 500>>>>), Entry(5, 900)) = File(<<<<1, 0>>, <<5, 500>>>>)
(* E15, first half *)
ASSUME DropFromOffset(File(<<<<1, 0>>, <<2, 300>>>>), 0) = <<>>
(* E16, E28 *)
ASSUME DropPrefix(File(<<<<1, 0>>, <<2, 1570>>, <<3, 3270>>>>), 1570) = File(<<<<2, 1570>>, <<3, 3270>>>>)
ASSUME DropPrefix(File(<<<<1, 0>>, <<2, 1580>>, <<3, 3280>>>>), 1570) = File(<<<<1, 0>>, <<2, 1580>>, <<3, 3280>>>>)
ASSUME DropPrefix(File(<<<<1, 0>>, <<2, 1580>>, <<3, 3280>>>>), 1580) = File(<<<<2, 1580>>, <<3, 3280>>>>)
(* E19, E29; repaired, two such logs share the empty log *)
ASSUME Point(<<<<1, 0>>>>, 0, <<<<2, 0>>>>, 50) = NoPoint
ASSUME Point(<<<<1, 0>>>>, 0, <<>>, 0) = NoPoint /\ Point(<<>>, 0, <<<<1, 0>>>>, 0) = NoPoint
ASSUME ConsistentPointOrStart(File(<<<<1, 0>>>>), 0, File(<<<<2, 0>>>>), 50) = 0
(* E20 *)
ASSUME Point(<<<<1, 0>>, <<2, 100>>>>, 150, <<<<1, 0>>, <<2, 100>>>>, 400) = 150
(* E21; the class answers "none" for the largest number itself, which is no offset *)
ASSUME \A x \in {<<0, 1>>, <<999, 1>>, <<1000, 2>>, <<Unbounded, 2>>, <<-1, 0>>} :
         IndexAt(File(<<<<1, 0>>, <<2, 1000>>>>), x[1]) = x[2]
(* E22 *)
ASSUME AppendRefused(File(<<<<1, 0>>, <<2, 1000>>>>), Entry(2, 2000))
ASSUME AppendRefused(File(<<<<1, 0>>, <<2, 1000>>>>), Entry(3, 1000))
ASSUME AppendAsShipped(File(<<<<1, 0>>, <<2, 1000>>>>), Entry(3, 1001)) = File(<<<<1, 0>>, <<2, 1000>>, <<3, 1001>>>>)
(* E23 *)
ASSUME AppendAsShipped(DropFromEpoch(File(<<<<1, 0>>, <<2, 100>>, <<3, 200>>>>), 2), Entry(4, 60)) = File(<<<<1, 0>>, <<4, 60>>>>)
(* E24: the log's end counts only from the entry's start on *)
ASSUME EndOf(File(<<<<1, 0>>, <<2, 100>>>>), 2, 50) = Unbounded /\ EndOf(File(<<<<1, 0>>, <<2, 100>>>>), 2, 100) = 100
(* E25 *)
ASSUME LastEpoch(<<>>) = -1 /\ LastStart(<<>>) = -1
(* E26, E27 *)
ASSUME Point(<<<<1, 0>>, <<3, 500>>>>, 700, <<<<1, 0>>, <<2, 300>>, <<3, 500>>>>, 900) = 700
ASSUME Point(<<<<1, 0>>, <<3, 500>>>>, 700, <<<<1, 0>>, <<2, 300>>, <<4, 600>>>>, 900) = 300
(* E30, E31: a file without the entry of epoch 2 hides where the logs part *)
ASSUME Point(<<<<1, 0>>>>, 305, <<<<1, 0>>, <<3, 310>>, <<4, 400>>>>, 500) = 305
ASSUME Point(<<<<1, 0>>>>, 305, <<<<1, 0>>, <<2, 300>>, <<3, 310>>, <<4, 400>>>>, 500) = 300
ASSUME Point(<<<<1, 0>>>>, 2, <<<<1, 0>>, <<4, 2>>, <<5, 3>>>>, 3) = 2
ASSUME Point(<<<<1, 0>>>>, 2, <<<<1, 0>>, <<2, 1>>, <<4, 2>>, <<5, 3>>>>, 3) = 1

-----------------------------------------------------------------------------
(* A specification that does nothing, for checkers that want one. *)
VARIABLE
  \* @type: Bool;
  done

Init == done = TRUE
Next == UNCHANGED done
Spec == Init /\ [][Next]_done
=============================================================================
