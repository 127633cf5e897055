---- MODULE EmptyDescribedIsAsked ----
\* A set that lists its elements asks a described one for each, also where that has none: "p" is no record.
VARIABLE x
Init == x = {}
Next == x' = ([a : {}, b : {"p"}] \cap {"p", "q"})
====
