------------------------------- MODULE Statistics --------------------------------
EXTENDS Naturals

(* Chi-square goodness of fit: may the counts `actual` come from the distribution
   `expected`, at the level of significance alpha (a decimal in a string)?          *)
ChiSquare(expected, actual, alpha) == CHOOSE verdict \in BOOLEAN : TRUE
==================================================================================
