"""The rules of ops: what is padding in their results."""

from __future__ import annotations

from ttmlir._padding import element_rules, product_rules, region_rules, shape_rules
from ttmlir._padding.analysis import Rule, Step
from ttmlir._padding.rule_table import RULES, apart

__all__ = ["rule_of"]

#: They enter their rules in the table.
_MODULES = (element_rules, product_rules, region_rules, shape_rules)


def rule_of(step: Step) -> Rule:
    """Returns the rule of an op."""
    return RULES.get(step.name, apart)
