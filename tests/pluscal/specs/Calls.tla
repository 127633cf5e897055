---- MODULE Calls ----
EXTENDS Naturals, Sequences
(*--algorithm Calls
variables result = 0, log = << >>;
procedure Add(a = 0, b)
  variable sum = 0;
begin
  add: sum := a + b;
  store: result := sum;
         log := Append(log, sum);
         return;
end procedure;
procedure Twice(c)
  variable sum = 7;
begin
  first: call Add(c, c);
  second: if result > 4 then call Add(result, sum); return; else call Twice(c + 1); goto third; end if;
  third: return;
end procedure;
fair process p \in 1..2
begin
  one: call Twice(self);
  two:- call Add(result, self);
        goto one;
end process;
process q = 3
  variable a = 1;
begin
  one: a := a + 1;
  two: await Len(log) > 1;
end process;
end algorithm *)
\* BEGIN TRANSLATION (chksum(pcal) = "67d45169" /\ chksum(tla) = "d0b1a333")
\* Label one of process p at line 22 col 8 changed to one_
\* Label two of process p at line 23 col 9 changed to two_
\* Process variable a of process q at line 27 col 12 changed to a_
\* Procedure variable sum of procedure Add at line 6 col 12 changed to sum_
CONSTANT defaultInitValue
VARIABLES result, log, pc, stack, a, b, sum_, c, sum, a_

vars == << result, log, pc, stack, a, b, sum_, c, sum, a_ >>

ProcSet == (1..2) \cup {3}

Init == (* Global variables *)
        /\ result = 0
        /\ log = << >>
        (* Procedure Add *)
        /\ a = [ self \in ProcSet |-> 0]
        /\ b = [ self \in ProcSet |-> defaultInitValue]
        /\ sum_ = [ self \in ProcSet |-> 0]
        (* Procedure Twice *)
        /\ c = [ self \in ProcSet |-> defaultInitValue]
        /\ sum = [ self \in ProcSet |-> 7]
        (* Process q *)
        /\ a_ = 1
        /\ stack = [self \in ProcSet |-> << >>]
        /\ pc = [self \in ProcSet |-> CASE self \in 1..2 -> "one_"
                                        [] self = 3 -> "one"]

add(self) == /\ pc[self] = "add"
             /\ sum_' = [sum_ EXCEPT ![self] = a[self] + b[self]]
             /\ pc' = [pc EXCEPT ![self] = "store"]
             /\ UNCHANGED << result, log, stack, a, b, c, sum, a_ >>

store(self) == /\ pc[self] = "store"
               /\ result' = sum_[self]
               /\ log' = Append(log, sum_[self])
               /\ pc' = [pc EXCEPT ![self] = Head(stack[self]).pc]
               /\ sum_' = [sum_ EXCEPT ![self] = Head(stack[self]).sum_]
               /\ a' = [a EXCEPT ![self] = Head(stack[self]).a]
               /\ b' = [b EXCEPT ![self] = Head(stack[self]).b]
               /\ stack' = [stack EXCEPT ![self] = Tail(stack[self])]
               /\ UNCHANGED << c, sum, a_ >>

Add(self) == add(self) \/ store(self)

first(self) == /\ pc[self] = "first"
               /\ /\ a' = [a EXCEPT ![self] = c[self]]
                  /\ b' = [b EXCEPT ![self] = c[self]]
                  /\ stack' = [stack EXCEPT ![self] = << [ procedure |->  "Add",
                                                           pc        |->  "second",
                                                           sum_      |->  sum_[self],
                                                           a         |->  a[self],
                                                           b         |->  b[self] ] >>
                                                       \o stack[self]]
               /\ sum_' = [sum_ EXCEPT ![self] = 0]
               /\ pc' = [pc EXCEPT ![self] = "add"]
               /\ UNCHANGED << result, log, c, sum, a_ >>

second(self) == /\ pc[self] = "second"
                /\ IF result > 4
                      THEN /\ /\ a' = [a EXCEPT ![self] = result]
                              /\ b' = [b EXCEPT ![self] = sum[self]]
                              /\ stack' = [stack EXCEPT ![self] = << [ procedure |->  "Add",
                                                                       pc        |->  Head(stack[self]).pc,
                                                                       sum_      |->  sum_[self],
                                                                       a         |->  a[self],
                                                                       b         |->  b[self] ] >>
                                                                   \o Tail(stack[self])]
                              /\ sum' = [sum EXCEPT ![self] = Head(stack[self]).sum]
                           /\ sum_' = [sum_ EXCEPT ![self] = 0]
                           /\ pc' = [pc EXCEPT ![self] = "add"]
                           /\ c' = c
                      ELSE /\ /\ c' = [c EXCEPT ![self] = c[self] + 1]
                              /\ stack' = [stack EXCEPT ![self] = << [ procedure |->  "Twice",
                                                                       pc        |->  "third",
                                                                       sum       |->  sum[self],
                                                                       c         |->  c[self] ] >>
                                                                   \o stack[self]]
                           /\ sum' = [sum EXCEPT ![self] = 7]
                           /\ pc' = [pc EXCEPT ![self] = "first"]
                           /\ UNCHANGED << a, b, sum_ >>
                /\ UNCHANGED << result, log, a_ >>

third(self) == /\ pc[self] = "third"
               /\ pc' = [pc EXCEPT ![self] = Head(stack[self]).pc]
               /\ sum' = [sum EXCEPT ![self] = Head(stack[self]).sum]
               /\ c' = [c EXCEPT ![self] = Head(stack[self]).c]
               /\ stack' = [stack EXCEPT ![self] = Tail(stack[self])]
               /\ UNCHANGED << result, log, a, b, sum_, a_ >>

Twice(self) == first(self) \/ second(self) \/ third(self)

one_(self) == /\ pc[self] = "one_"
              /\ /\ c' = [c EXCEPT ![self] = self]
                 /\ stack' = [stack EXCEPT ![self] = << [ procedure |->  "Twice",
                                                          pc        |->  "two_",
                                                          sum       |->  sum[self],
                                                          c         |->  c[self] ] >>
                                                      \o stack[self]]
              /\ sum' = [sum EXCEPT ![self] = 7]
              /\ pc' = [pc EXCEPT ![self] = "first"]
              /\ UNCHANGED << result, log, a, b, sum_, a_ >>

two_(self) == /\ pc[self] = "two_"
              /\ /\ a' = [a EXCEPT ![self] = result]
                 /\ b' = [b EXCEPT ![self] = self]
                 /\ stack' = [stack EXCEPT ![self] = << [ procedure |->  "Add",
                                                          pc        |->  "one",
                                                          sum_      |->  sum_[self],
                                                          a         |->  a[self],
                                                          b         |->  b[self] ] >>
                                                      \o stack[self]]
              /\ sum_' = [sum_ EXCEPT ![self] = 0]
              /\ pc' = [pc EXCEPT ![self] = "add"]
              /\ UNCHANGED << result, log, c, sum, a_ >>

p(self) == one_(self) \/ two_(self)

one == /\ pc[3] = "one"
       /\ a_' = a_ + 1
       /\ pc' = [pc EXCEPT ![3] = "two"]
       /\ UNCHANGED << result, log, stack, a, b, sum_, c, sum >>

two == /\ pc[3] = "two"
       /\ Len(log) > 1
       /\ pc' = [pc EXCEPT ![3] = "Done"]
       /\ UNCHANGED << result, log, stack, a, b, sum_, c, sum, a_ >>

q == one \/ two

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == /\ \A self \in ProcSet: pc[self] = "Done"
               /\ UNCHANGED vars

Next == q
           \/ (\E self \in ProcSet: Add(self) \/ Twice(self))
           \/ (\E self \in 1..2: p(self))
           \/ Terminating

Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in 1..2 : /\ WF_vars((pc[self] # "two_") /\ p(self))
                              /\ WF_vars(Twice(self))
                              /\ WF_vars(Add(self))

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION 
====
