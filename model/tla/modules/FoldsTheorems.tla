------------------------------ MODULE FoldsTheorems ------------------------------
(* The theorems of this module speak to a prover only; the name is here so that
   specifications that extend it can be read.                                       *)
EXTENDS Folds, FiniteSets
==================================================================================
