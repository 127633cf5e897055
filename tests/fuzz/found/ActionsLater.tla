---- MODULE ActionsLater ----
EXTENDS Integers, Sequences, FiniteSets, Bags, TLC
CONSTANTS zet_, hot_
VARIABLES zar_, H
lock_ == {"P", "qot_", "p10", "qet_"}
wit_ == (0..2)
qer_ == {hot_, 0, 2}
RECURSIVE G(_, _)
G(wim_, zul_) == (IF wim_ <= 0 \/ 3 < wim_ THEN zul_ ELSE (<<wim_, zul_>>[2]))
yer_(wim_) == (LET zul_[p10 \in 0..2] == IF p10 = 0 THEN <<<<0>>>> ELSE (IF (IF TRUE THEN zul_[p10 - 1] ELSE zul_[p10 - 1]) = <<>> THEN <<>> ELSE Tail((IF TRUE THEN zul_[p10 - 1] ELSE zul_[p10 - 1]))) IN zul_[0])
kol_ == [P : BOOLEAN]
o == (
     /\ (zar_ = [P |-> 2, qot_ |-> hot_])
     /\ (H = (IF [P |-> (zar_ = [P |-> 0, qot_ |-> 0])] \in kol_ THEN [P |-> (zar_ = [P |-> 0, qot_ |-> 0])] ELSE CHOOSE wim_ \in kol_ : TRUE)))
Z == (
     /\ (LET wim_ == (IF (-0) \in DOMAIN [wim_ \in wit_ |-> [P |-> 2, qot_ |-> 2]] THEN [wim_ \in wit_ |-> [P |-> 2, qot_ |-> 2]][(-0)] ELSE zar_) IN wim_ \in [P : qer_, qot_ : qer_] /\ zar_' = wim_)
     /\ (H' = [wim_ \in kol_ |-> IF [P |-> (IF BOOLEAN = {} THEN TRUE ELSE CHOOSE zul_ \in BOOLEAN : TRUE)] \in kol_ THEN [P |-> (IF BOOLEAN = {} THEN TRUE ELSE CHOOSE zul_ \in BOOLEAN : TRUE)] ELSE wim_][H]))
Q == (
     /\ (~(SetToBag({2}) # SetToBag({hot_})))
     /\ (H' = (IF [P |-> (\E wim_ \in zet_ : (H # [P |-> TRUE]))] \in kol_ THEN [P |-> (\E wim_ \in zet_ : (H # [P |-> TRUE]))] ELSE H))
     /\ (zar_ \in [P : qer_, qot_ : qer_] /\ zar_' = zar_))
yil_ == (
     /\ (IF (BagToSet(SetToBag({"qet_"})) \in {lock_ : <<wim_, zul_>> \in {<<[P |-> TRUE], [P |-> 2, qot_ |-> hot_]>>}}) THEN (LET wim_ == [P |-> (CHOOSE wim_ \in qer_ : wim_ # 2), qot_ |-> (IF 1 \in DOMAIN <<2>> THEN <<2>>[1] ELSE hot_)] IN wim_ \in [P : qer_, qot_ : qer_] /\ zar_' = wim_) ELSE ((LET wim_(zul_) == [qot_ |-> hot_, P |-> 0] IN wim_(2)) \in [P : qer_, qot_ : qer_] /\ zar_' = (LET wim_(zul_) == [qot_ |-> hot_, P |-> 0] IN wim_(2))))
     /\ (H' \in kol_))
x1 == (
     \/ Z
     \/ Q
     \/ yil_
     \/ (
        /\ ([wim_ \in ({(zar_ # [P |-> hot_, qot_ |-> 0]), (H # [P |-> TRUE])} \cup {(SetToBag({hot_}) \sqsubseteq SetToBag({hot_}))}) |-> wim_][(SetToBag({hot_}) \sqsubseteq SetToBag({hot_}))])
        /\ (H' = CHOOSE wim_ \in kol_ : wim_ # H)
        /\ (zar_' \in {wim_ \in [P : qer_, qot_ : qer_] : (~((wim_ = [qot_ |-> 2, P |-> hot_]) <=> (H' # [P |-> TRUE])))}))
  )
n9 == ((\A wim_ \in [P : BOOLEAN] : [zul_ \in [P : BOOLEAN] |-> zul_][wim_] = wim_) /\ zar_ = zar_)
hel_ == ((\A wim_ \in zet_ : [zul_ \in zet_ |-> zul_][wim_] = wim_) /\ zar_ = zar_)
P == <<zar_, H>>
wom_ == o /\ [][x1]_P
====
