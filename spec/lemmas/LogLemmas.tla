----------------------------- MODULE LogLemmas -----------------------------
(***************************************************************************)
(* Whatever is acknowledged: there is one master per epoch, and logs       *)
(* match. The first half of the inductive invariant holds by itself, for   *)
(* acks by number as for those by the SyncStateSet, for every number of    *)
(* messages, epochs and faults. Rules as repaired, clean elections only.   *)
(* AckedDurability is not among the lemmas: what acks by number may lose   *)
(* is told by docs/durability.md.                                          *)
(***************************************************************************)
EXTENDS LogGoals

ASSUME Settings == ~UncleanElection

-----------------------------------------------------------------------------
\* The invariant of logs holds at the start.
THEOREM LogInvHoldsInitially ==
  ASSUME Init PROVE LogInv

\* Two logs agree up to the truncation point of their files, and beyond it they have no epoch in common.
THEOREM LogInvMakesPointsSound ==
  ASSUME Before:: LogInv PROVE PointsAreSound

\* A slave whose log and file follow its master's has its messages under their epochs, if the master has.
THEOREM SlavesAreLabelled ==
  ASSUME Following:: SlavesFollow, FilesFollowing:: SlaveFilesFollow
  PROVE  \A s, m \in Broker : link[s] = m /\ LabelsOf(m) => LabelsOf(s)

\* Every step keeps it, whatever is acknowledged.
\* USES LogInvMakesPointsSound SlavesAreLabelled IN SlaveConnectsAndTruncates SlaveAppendsBatch
THEOREM LogInvIsInductive ==
  ASSUME Before:: LogInv, Next PROVE LogInv'

\* Nobody becomes master of an epoch below the last one of its epoch file.
THEOREM CleanElectionsLeadNoOlderEpoch ==
  ASSUME Before:: LogInv, Next PROVE LeadsNoOlderEpoch

\* No two brokers act as masters of one epoch.
THEOREM LogInvImpliesOneMasterPerEpoch ==
  ASSUME Holds:: LogInv PROVE OneMasterPerEpoch

\* Where two logs have the same epoch at a position, they are the same up to it.
THEOREM LogInvImpliesLogMatching ==
  ASSUME Holds:: LogInv PROVE LogMatching

=============================================================================
