--------------------------- MODULE AnsweredAndLost ---------------------------
(* A deliberately weak rule: SEND_OK is answered and the message is not kept, as by a broker set that loses what it has
   acknowledged. No retry helps: the producer was told. Repaired: what is answered is kept. *)
(* REPORT a weak rule: what stands for a broker set that loses acknowledged messages. *)
EXTENDS ClientRetries

NothingIsKept(q, m) == q
==============================================================================
