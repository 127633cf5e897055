----------------------------- MODULE QuorumTheorems ------------------------------
(* The theorems of this module speak to a prover only; the name is here so that
   specifications that extend it can be read.                                       *)
EXTENDS Quorum, Integers, FiniteSets
==================================================================================
