------------------------- MODULE OrderedWithoutWaiting -------------------------
(* An application sends asynchronously, or from two threads: what failed and is tried again comes behind what was sent later. *)
(* REPORT by the design: messages are in order if they are sent one after the other *)
(* RELEASES all *)
EXTENDS OrderedMessages

SendsOn == FALSE
==============================================================================
