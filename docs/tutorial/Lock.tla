-------------------------------- MODULE Lock --------------------------------
(* Workers share one lock. A worker looks whether it is free, and takes it. *)
CONSTANTS Worker, Nobody
VARIABLES holder, at
vars == <<holder, at>>

Init == holder = Nobody /\ at = [w \in Worker |-> "idle"]

(* May a worker take the lock that it saw free? *)
MayTake(w)       == TRUE
MayTakeIfFree(w) == holder = Nobody

Look(w) ==
  /\ at[w] = "idle"
  /\ holder = Nobody
  /\ at' = [at EXCEPT ![w] = "saw it free"]
  /\ UNCHANGED holder

Take(w) ==
  /\ at[w] = "saw it free"
  /\ MayTake(w)
  /\ holder' = w
  /\ at' = [at EXCEPT ![w] = "inside"]

GiveUp(w) ==
  /\ at[w] = "saw it free"
  /\ ~MayTake(w)
  /\ at' = [at EXCEPT ![w] = "idle"]
  /\ UNCHANGED holder

Leave(w) ==
  /\ at[w] = "inside"
  /\ holder' = Nobody
  /\ at' = [at EXCEPT ![w] = "idle"]

Next == \E w \in Worker : Look(w) \/ Take(w) \/ GiveUp(w) \/ Leave(w)
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ \A w \in Worker : SF_vars(Look(w)) /\ SF_vars(Take(w)) /\ WF_vars(GiveUp(w)) /\ WF_vars(Leave(w))
WeaklyFairSpec == Spec /\ WF_vars(Next)

TypeOK == holder \in Worker \cup {Nobody} /\ at \in [Worker -> {"idle", "saw it free", "inside"}]

\* Two workers are inside at once.
OneInside == \A v, w \in Worker : at[v] = "inside" /\ at[w] = "inside" => v = w

\* A worker waits for ever.
EveryoneGetsIn == \A w \in Worker : at[w] = "idle" ~> at[w] = "inside"
=============================================================================
