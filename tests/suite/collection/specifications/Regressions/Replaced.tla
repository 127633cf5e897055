-------------------------------- MODULE Replaced -------------------------------
\* An operator of a standard module is replaced where only the instance knows it.
EXTENDS Integers
CONSTANT Items
Short(S) == UNION {[1..n -> S] : n \in 0..2}
VARIABLE s
INSTANCE ReplacedInner
================================================================================
