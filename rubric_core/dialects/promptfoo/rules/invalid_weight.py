"""What has the weight 0 is measured on purpose."""

from rubric_core.rules.invalid_weight import is_not_negative, weight_rule

RULE = weight_rule(is_not_negative)
