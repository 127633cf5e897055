--------------------------- MODULE AtomicController ---------------------------
(***************************************************************************)
(* What Controller takes for granted: the controller is one. It decides on *)
(* the state that all earlier decisions have led to, the decision is there *)
(* at once, and who asked is told so only then. ControllerRaft refines it. *)
(*                                                                         *)
(* Of a decision only an election matters here: the epoch that it gives,   *)
(* and to whom.                                                            *)
(***************************************************************************)
EXTENDS Integers, Sequences

CONSTANTS
  \* @type: Set(BROKER);
  Broker,
  \* @type: Int;
  MaxEpoch

VARIABLES
  \* @type: Seq({ epoch: Int, master: BROKER });
  decided,
  \* Decisions whose success was told to those who asked for them.
  \* @type: Set({ epoch: Int, master: BROKER });
  answered

Init == decided = <<>> /\ answered = {}

Decide(b) ==
  /\ Len(decided) < MaxEpoch
  /\ decided' = Append(decided, [epoch |-> Len(decided) + 1, master |-> b])
  /\ UNCHANGED answered

Answer ==
  /\ \E i \in DOMAIN decided : answered' = answered \cup {decided[i]}
  /\ UNCHANGED decided

Next == (\E b \in Broker : Decide(b)) \/ Answer

Spec == Init /\ [][Next]_<<decided, answered>>
==============================================================================
