---------------------------------- MODULE Quorum ---------------------------------
(* Sets of quorums over S: any two meet, and whatever contains a quorum is one. *)
QuorumSystem(S) ==
    {Q \in (SUBSET (SUBSET S)) \ {{}} :
        \A A \in Q : (\A B \in Q : A \cap B # {}) /\ \A B \in SUBSET S : A \subseteq B => B \in Q}
==================================================================================
