-------------------------- MODULE InsufficientOrder --------------------------
(* Not enough: have the stored set stored again whenever a proposed slave is behind (InsufficientRenewal's repair alone). A
   member and a proposed slave hang at the same offset. The request that removes the member is lost each time, the renewal
   is stored each time and empties the proposals, and so the slave is proposed anew: the number of the set rises without
   end, and the message that waits is never answered. Two brokers do not show it. Repaired: a renewal waits until no
   member is behind. *)
(* REPORT a weak rule: it was ours until a third broker was tried. *)
EXTENDS Membership

MayBeRenewedWhoeverIsBehind(b) == TRUE
===============================================================================
