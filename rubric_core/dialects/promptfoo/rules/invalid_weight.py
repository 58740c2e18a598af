"""What has the weight 0 is measured on purpose."""

from rubric_core.rules.invalid_weight import is_positive, weight_rule

RULE = weight_rule(lambda weight: weight == 0 or is_positive(weight))
