"""The exceptions of grading. Each message is one sentence for the user, without secrets."""

from rubric_core.grading.usage import NOTHING_SPENT, Usage


class GradingFailed(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """A failure that makes a result `error`. `usage` is the usage until then."""

    def __init__(self, reason: str, usage: Usage = NOTHING_SPENT) -> None:
        super().__init__(reason)
        self.reason = reason
        self.usage = usage


class ProviderFailed(GradingFailed):
    """A model or a command gave no reply: it refused, is unreachable, or exceeded time or retries."""


class JudgeFailed(GradingFailed):
    """A judge gave no valid judgement, however often it was asked."""


class PersonStopped(JudgeFailed):
    """The person who judges has stopped, which ends everything that is graded together."""

    def __init__(self) -> None:
        super().__init__("The person who judges stopped before this was judged.")


class CannotGrade(GradingFailed):
    """The user must change something first: an unknown judge, a missing key, no answer to grade."""
