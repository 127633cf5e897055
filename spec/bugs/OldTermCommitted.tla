--------------------------- MODULE OldTermCommitted ---------------------------
(* Hazard F-33, Raft's Figure 8: a leader takes an entry of an earlier term for committed because a majority has it. It
   is applied, the leader is lost, one whose last entry is of a later term is elected and overwrites it: two controllers
   have applied different entries. Repaired: only with an entry of its own term on top of it. *)
(* CODE DLedgerEntryPusher.QuorumAckChecker.doWork of DLedger 0.3.1.2, the version in RocketMQ's pom.xml: the median of the
   peers' watermarks becomes the committed index, whatever its term; in 0.4.0 a comment cites 5.4.2 of Raft. *)
(* REPORT inferred: openmessaging/dledger #305 and #306 report it of DLedger; that controllers differ by it is inferred. *)
(* RELEASES 5.0.0 to 5.5.1, with the DLedger controller; their pom.xml have DLedger 0.3.1 up to 5.1.0, 0.3.1.2 up to
   5.3.3, 0.3.2 in 5.4.0 and 5.5.0, 0.3.3.4 in 5.5.1, and doWork did not change in this *)
EXTENDS ControllerRaft

CommitsByCountingAlone == FALSE

(* A log need not be longer for it. *)
ShortLogs == \A q \in Server : Len(log[q]) <= 3
==============================================================================
