"""The names of the commands, which an editor sends back to run them."""

FIX_ALL = "rubric.fixAll"
APPLY_ACTION = "rubric.applyAction"
GRADE_CASE = "rubric.gradeCase"
GRADE_CRITERION = "rubric.gradeCriterion"
GRADE_FILE = "rubric.gradeFile"
GENERATE_RUBRICS = "rubric.generateRubrics"
PREVIEW_PROMPT = "rubric.previewPrompt"
SHOW_REPORT = "rubric.showReport"
COMPARE = "rubric.compare"
LIST_JUDGES = "rubric.listJudges"
LIST_FILES = "rubric.listFiles"
LIST_TESTS = "rubric.listTests"

CHANGING_COMMANDS = (FIX_ALL, APPLY_ACTION, GENERATE_RUBRICS)
"""The commands that change a file."""

GRADING_COMMANDS = (
    GRADE_CASE,
    GRADE_CRITERION,
    GRADE_FILE,
    PREVIEW_PROMPT,
    SHOW_REPORT,
    COMPARE,
    LIST_JUDGES,
    LIST_FILES,
    LIST_TESTS,
)
"""The commands about grading that change no file."""
