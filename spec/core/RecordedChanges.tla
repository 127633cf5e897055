--------------------------- MODULE RecordedChanges ---------------------------
(***************************************************************************)
(* What a line of a recorded run may change, said a second time and from   *)
(* outside, as ControllerChanges says it of the controller alone.          *)
(***************************************************************************)
EXTENDS RecordedRun

\* A line of the controller's log changes what no such line says: a broker is heard that is in no table, or a master or a set is there that is remembered nowhere.
RecordedDecisionsChange ==
  [][LET elected == controller'.masterEpoch # controller.masterEpoch
         stores  == controller'.sssEpoch # controller.sssEpoch
         new     == controller'.master
         gone    == controller.alive \ controller'.alive
         came    == controller'.alive \ controller.alive
     IN /\ UNCHANGED <<tables, registered>>
        /\ table \subseteq table' \/ table' = {} \/ (\E b \in table : table' = table \ {b})
        /\ \A b \in table \ table' : b \notin controller'.alive
        /\ \A b \in table' \ table : came \subseteq {b} /\ b \in controller'.alive /\ table' = table \cup {b}
        /\ came # {} => \E b \in table' : came = {b}
        /\ gone # {} => (\E b \in Broker : gone = {b}) \/ table' = {}
        /\ came \cup gone # {} \/ table' # table => UNCHANGED <<broker, disk, reigns, stored, asked, shown, heard, reached>>
        /\ elected =>
             /\ controller'.masterEpoch = controller.masterEpoch + 1
             /\ UNCHANGED <<broker, disk, table, asked, shown, heard, reached>>
             /\ IF new = NoBroker THEN UNCHANGED <<reigns, stored>> /\ ~stores
                ELSE /\ controller'.sss = {new} /\ stores
                     /\ reigns' = reigns \cup {[epoch |-> controller'.masterEpoch, master |-> new]}
        /\ new # controller.master \/ reigns' # reigns => elected
        /\ stores =>
             /\ controller'.sssEpoch = controller.sssEpoch + 1
             /\ stored' = stored \cup {[epoch |-> controller'.masterEpoch, number |-> controller'.sssEpoch,
                                        members |-> controller'.sss]}
        /\ stored' # stored \/ controller'.sss # controller.sss => stores
        /\ stores /\ ~elected =>
             /\ new # NoBroker /\ new \in controller'.sss
             /\ controller'.sss \in asked[new] \/ controller'.sss \subseteq controller.sss
             /\ UNCHANGED <<broker, disk, table, asked, shown, heard, reached>>]_<<everything, recorded>>

\* A line of a broker's log changes what no such line says: it takes a role or a set that the controller has not given, or an epoch, an answer, an offset is there that nobody has written.
RecordedBrokersChange ==
  [][/\ \A b \in Broker :
          LET old  == broker[b]
              new  == broker'[b]
              file == disk[b].epochFile
              its  == disk'[b].epochFile
          IN /\ new # old =>
                  /\ UNCHANGED <<controller, disk, table, reigns, stored, asked, shown>>
                  /\ \/ new.role = "Fenced" /\ new = Blank("Fenced") /\ heard'[b] = NothingHeard /\ reached'[b] = 0
                     \/ /\ new.masterEpoch > old.masterEpoch /\ [epoch |-> new.masterEpoch, master |-> new.master] \in reigns
                        /\ new = [old EXCEPT !.role = IF new.master = b THEN "Master" ELSE "Slave",
                                             !.masterEpoch = new.masterEpoch, !.master = new.master]
                     \/ /\ new.sssEpoch > old.sssEpoch /\ new = [old EXCEPT !.sss = new.sss, !.sssEpoch = new.sssEpoch]
                        /\ \E x \in stored : x.number = new.sssEpoch /\ x.members = new.sss /\ x.epoch <= old.masterEpoch
                  /\ \A other \in Broker \ {b} : broker'[other] = broker[other]
             /\ heard'[b] # heard[b] =>
                  IF heard'[b] \in shown THEN UNCHANGED broker ELSE heard'[b] = NothingHeard /\ new = Blank("Fenced")
             /\ its # file =>
                  /\ disk' = [disk EXCEPT ![b].epochFile = its] /\ UNCHANGED <<controller, broker, asked, shown, heard>>
                  /\ \/ /\ old.role = "Master" /\ LastEpoch(its) = old.masterEpoch
                        /\ \A i \in DOMAIN file : file[i].epoch < old.masterEpoch => i \in DOMAIN its /\ its[i] = file[i]
                     \/ /\ old.role = "Slave" /\ its = Append(file, its[Len(its)]) /\ LastEpoch(its) > LastEpoch(file)
                        /\ \E i \in DOMAIN disk[old.master].epochFile : disk[old.master].epochFile[i] = its[Len(its)]
                     \/ Len(its) < Len(file) /\ its = SubSeq(file, 1, Len(its)) /\ heard[b] # NothingHeard
             /\ reached'[b] \in Ends \cup {0}
             /\ asked[b] \subseteq asked'[b]
             /\ \A set \in asked'[b] \ asked[b] :
                  /\ UNCHANGED <<controller, broker, disk, shown, heard, reached>> /\ (old.sss # {} => b \in set)
                  /\ \E base \in asked[b] \cup {old.sss} : Cardinality(set \ base) <= 1
     /\ shown \subseteq shown'
     /\ \A x \in shown' \ shown :
          /\ UNCHANGED <<controller, broker, disk, asked, heard>>
          /\ \E b \in Broker : x.file = disk[b].epochFile /\ x.end >= reached[b]]_<<everything, recorded>>

=============================================================================
