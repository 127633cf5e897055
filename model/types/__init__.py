"""Type inference over the resolved tree: what values each variable and expression can hold.

`infer.infer_types(model)` is an abstract interpretation: types are sets of values with bounds (`domain`), operators map
types to types (`operators`), Init and Next are iterated to a fixed point (`infer`), and membership conjuncts of
TypeOK-like invariants and `@type` annotations narrow what the iteration leaves wide (`hints`, `annotation`).
A type never rejects a model: values of different kinds are a `Union`. The bounds that come from invariants are claims,
not facts; a back end that relies on them checks them at run time.
"""
