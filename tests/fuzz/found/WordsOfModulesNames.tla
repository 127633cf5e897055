---- MODULE WordsOfModulesNames ----
EXTENDS Integers, Sequences, FiniteSets
CONSTANT First
Names == {"G", "state", "d", "qim_"}
====
