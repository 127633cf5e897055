----------------------------- MODULE JsonAndFiles ------------------------------
\* What Json and IOUtils compute without files. Values verified with TLC.
EXTENDS Integers, Sequences, TLC, Json, IOUtils, TLCExt

ASSUME ToJson([b |-> 1, a |-> "x"]) = "{\"a\":\"x\",\"b\":1}" \/ ToJson([b |-> 1, a |-> "x"]) = "{\"b\":1,\"a\":\"x\"}"
ASSUME ToJson(<<1, TRUE, {2, 3}>>) = "[1,true,[2,3]]" /\ ToJson(<<>>) = "[]"
ASSUME ToJson(3 :> "a") = "{\"3\":\"a\"}" /\ ToJson(<<"q\"">>) = "[\"q\\\"\"]"
ASSUME ToJsonArray(<<1, 2>>) = "[1,2]" /\ ToJsonArray({1}) = "[1]"
ASSUME ToJsonObject([a |-> 1]) = "{\"a\":1}" /\ ToJsonObject(<<"x", "y">>) = "{\"0\":\"x\",\"1\":\"y\"}"
ASSUME atoi("42") = 42 /\ atoi("-7") = -7
ASSUME IOEnv.PATH \in STRING
ASSUME AssertEq(1 + 1, 2) /\ AssertError("The first argument of Assert evaluated to FALSE; the second argument was:\n\"boom\"", Assert(FALSE, "boom"))
ASSUME ~AssertError("no error", TRUE)
ASSUME TLCModelValue("m1") = TLCModelValue("m1") /\ TLCModelValue("m1") # TLCModelValue("m2")
ASSUME TLCNoOp(<<1>>) = <<1>> /\ TLCCache(1 + 1, {}) = 2
ASSUME TLCGetOrDefault(77, "none") = "none" /\ TLCSet(77, 5) /\ TLCGetOrDefault(77, "none") = 5
ASSUME TLCGetAndSet(78, +, 1, 0) = 0 /\ TLCGetAndSet(78, +, 1, 0) = 1
================================================================================
