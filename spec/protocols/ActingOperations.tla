-------------------------- MODULE ActingOperations --------------------------
(***************************************************************************)
(* What an operator asks of a broker set in SlaveActingMaster mode beside  *)
(* the questions about its log (MasterSlave), and settings of it, in place *)
(* of the repaired rules. `rmqproof assess` checks these.                  *)
(***************************************************************************)
EXTENDS SlaveActingMaster

(* skipPreOnline=true, and broker sets without enableSlaveActingMaster *)
PreOnlineIsSkipped == TRUE

(* As in the Java: a member whose offsets were pulled goes on taking commits (ConsumerManageProcessor.updateConsumerOffset
   does not ask), and a master that is not listed registers (the task of BrokerController.start). *)
ServesOffsetsAsShipped(b) == TRUE
RegistersAtOnceAsShipped  == TRUE

\* A message is due at the member that acts for the master, which can give it to nobody: it waits until the master is back.
DueCanBeDelivered == \A s \in Slave, m \in Message : Due(s, m) => RemoteEscape /\ "another" \in EscapeTargets

=============================================================================
