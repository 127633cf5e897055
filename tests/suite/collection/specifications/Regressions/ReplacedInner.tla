----------------------------- MODULE ReplacedInner -----------------------------
EXTENDS Sequences, Naturals
CONSTANT Items
VARIABLE s
Init == s \in Seq(Items)
Next == s # <<>> /\ s' = Tail(s)
TypeOK == s \in Seq(Items)
================================================================================
