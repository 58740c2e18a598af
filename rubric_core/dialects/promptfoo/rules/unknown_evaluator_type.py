"""A set of assertions may not be in another one."""

from rubric_core.rules.rule import Context, Problems, Subject
from rubric_core.rules.unknown_evaluator_type import RULE as UNKNOWN_TYPE
from rubric_core.schema.fields import Role
from rubric_core.views.evaluators import EvaluatorsView


def check_members(evaluators: EvaluatorsView, _context: Context) -> Problems:
    for member in evaluators.evaluators if evaluators.composite is not None else ():
        if member.type_pair is not None and member.record.by_role[Role.EVALUATORS]:
            message = f"`{member.kind}` cannot be nested in another one, so the file cannot be loaded; move it out."
            yield UNKNOWN_TYPE.at(member.type_pair.value, message)


RULE = UNKNOWN_TYPE._replace(also=((Subject.EVALUATORS, check_members),))
