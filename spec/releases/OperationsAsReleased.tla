------------------------ MODULE OperationsAsReleased ------------------------
(***************************************************************************)
(* The operator's questions with the rules of every release at hand: those *)
(* of AsShipped, and what came or went with a release. Which reading holds *)
(* on which release is in docs/rules.md.                                   *)
(***************************************************************************)
EXTENDS Operations, AsShipped, InsufficientTruncation, Issue5663, Issue6342, Issue6508, Issue6609, Issue7441, UpTo51

=============================================================================
