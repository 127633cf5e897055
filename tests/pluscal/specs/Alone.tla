---- MODULE Alone ----
EXTENDS Naturals, Sequences
(*
--fair algorithm Alone
variable n = 5; r = 1;
procedure Factorial(m)
  variable kept = 1;
begin
  f1: if m > 1 then
        kept := m;
    fx: call Factorial(m - 1);
    f2: r := r * kept;
      end if;
  f3: return;
end procedure
begin
  main: call Factorial(n);
  check: either r := 0; or r := r; end either;
end algorithm
*)
\* BEGIN TRANSLATION (chksum(pcal) = "420bcb8c" /\ chksum(tla) = "fc92b486")
CONSTANT defaultInitValue
VARIABLES n, r, pc, stack, m, kept

vars == << n, r, pc, stack, m, kept >>

Init == (* Global variables *)
        /\ n = 5
        /\ r = 1
        (* Procedure Factorial *)
        /\ m = defaultInitValue
        /\ kept = 1
        /\ stack = << >>
        /\ pc = "main"

f1 == /\ pc = "f1"
      /\ IF m > 1
            THEN /\ kept' = m
                 /\ pc' = "fx"
            ELSE /\ pc' = "f3"
                 /\ kept' = kept
      /\ UNCHANGED << n, r, stack, m >>

fx == /\ pc = "fx"
      /\ /\ m' = m - 1
         /\ stack' = << [ procedure |->  "Factorial",
                          pc        |->  "f2",
                          kept      |->  kept,
                          m         |->  m ] >>
                      \o stack
      /\ kept' = 1
      /\ pc' = "f1"
      /\ UNCHANGED << n, r >>

f2 == /\ pc = "f2"
      /\ r' = r * kept
      /\ pc' = "f3"
      /\ UNCHANGED << n, stack, m, kept >>

f3 == /\ pc = "f3"
      /\ pc' = Head(stack).pc
      /\ kept' = Head(stack).kept
      /\ m' = Head(stack).m
      /\ stack' = Tail(stack)
      /\ UNCHANGED << n, r >>

Factorial == f1 \/ fx \/ f2 \/ f3

main == /\ pc = "main"
        /\ /\ m' = n
           /\ stack' = << [ procedure |->  "Factorial",
                            pc        |->  "check",
                            kept      |->  kept,
                            m         |->  m ] >>
                        \o stack
        /\ kept' = 1
        /\ pc' = "f1"
        /\ UNCHANGED << n, r >>

check == /\ pc = "check"
         /\ \/ /\ r' = 0
            \/ /\ r' = r
         /\ pc' = "Done"
         /\ UNCHANGED << n, stack, m, kept >>

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == pc = "Done" /\ UNCHANGED vars

Next == Factorial \/ main \/ check
           \/ Terminating

Spec == /\ Init /\ [][Next]_vars
        /\ WF_vars(Next)

Termination == <>(pc = "Done")

\* END TRANSLATION 
====
