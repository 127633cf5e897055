---- MODULE SumOfNoBags ----
\* TLC adds bags only, whose copies are positive; the reference evaluator, and machine code, added any numbers.
EXTENDS Integers, Bags
VARIABLE x
Init == x = 1
Next == UNCHANGED x
Sum == (<<-x>> (+) <<-x>>) = <<-2>>
====
