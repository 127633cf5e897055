--------------------------- MODULE WholeInvariant ---------------------------
(***************************************************************************)
(* The conjunction of which InductiveInvariant has the proofs, and under   *)
(* which settings.                                                         *)
(***************************************************************************)
EXTENDS AckedInvariant, LogGoals

Inv ==
  /\ LogInv
  /\ SetNumbers
  /\ SetsAgree
  /\ RequestNumbers
  /\ MastersAreInTheirSets
  /\ NewMastersAreAlone
  /\ SetsAreCovered
  /\ ReigningIsLast
  /\ MembersFollow
  /\ ConnectedFollow
  /\ ConnectionsAreOfMasters
  /\ FlushedIsInLog
  /\ ConfirmIsInLog
  /\ AcksAreFlushed
  /\ ConfirmFollowsAcks
  /\ LabelledStartsAtEnd
  /\ IdsAreOld
  /\ IdsName
  /\ DeposedAreHeldBack
  /\ AckedAreFlushed
  /\ AckedAreAtSources
  /\ AckedAreReadable

-----------------------------------------------------------------------------
ASSUME Settings == AllAck /\ ~UncleanElection

=============================================================================
