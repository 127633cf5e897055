---------------------------------- MODULE Option ---------------------------------
(* Apalache's optional values. *)
EXTENDS Apalache, Variants

Some(v) == Variant("Some", v)
None == Variant("None", UNIT)

IsSome(o) == VariantTag(o) = "Some"
IsNone(o) == VariantTag(o) = "None"

OptionCase(o, caseSome(_), caseNone(_)) ==
    IF IsSome(o) THEN caseSome(VariantGetUnsafe("Some", o)) ELSE caseNone(UNIT)
OptionMap(f(_), o) == IF IsSome(o) THEN Some(f(VariantGetUnsafe("Some", o))) ELSE None
OptionFlatMap(f(_), o) == IF IsSome(o) THEN f(VariantGetUnsafe("Some", o)) ELSE None
OptionGetOrElse(o, default) == VariantGetOrElse("Some", o, default)
OptionToSeq(o) == IF IsSome(o) THEN <<VariantGetUnsafe("Some", o)>> ELSE <<>>
OptionToSet(o) == IF IsSome(o) THEN {VariantGetUnsafe("Some", o)} ELSE {}
OptionGuess(S) == IF S = {} THEN None ELSE Some(Guess(S))
OptionFunApp(f, o) == IF IsSome(o) THEN Some(f[VariantGetUnsafe("Some", o)]) ELSE None
OptionPartialFun(f, undefined) ==
    [x \in DOMAIN f \cup undefined |-> IF x \in undefined THEN None ELSE Some(f[x])]
==================================================================================
