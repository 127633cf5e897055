---- MODULE EmptyDomain ----
\* A function on a set of which the compiler knows that it is empty.
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 3
F == [z \in {<<0, "q">>[1] : <<a, b>> \in {<<<<>>, "p">> : k \in {}}} |-> "r"]
Nothing == x \notin DOMAIN F /\ F = <<>> /\ [F EXCEPT ![x] = "s"] = <<>>
====
