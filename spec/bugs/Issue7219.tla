------------------------------ MODULE Issue7219 ------------------------------
(* apache/rocketmq #7219: the check that removes members which never connected failed with an exception (a collection
   changed while it was iterated over), and a timer whose task fails never runs it again. Fixed (#7220). *)
EXTENDS Membership

ShrinkCheckNeverEnds(b) == FALSE
=============================================================================
