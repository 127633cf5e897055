---- MODULE WordsOfModules ----
\* The first of some strings is that which TLC reads first: the configuration, the main module, then others.
EXTENDS Bags, WordsOfModulesNames
VARIABLES state, on
Init == state = 0 /\ on \in BOOLEAN
Default == [[name \in Names |-> FALSE] EXCEPT ![First] = on]
Switch == /\ (Default[CHOOSE name \in DOMAIN Default : TRUE]) = TRUE
          /\ state' \in {n \in {1, 2} : n # state}
          /\ on' = FALSE
Next == Switch \/ (state' = 0 /\ on' \in {on, FALSE})
====
