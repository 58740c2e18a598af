"""Names and what refers to them: ids of cases and criteria, evaluators, scorecards, targets, anchors."""
