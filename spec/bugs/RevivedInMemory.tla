--------------------------- MODULE RevivedInMemory ----------------------------
(* Hazard F-53: the revival of POP commits its offset over a checkpoint while the message is still being read, to be stored
   in the retry topic. Where reading is not done at once, from another broker or a second store, the process may end in
   between, and the message is lost. Repaired: the offset goes over what is stored again. *)
(* CODE PopReviveService.mergeAndRevive commits newOffset after reviveMsgFromCk, which only begins to read
   (EscapeBridge.getMessageAsync). *)
(* REPORT inferred: #10985 has a read that ends with an error after the offset was committed, so that nothing is put back
   (open); that the process may end in between was read from the code. A local store answers at once. *)
(* RELEASES 5.1.0 to 5.5.1, by their sources; before, the revival waited *)
EXTENDS Pop

RevivedLater == FALSE
==============================================================================
