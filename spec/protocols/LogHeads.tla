------------------------------ MODULE LogHeads ------------------------------
(***************************************************************************)
(* Logs lose their heads: files expire. A slave connects to a master whose *)
(* log begins and ends anywhere, with a log of its own that begins and     *)
(* ends anywhere, or with an empty disk: the six cases of the watermark    *)
(* figure, all of them as initial states. The bytes of both are the same   *)
(* up to an offset, from which the master's epoch 2 begins; what the slave *)
(* has from there on is its own, of epoch 1.                               *)
(*                                                                         *)
(* Learned: comparing beginnings and ends, as the figure does, is not      *)
(* enough in the cases 1-2 and 2-2 (bugs/InsufficientWatermark). As        *)
(* shipped, case 1-1 never ends: the slave asks for an offset that the     *)
(* master has deleted, or finds no common epoch (bugs/ExpiredHead).        *)
(***************************************************************************)
EXTENDS EpochFile

CONSTANTS
  \* Offsets are 0..MaxOffset, a log file holds FileSize messages.
  \* @type: Int;
  MaxOffset,
  \* @type: Int;
  FileSize,
  \* syncFromLastFile
  \* @type: Bool;
  SyncFromLastFile,
  \* Budgets: messages appended, files deleted.
  \* @type: Int;
  MaxPuts,
  \* @type: Int;
  MaxExpired

VARIABLES
  \* The master's log: its first offset, its end, and where its epoch 2 begins.
  \* @type: { min: Int, max: Int, fork: Int };
  master,
  \* The slave's: Connecting, Following, Stopped (for an operator); its first offset, its end, the offsets at which it
  \* has other bytes than its master; has it copied anything in this epoch?
  \* @type: { state: Str, min: Int, max: Int, own: Set(Int), copied: Bool };
  slave,
  \* The case of the figure at the last handshake, and what was done.
  \* @type: { figure: Str, did: Str };
  handshake,
  \* Budgets used.
  \* @type: { puts: Int, expired: Int };
  used

vars == <<master, slave, handshake, used>>

Offset == 0..MaxOffset

TypeOK ==
  /\ master \in [min : Offset, max : Offset, fork : Offset]
  /\ slave \in [state : {"Connecting", "Following", "Stopped"}, min : Offset, max : Offset, own : SUBSET Offset, copied : BOOLEAN]
  /\ handshake \in [figure : {"None", "Empty", "1-1", "1-2 or 2-2", "1-3 or 2-3", "3-3"},
                    did : {"None", "Begin", "Follow", "Cut", "Ask"}]

-----------------------------------------------------------------------------
EmptyDisk == slave.min = slave.max

(* The six cases *)
FigureCase ==
  CASE EmptyDisk                                                  -> "Empty"
    [] slave.min > master.max                                     -> "3-3"
    [] slave.max <= master.min                                    -> "1-1"
    [] slave.max > master.min /\ slave.max <= master.max          -> "1-2 or 2-2"
    [] OTHER                                                      -> "1-3 or 2-3"

History    == IF master.fork = 0 THEN <<Entry(2, 0)>> ELSE <<Entry(1, 0), Entry(2, master.fork)>>
MasterFile == DropPrefix(History, master.min)
SlaveFile  == IF EmptyDisk THEN <<>>
              ELSE IF slave.copied THEN DropPrefix(DropFromOffset(History, slave.max), slave.min)
              ELSE <<Entry(1, 0)>>

(* Where a slave without a log begins. *)
FirstToCopy == IF SyncFromLastFile THEN Larger(master.min, (master.max \div FileSize) * FileSize) ELSE master.min

-----------------------------------------------------------------------------
(* Rules that a .cfg may replace *)

(* Where the slave's log ends after the handshake, if it has one. *)
KeptEnd == Smaller(slave.max, ConsistentPointOrStart(SlaveFile, slave.max, MasterFile, master.max))

(* Is the log dropped, as if the disk were empty? When it ends where the master's begins or before that, or nothing of
   it is left. As shipped the slave goes on asking for the offset at which its log ends. *)
BeginsAnew(kept) == kept <= master.min \/ kept <= slave.min

-----------------------------------------------------------------------------
(* Every pair of logs. Only a master whose log begins before its epoch 2 may share epoch 1 with anybody. *)
Init ==
  /\ master \in { m \in [min : 0..(MaxOffset - MaxPuts), max : 0..(MaxOffset - MaxPuts), fork : 0..(MaxOffset - MaxPuts)] :
                    m.min <= m.max /\ m.fork <= m.max }
  /\ slave \in { [state |-> "Connecting", min |-> low, max |-> high,
                  own |-> { o \in Offset : low <= o /\ o < high /\ o >= master.fork }, copied |-> FALSE] :
                 low \in 0..(MaxOffset - MaxPuts), high \in 0..(MaxOffset - MaxPuts) }
  /\ slave.min <= slave.max
  /\ EmptyDisk => slave.min = 0
  /\ handshake = [figure |-> "None", did |-> "None"]
  /\ used = [puts |-> 0, expired |-> 0]

Begin(did) ==
  /\ slave' = [state |-> "Following", min |-> FirstToCopy, max |-> FirstToCopy, own |-> {}, copied |-> TRUE]
  /\ handshake' = [figure |-> FigureCase, did |-> did]

Keep(kept, did) ==
  /\ slave' = [slave EXCEPT !.state = "Following", !.max = kept, !.own = { o \in @ : o < kept }, !.copied = TRUE]
  /\ handshake' = [figure |-> FigureCase, did |-> did]

SlaveConnects ==
  /\ slave.state = "Connecting"
  /\ IF EmptyDisk THEN Begin("Begin")
     ELSE IF slave.min > master.max
     THEN slave' = [slave EXCEPT !.state = "Stopped"] /\ handshake' = [figure |-> FigureCase, did |-> "Ask"]
     ELSE IF KeptEnd = NoPoint
     THEN UNCHANGED <<slave, handshake>>
     ELSE IF BeginsAnew(KeptEnd) THEN Begin(IF slave.max <= master.min THEN "Begin" ELSE "Cut")
     ELSE Keep(KeptEnd, IF KeptEnd < slave.max THEN "Cut" ELSE "Follow")
  /\ UNCHANGED <<master, used>>

SlaveCopies ==
  /\ slave.state = "Following"
  /\ master.min <= slave.max
  /\ slave.max < master.max
  /\ slave' = [slave EXCEPT !.max = @ + 1]
  /\ UNCHANGED <<master, handshake, used>>

(* What the slave asks for was deleted. *)
SlaveIsOvertaken ==
  /\ slave.state = "Following"
  /\ slave.max < master.min
  /\ slave' = [slave EXCEPT !.state = "Connecting"]
  /\ UNCHANGED <<master, handshake, used>>

AppendPut ==
  /\ used.puts < MaxPuts
  /\ master' = [master EXCEPT !.max = @ + 1]
  /\ used' = [used EXCEPT !.puts = @ + 1]
  /\ UNCHANGED <<slave, handshake>>

(* The master's oldest file expires, never the one that it writes. *)
FileExpires ==
  LET next == (master.min \div FileSize + 1) * FileSize
  IN /\ used.expired < MaxExpired
     /\ next <= master.max
     /\ master' = [master EXCEPT !.min = next]
     /\ used' = [used EXCEPT !.expired = @ + 1]
     /\ UNCHANGED <<slave, handshake>>

Next == SlaveConnects \/ SlaveCopies \/ SlaveIsOvertaken \/ AppendPut \/ FileExpires

Spec == Init /\ [][Next]_vars /\ WF_vars(SlaveConnects) /\ WF_vars(SlaveCopies) /\ WF_vars(SlaveIsOvertaken)

-----------------------------------------------------------------------------
\* A slave that follows has other bytes than its master, or bytes behind its master's end.
FollowerHasMastersBytes ==
  slave.state = "Following" => slave.own = {} /\ slave.max <= Larger(master.max, master.min)

\* The handshake does something else than the case asks for: it cuts what both have, or follows where the logs have parted.
CasesOfTheFigure ==
  CASE handshake.figure = "Empty"      -> handshake.did = "Begin"
    [] handshake.figure = "1-1"        -> handshake.did = "Begin"
    [] handshake.figure = "1-2 or 2-2" -> handshake.did \in {"Follow", "Cut"}
    [] handshake.figure = "1-3 or 2-3" -> handshake.did = "Cut"
    [] handshake.figure = "3-3"        -> handshake.did = "Ask"
    [] OTHER                           -> TRUE

\* A slave never has what its master has, and nobody was asked.
EventuallyCopied == <>[](slave.state = "Stopped" \/ (slave.state = "Following" /\ slave.max = master.max))

\* A handshake leaves something else of the slave's log than what both have, or a log changes otherwise than by a put, a copy, an expired file.
LogHeadsChange ==
  [][/\ master' = [master EXCEPT !.max = @ + used'.puts - used.puts,
                                 !.min = IF used'.expired = used.expired THEN @ ELSE (@ \div FileSize + 1) * FileSize]
     /\ used'.puts <= MaxPuts /\ used'.expired <= MaxExpired
     /\ master' # master \/ used' # used =>
          used'.puts + used'.expired = used.puts + used.expired + 1 /\ master'.min <= master'.max
     /\ slave.state = "Stopped" => UNCHANGED slave
     /\ slave.state = "Following" /\ slave' # slave =>
          \/ slave' = [slave EXCEPT !.max = @ + 1] /\ master.min <= slave.max /\ slave.max < master.max
          \/ slave' = [slave EXCEPT !.state = "Connecting"] /\ slave.max < master.min
     /\ slave.state = "Connecting" /\ slave' # slave =>
          LET begin == IF SyncFromLastFile /\ (master.max \div FileSize) * FileSize > master.min
                       THEN (master.max \div FileSize) * FileSize ELSE master.min
              first == Larger(slave.min, master.min)
          IN /\ handshake'.did # "None" /\ (handshake'.figure = "Empty" <=> slave.min = slave.max)
             /\ handshake'.figure = "1-2 or 2-2" => slave.max <= master.max
             /\ IF handshake'.did = "Ask"
                THEN slave' = [slave EXCEPT !.state = "Stopped"] /\ slave.min > master.max
                ELSE /\ slave'.state = "Following" /\ slave'.copied /\ slave'.own = {}
                     /\ \/ /\ slave'.min = begin /\ slave'.max = begin
                           /\ first \in slave.own \/ first >= slave.max \/ first >= master.max
                        \/ /\ slave'.min = slave.min /\ slave'.max > slave.min
                           /\ \A o \in Offset : slave'.max <= o /\ o < slave.max => o \in slave.own \/ o >= master.max
                     /\ handshake'.did = "Cut" => slave'.max < slave.max \/ slave'.min # slave.min
     /\ handshake' # handshake => slave.state = "Connecting"]_vars
=============================================================================
