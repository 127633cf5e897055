--------------------------- MODULE RevivedInMemory ----------------------------
(* Hazard F-53: the revival of POP commits its offset over a checkpoint while the message is still being read, to be stored
   in the retry topic. Where reading is not done at once, from another broker or a second store, the process may end in
   between, and the message is lost. Repaired: the offset goes over what is stored again. *)
(* CODE PopReviveService.mergeAndRevive commits newOffset after reviveMsgFromCk, which only begins to read
   (EscapeBridge.getMessageAsync). *)
(* REPORT read from the code: no thread has it; a local store answers at once. *)
(* RELEASES 5.1.4 to 5.5.1, by their sources; before, the revival waited *)
EXTENDS Pop

RevivedLater == FALSE
==============================================================================
