------------------------------ MODULE Containers ------------------------------
(***************************************************************************)
(* SlaveActingMaster mode in broker containers (RIP-31): a process has     *)
(* brokers of several sets, and an acting member whose process has a       *)
(* master of another set gives what is due to it (local escape), before    *)
(* it thinks of other processes (remote escape).                           *)
(*                                                                         *)
(* Left out: that a process takes all of its brokers with it when it ends  *)
(* (the other set has its own model), and reading from the store of a      *)
(* master in the process.                                                  *)
(*                                                                         *)
(* Learned: the master of another set need not have the topic, and then no *)
(* consumer finds what it was given (bugs/EscapedWithoutRoute).            *)
(***************************************************************************)
EXTENDS SlaveActingMaster

CONSTANTS
  \* The members in whose process there is a master of another set.
  \* @type: Set(Int);
  WithMaster,
  \* Does that other set have the topics of this one?
  \* @type: Bool;
  OtherHasTopic

VARIABLES
  \* Messages that lie in a set that has not their topic.
  \* @type: Set(Int);
  hidden

contained == <<vars, hidden>>

(* Rules that a .cfg may replace *)

(* EscapeBridge.putMessage, asyncPutMessage: may the local master be given what is due? As shipped each. *)
LocalMasterServes == OtherHasTopic

-----------------------------------------------------------------------------
ContainedInit == Init /\ hidden = {}

(* BrokerContainer.peekMasterBroker *)
DeliverInContainer(b, m) ==
  /\ Due(b, m)
  /\ b \in WithMaster \ {0}
  /\ LocalMasterServes
  /\ member' = [member EXCEPT ![b].done = @ \cup {m}]
  /\ escaped' = escaped \cup {m}
  /\ hidden' = IF OtherHasTopic THEN hidden ELSE hidden \cup {m}
  /\ UNCHANGED <<nameserver, consumer, accepted, used>>

ContainedNext ==
  \/ Next /\ UNCHANGED hidden
  \/ \E b \in Id, m \in Message : DeliverInContainer(b, m)

ContainedSpec ==
  /\ ContainedInit /\ [][ContainedNext]_contained
  /\ \A b \in Id, m \in Message : WF_contained(DeliverInContainer(b, m))

-----------------------------------------------------------------------------
\* What was due was given to a broker set that has not its topic, so no consumer finds it.
EscapedIsFound == hidden = {}

\* What is given to the master of another set in the process was not due there, or stays due; or it lies where nobody finds it and that is not seen.
ContainersChange ==
  [][/\ escaped' # escaped =>
          \E b \in WithMaster \ {0}, m \in Message :
            /\ member[b].state = "Online" /\ member[b].services /\ m \in member[b].log \ member[b].done
            /\ escaped' = escaped \cup {m} /\ member' = [member EXCEPT ![b].done = @ \cup {m}]
            /\ hidden' = (IF OtherHasTopic THEN hidden ELSE hidden \cup {m})
     /\ escaped' = escaped => UNCHANGED hidden]_contained
==============================================================================
