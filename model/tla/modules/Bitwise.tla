--------------------------------- MODULE Bitwise ---------------------------------
(* Natural numbers as strings of bits. *)
LOCAL INSTANCE Integers

LOCAL Bit(n, i) == (n \div 2^i) % 2

(* The number whose bits, up to the highest of x and y, are op of theirs. *)
LOCAL Combine(op(_, _), x, y) ==
    LET RECURSIVE from(_)
        from(i) ==
            IF x \div 2^i = 0 /\ y \div 2^i = 0
            THEN 0
            ELSE op(Bit(x, i), Bit(y, i)) * 2^i + from(i + 1)
    IN  from(0)

x & y == Combine(LAMBDA a, b : a * b, x, y)
x | y == Combine(LAMBDA a, b : IF a + b = 0 THEN 0 ELSE 1, x, y)
x ^^ y == Combine(LAMBDA a, b : (a + b) % 2, x, y)

(* Every bit of x up to its highest, inverted. *)
Not(x) == Combine(LAMBDA a, b : 1 - a, x, x)

shiftR(x, places) == x \div 2^places
==================================================================================
