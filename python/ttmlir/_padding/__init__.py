"""Programs that compute padded inputs: which elements of each value are padding, and selects that
keep them out of the others.

A program is lowered for two values of its extents. Where the shapes of a value differ, it has
padding in the larger program. Rules follow it from op to op: elementwise ops, products and changes
of shape keep it apart; before reductions along it, it is replaced by the neutral element; all other
ops that would mix it with the rest are refused.
"""
