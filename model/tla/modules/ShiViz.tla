---------------------------------- MODULE ShiViz ---------------------------------
(* Names that ShiViz traces use; the Toolbox's trace they read is not there. *)
LOCAL INSTANCE Json
INSTANCE Toolbox

Host == CHOOSE host \in STRING : TRUE
Clock == CHOOSE clock \in STRING : TRUE
==================================================================================
