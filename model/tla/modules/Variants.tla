--------------------------------- MODULE Variants --------------------------------
(* Apalache's tagged values: functions with the tag as their only argument. *)
UNIT == "U_OF_UNIT"

Variant(tag, value) == [t \in {tag} |-> value]
VariantTag(v) == CHOOSE t \in DOMAIN v : TRUE
VariantFilter(tag, S) == {v[tag] : v \in {w \in S : tag \in DOMAIN w}}
VariantGetUnsafe(tag, v) == v[tag]
VariantGetOrElse(tag, v, default) == IF tag \in DOMAIN v THEN v[tag] ELSE default
==================================================================================
