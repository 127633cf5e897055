------------------------------ MODULE Issue10578 ------------------------------
(* apache/rocketmq #10578: candidates were compared by (int)(offset2 - offset1). A difference of 2 GiB or more overflows,
   and the broker with the smaller offset wins. Here one unit of offset stands for 2 GiB. Fixed (#10579): compare as
   long. *)
(* CODE DefaultElectPolicy.comparator: (int) (o2.getMaxOffset() - o1.getMaxOffset()). *)
(* REPORT reported: #10578, with the numbers; fixed by #10579. *)
(* RELEASES 5.0.0 to 5.5.0; fixed in 5.5.1 *)
EXTENDS Elections

AheadWithOverflow(c, b) ==
  LET epochOf(x) == LastEpoch(disk[x].epochFile)
  IN epochOf(c) > epochOf(b) \/ (epochOf(c) = epochOf(b) /\ EndOfLog(c) < EndOfLog(b))

EligibleInWithOverflow(members, prefer) ==
  LET living == members \cap controller.alive
  IN IF controller.master \in living /\ prefer \in {NoBroker, controller.master} THEN {controller.master}
     ELSE IF prefer # NoBroker THEN living \cap {prefer}
     ELSE { b \in living : \A c \in living : ~AheadWithOverflow(c, b) }
===============================================================================
