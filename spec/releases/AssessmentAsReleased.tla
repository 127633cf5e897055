------------------------ MODULE AssessmentAsReleased ------------------------
(***************************************************************************)
(* Assessment with the rules of every release at hand, as in               *)
(* OperationsAsReleased.                                                   *)
(***************************************************************************)
EXTENDS Assessment, AsShipped, InsufficientTruncation, Issue5663, Issue6342, Issue6508, Issue6609, Issue7441, UpTo51

=============================================================================
