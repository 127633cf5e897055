---------------------------------- MODULE TLCExt ---------------------------------
(* Talking to the checker. Where a definition only says what kind of value is meant,
   the checker computes it.                                                         *)
LOCAL INSTANCE Integers
LOCAL INSTANCE TLC

(* a = b, printing both where they differ. *)
AssertEq(a, b) == a = b \/ (PrintT("Assertion failed") /\ PrintT(a) /\ PrintT(b) /\ FALSE)

(* TRUE when evaluating e fails with this message. *)
AssertError(message, e) == CHOOSE verdict \in BOOLEAN : TRUE

(* TLCGet with a value for registers that nothing was written to; read, then write. *)
TLCGetOrDefault(key, default) == CHOOSE v : TRUE
TLCGetAndSet(key, Op(_, _), val, default) ==
    LET before == TLCGetOrDefault(key, default)
    IN  IF TLCSet(key, Op(before, val)) THEN before ELSE before

(* The behaviour that leads to the current state. *)
Trace == CHOOSE states : TRUE
CounterExample == CHOOSE behaviour : TRUE
ToTrace(behaviour) == CHOOSE states : TRUE

TLCModelValue(name) == CHOOSE v : ToString(v) = name
TLCDefer(e) == TRUE
TLCNoOp(v) == v
TLCFP(v) == CHOOSE n \in Int : TRUE
TLCEvalDefinition(name) == CHOOSE v : TRUE

(* TLC asks its user which step to take; every step is taken here. *)
PickSuccessor(e) == e \/ TRUE

(* A hint to remember e for each value of `closure`. *)
TLCCache(e, closure) == e
==================================================================================
