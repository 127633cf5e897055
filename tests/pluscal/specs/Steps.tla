---- MODULE Steps ----
EXTENDS Naturals, FiniteSets
(* PlusCal options (wf, noDoneDisjunct) *)
(*--algorithm Steps
variables a_rather_long_name = [i \in 1..3 |-> 0], another_long_name = {}, a_third_long_name = 1,
          the_fourth_of_the_names = 0;
process worker \in 1..3
  variables mine = 0, s = {i \in 1..3 : /\ i # self
                                       /\ i > 0};
begin
  A: a_rather_long_name[self] := mine;
     if \A i \in s : a_rather_long_name[i] = 0 /\ \E j \in s : j = i then
       mine := mine + 1;
     B: another_long_name := another_long_name \cup {self};
        if mine = 2 then C: skip; else goto A; end if;
     end if;
  D: while \E i \in s : /\ a_rather_long_name[i] = 1
                        /\ i # mine do
       with x \in s do
         s := s \ {x};
         if x = mine then mine := x; else the_fourth_of_the_names := x; end if;
       end with;
     end while;
     mine := 0 || a_third_long_name := mine;
end process;
end algorithm *)
\* BEGIN TRANSLATION (chksum(pcal) = "1741fbaf" /\ chksum(tla) = "13601b57")
VARIABLES a_rather_long_name, another_long_name, a_third_long_name, 
          the_fourth_of_the_names, pc, mine, s

vars == << a_rather_long_name, another_long_name, a_third_long_name, 
           the_fourth_of_the_names, pc, mine, s >>

ProcSet == (1..3)

Init == (* Global variables *)
        /\ a_rather_long_name = [i \in 1..3 |-> 0]
        /\ another_long_name = {}
        /\ a_third_long_name = 1
        /\ the_fourth_of_the_names = 0
        (* Process worker *)
        /\ mine = [self \in 1..3 |-> 0]
        /\ s = [self \in 1..3 |-> {i \in 1..3 : /\ i # self
                                               /\ i > 0}]
        /\ pc = [self \in ProcSet |-> "A"]

A(self) == /\ pc[self] = "A"
           /\ a_rather_long_name' = [a_rather_long_name EXCEPT ![self] = mine[self]]
           /\ IF \A i \in s[self] : a_rather_long_name'[i] = 0 /\ \E j \in s[self] : j = i
                 THEN /\ mine' = [mine EXCEPT ![self] = mine[self] + 1]
                      /\ pc' = [pc EXCEPT ![self] = "B"]
                 ELSE /\ pc' = [pc EXCEPT ![self] = "D"]
                      /\ mine' = mine
           /\ UNCHANGED << another_long_name, a_third_long_name, 
                           the_fourth_of_the_names, s >>

B(self) == /\ pc[self] = "B"
           /\ another_long_name' = (another_long_name \cup {self})
           /\ IF mine[self] = 2
                 THEN /\ pc' = [pc EXCEPT ![self] = "C"]
                 ELSE /\ pc' = [pc EXCEPT ![self] = "A"]
           /\ UNCHANGED << a_rather_long_name, a_third_long_name, 
                           the_fourth_of_the_names, mine, s >>

C(self) == /\ pc[self] = "C"
           /\ TRUE
           /\ pc' = [pc EXCEPT ![self] = "D"]
           /\ UNCHANGED << a_rather_long_name, another_long_name, 
                           a_third_long_name, the_fourth_of_the_names, mine, s >>

D(self) == /\ pc[self] = "D"
           /\ IF \E i \in s[self] : /\ a_rather_long_name[i] = 1
                                    /\ i # mine[self]
                 THEN /\ \E x \in s[self]:
                           /\ s' = [s EXCEPT ![self] = s[self] \ {x}]
                           /\ IF x = mine[self]
                                 THEN /\ mine' = [mine EXCEPT ![self] = x]
                                      /\ UNCHANGED the_fourth_of_the_names
                                 ELSE /\ the_fourth_of_the_names' = x
                                      /\ mine' = mine
                      /\ pc' = [pc EXCEPT ![self] = "D"]
                      /\ UNCHANGED a_third_long_name
                 ELSE /\ /\ a_third_long_name' = mine[self]
                         /\ mine' = [mine EXCEPT ![self] = 0]
                      /\ pc' = [pc EXCEPT ![self] = "Done"]
                      /\ UNCHANGED << the_fourth_of_the_names, s >>
           /\ UNCHANGED << a_rather_long_name, another_long_name >>

worker(self) == A(self) \/ B(self) \/ C(self) \/ D(self)

Next == (\E self \in 1..3: worker(self))

Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in 1..3 : WF_vars(worker(self))

Termination == <>(\A self \in ProcSet: pc[self] = "Done")

\* END TRANSLATION 
====
