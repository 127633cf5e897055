---------------------------------- MODULE Toolbox --------------------------------
(* What the TLA+ Toolbox's trace explorer defines; refused when evaluated. *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE TLC

_TETrace == CHOOSE f \in [Nat \ {0} -> STRING] : TRUE
_TEPosition == IF TLCGet("level") = 0 THEN 1 ELSE TLCGet("level")
==================================================================================
