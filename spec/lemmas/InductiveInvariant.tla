------------------------- MODULE InductiveInvariant -------------------------
(***************************************************************************)
(* One conjunction that every step keeps, for every number of messages,    *)
(* epochs and faults: the reason why there is one master per epoch, why    *)
(* logs match and why nothing acknowledged is lost. Rules as repaired,     *)
(* allAck, clean elections only. What is open is listed in docs/proofs.md. *)
(***************************************************************************)
EXTENDS WholeInvariant

\* The invariant holds at the start.
THEOREM InvHoldsInitially ==
  ASSUME Init PROVE Inv

\* Two logs agree up to the truncation point of their files, and beyond it they have no epoch in common.
THEOREM InvMakesPointsSound ==
  ASSUME Before:: Inv PROVE PointsAreSound

\* A slave whose log and file follow its master's has its messages under their epochs, if the master has.
THEOREM FollowersAreLabelled ==
  ASSUME Following:: SlavesFollow, FilesFollowing:: SlaveFilesFollow
  PROVE  \A s, m \in Broker : link[s] = m /\ LabelsOf(m) => LabelsOf(s)

\* Every step keeps the invariant.
\* USES InvMakesPointsSound FollowersAreLabelled IN SlaveConnectsAndTruncates SlaveAppendsBatch
THEOREM InvIsInductive ==
  ASSUME Before:: Inv, Next PROVE Inv'

\* No two brokers act as masters of one epoch.
THEOREM InvImpliesOneMasterPerEpoch ==
  ASSUME Holds:: Inv PROVE OneMasterPerEpoch

\* Where two logs have the same epoch at a position, they are the same up to it.
THEOREM InvImpliesLogMatching ==
  ASSUME Holds:: Inv PROVE LogMatching

\* What was acknowledged is on every broker that can be elected.
THEOREM InvImpliesAckedDurability ==
  ASSUME Holds:: Inv PROVE AckedDurability

=============================================================================
