------------------------- MODULE InsufficientCleaning -------------------------
(* Not enough: keep the epoch when the metadata are cleaned (CleaningResetsEpochs), and forget the master. A broker asks for
   an election where it learns of a newer epoch without a master; of this one all who run know already. One heartbeat that
   is not heard and one cleaning leave two brokers that run without a master. Repaired: the cleaning raises the epoch. *)
(* REPORT a weak rule: it was ours until a proof for any number of brokers asked for a cleaning. *)
EXTENDS Progress

EpochAfterCleanAsBefore == controller.masterEpoch
===============================================================================
