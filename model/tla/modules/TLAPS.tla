---------------------------------- MODULE TLAPS ----------------------------------
(* The names of provers and tactics that proofs cite. Proofs are not read here, so
   every name means TRUE.                                                           *)

SimpleArithmetic == TRUE
SMT == TRUE
CVC3 == TRUE
CVC4 == TRUE
Yices == TRUE
veriT == TRUE
Zipper == TRUE
Z3 == TRUE
Spass == TRUE
LS4 == TRUE
PTL == TRUE
PropositionalTemporalLogic == TRUE
Zenon == TRUE
SlowZenon == TRUE
SlowerZenon == TRUE
VerySlowZenon == TRUE
SlowestZenon == TRUE
Isa == TRUE
IsaWithSetExtensionality == TRUE
Auto == TRUE
SlowAuto == TRUE
SlowerAuto == TRUE
SlowestAuto == TRUE
Force == TRUE
SlowForce == TRUE
SlowerForce == TRUE
SlowestForce == TRUE
SimplifyAndSolve == TRUE
SlowSimplifyAndSolve == TRUE
SlowerSimplifyAndSolve == TRUE
SlowestSimplifyAndSolve == TRUE
Simplification == TRUE
SlowSimplification == TRUE
SlowerSimplification == TRUE
SlowestSimplification == TRUE
Blast == TRUE
SlowBlast == TRUE
SlowerBlast == TRUE
SlowestBlast == TRUE
AutoBlast == TRUE
AllProvers == TRUE
AllSMT == TRUE
AllIsa == TRUE
ExpandENABLED == TRUE
ExpandCdot == TRUE
AutoUSE == TRUE
Lambdify == TRUE
ENABLEDaxioms == TRUE
LevelComparison == TRUE
Trivial == TRUE

SMTT(X) == TRUE
CVC3T(X) == TRUE
CVC4T(X) == TRUE
YicesT(X) == TRUE
veriTT(X) == TRUE
ZipperT(X) == TRUE
Z3T(X) == TRUE
SpassT(X) == TRUE
LS4T(X) == TRUE
ZenonT(X) == TRUE
IsaT(X) == TRUE
IsaM(X) == TRUE
AllProversT(X) == TRUE
AllSMTT(X) == TRUE
AllIsaT(X) == TRUE
IsaMT(X, Y) == TRUE
EnabledWrapper(Op(_)) == TRUE
CdotWrapper(Op(_)) == TRUE
==================================================================================
