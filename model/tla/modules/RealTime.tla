-------------------------------- MODULE RealTime ---------------------------------
(* Time bounds on actions (Specifying Systems, chapter 9). The formulas are temporal
   and over all reals: they can be parsed and refined, not checked by enumeration.  *)
EXTENDS Reals
VARIABLE now

(* A steps only after it has been enabled for D, and before it has been for E. *)
RTBound(A, v, D, E) ==
    LET Tick(t) == t' = IF (ENABLED <<A>>_v)' /\ ~<<A>>_v THEN t + (now' - now) ELSE 0
        Timer(t) == t = 0 /\ [][Tick(t)]_<<t, v, now>>
        AtMost(t) == [](t <= E)
        AtLeast(t) == [][A => D <= t]_v
    IN  \EE t : Timer(t) /\ AtMost(t) /\ AtLeast(t)

(* Time grows, without end, in steps that leave v as it is. *)
RTnow(v) ==
    LET Pass == UNCHANGED v /\ now' \in {r \in Real : now < r}
    IN  /\ now \in Real
        /\ [][Pass]_now
        /\ \A r \in Real : WF_now(Pass /\ r < now')
==================================================================================
