---- MODULE PassedByName ----
\* Same is applied to an argument, and primes z, which is what x is of: the Python engine gave its function no state.
VARIABLE x
Init == x = {}
Next == x' \in SUBSET {1}
Inner(z) == LET Same(k) == k = z' IN Same(z')
Middle(z) == Inner({y \in z : TRUE})
Steps == [][Middle(x \ x)]_x
====
