------------------------- MODULE InsufficientWatermark -------------------------
(* Not enough: compare where the logs begin and end. A slave whose log ends before its master's (cases 1-2 and 2-2) may
   have written its last messages itself, in an epoch in which it led. Repaired: the epoch files say up to where both
   logs are one. *)
(* REPORT a weak rule: a repair that suggests itself. *)
EXTENDS LogHeads

KeptEndOfWatermarks == Smaller(slave.max, master.max)
================================================================================
