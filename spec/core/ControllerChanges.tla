-------------------------- MODULE ControllerChanges --------------------------
(***************************************************************************)
(* What a request to the controller alone may change, said a second time   *)
(* and from outside, as Changes says it of the whole protocol: by what is  *)
(* different afterwards. Read as shipped, as ControllerOnly.               *)
(***************************************************************************)
EXTENDS ControllerOnly

Elected   == controller'.masterEpoch > controller.masterEpoch
Forgetful == controller' = Forgotten
ByOne(old, new) == Cardinality((old \ new) \cup (new \ old)) = 1

(* The brokers that are no longer registered. *)
Gone == registered \ registered'

\* The tables disagree with what lies in them.
TablesFit ==
  /\ "replicas" \in tables <=> registered # {}
  /\ "inSync" \notin tables => controller.masterEpoch = 0 /\ controller.sssEpoch = 0
                               /\ controller.master = NoBroker /\ controller.sss = {}

\* An election takes a broker that may not lead, or leaves other numbers than the next ones.
ElectedOneMayLead ==
  [][Elected =>
       LET new == controller'.master IN
       /\ Known /\ UNCHANGED <<tables, registered>>
       /\ controller'.masterEpoch = controller.masterEpoch + 1
       /\ IF new = NoBroker
          THEN /\ controller'.sss = controller.sss /\ controller'.sssEpoch = controller.sssEpoch
               /\ (controller.sss \cup (IF UncleanElection THEN registered ELSE {})) \cap controller.alive = {}
          ELSE /\ controller'.sss = {new} /\ controller'.sssEpoch = controller.sssEpoch + 1
               /\ controller.masterEpoch > 0 => new \in controller.alive
               /\ controller.masterEpoch > 0 /\ ~UncleanElection => new \in controller.sss
               /\ controller.masterEpoch > 0 => new \in controller.sss \cup registered
               /\ new # controller.master]_everything

\* The set or the master changes without a number of its own, though nobody cleans.
NumbersChange ==
  [][/\ controller'.sssEpoch \notin {controller.sssEpoch, controller.sssEpoch + 1} => Forgetful
     /\ controller'.masterEpoch < controller.masterEpoch => Forgetful
     /\ controller'.master # controller.master => Elected \/ Forgetful
     /\ ~Elected /\ controller'.sss # controller.sss /\ UNCHANGED registered /\ ~Forgetful =>
          \/ /\ controller'.sssEpoch = controller.sssEpoch + 1 /\ controller'.master = controller.master
             /\ controller.master \in controller'.sss
             /\ controller'.sss \subseteq controller.alive \cap registered
             /\ Known /\ UNCHANGED tables
          \/ controller'.sssEpoch = controller.sssEpoch /\ controller'.sss \subseteq controller.sss /\ MaxCleans > 0]_everything

\* A cleaning takes more than it was asked for, or less.
CleaningsChange ==
  [][Gone # {} /\ registered' \subseteq registered =>
       /\ MaxCleans > 0 /\ Known /\ UNCHANGED controller.alive
       /\ Gone \cap controller.alive # {} => registered' = {} /\ tables' = {}
       /\ tables' \subseteq tables
       /\ \/ Forgetful /\ "inSync" \notin tables'
          \/ controller' = [controller EXCEPT !.sss = @ \ Gone] /\ controller'.sss # {}
             /\ ("inSync" \in tables' <=> "inSync" \in tables)]_everything

\* A broker is registered beside others that are known, or anew where the set is not.
RegistrationsChange ==
  [][registered' \ registered # {} =>
       /\ tables' = Both
       /\ IF Known THEN ByOne(registered, registered') /\ UNCHANGED controller
          ELSE Cardinality(registered') = 1 /\ Forgetful
       /\ "replicas" \notin tables => registered' = {FirstId}]_everything

=============================================================================
