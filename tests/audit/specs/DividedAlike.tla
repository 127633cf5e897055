---- MODULE DividedAlike ----
EXTENDS Divided, TLC
Alike == Permutations(Who)
====
