---- MODULE Counter ----
EXTENDS Naturals, TLC
(* One process, p-syntax, without labels: they are added.
--algorithm Counter
variables x = 0, y \in {1, 2}, z;
define
  Small == x < 10
  Sum == /\ x + y < 12
         /\ y > 0
end define;
macro bump(v, by) begin
  v := v + by;
  print <<v, by>>;
end macro;
begin
  while x < 3 do
    bump(x, y + 1);
    if x > 2 then z := 1 elsif x = 2 then skip; else z := [a |-> x, b |-> "x"]; end if;
    assert \/ x > 0
           \/ y = 1;
    either x := x + 1; or await y = 2; x := x + 2; or goto Done; end either;
  end while;
end algorithm *)
\* BEGIN TRANSLATION (chksum(pcal) = "4e497193" /\ chksum(tla) = "2a406296")
CONSTANT defaultInitValue
VARIABLES x, y, z, pc

(* define statement *)
Small == x < 10
Sum == /\ x + y < 12
       /\ y > 0


vars == << x, y, z, pc >>

Init == (* Global variables *)
        /\ x = 0
        /\ y \in {1, 2}
        /\ z = defaultInitValue
        /\ pc = "Lbl_1"

Lbl_1 == /\ pc = "Lbl_1"
         /\ IF x < 3
               THEN /\ x' = x + (y + 1)
                    /\ PrintT(<<x', (y + 1)>>)
                    /\ IF x' > 2
                          THEN /\ z' = 1
                          ELSE /\ IF x' = 2
                                     THEN /\ TRUE
                                          /\ z' = z
                                     ELSE /\ z' = [a |-> x', b |-> "x"]
                    /\ Assert(\/ x' > 0
                              \/ y = 1, 
                              "Failure of assertion at line 19, column 5.")
                    /\ \/ /\ pc' = "Lbl_2"
                       \/ /\ y = 2
                          /\ pc' = "Lbl_3"
                       \/ /\ pc' = "Done"
               ELSE /\ pc' = "Done"
                    /\ UNCHANGED << x, z >>
         /\ y' = y

Lbl_2 == /\ pc = "Lbl_2"
         /\ x' = x + 1
         /\ pc' = "Lbl_1"
         /\ UNCHANGED << y, z >>

Lbl_3 == /\ pc = "Lbl_3"
         /\ x' = x + 2
         /\ pc' = "Lbl_1"
         /\ UNCHANGED << y, z >>

(* Allow infinite stuttering to prevent deadlock on termination. *)
Terminating == pc = "Done" /\ UNCHANGED vars

Next == Lbl_1 \/ Lbl_2 \/ Lbl_3
           \/ Terminating

Spec == Init /\ [][Next]_vars

Termination == <>(pc = "Done")

\* END TRANSLATION 
====
