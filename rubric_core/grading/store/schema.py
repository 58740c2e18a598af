"""The tables of the store: each entry of `MIGRATIONS` holds the statements that lead to the next version."""

_JUDGEMENTS_RUNS_AND_RESULTS = (
    """
    CREATE TABLE judgements (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        key TEXT,
        kind TEXT NOT NULL,
        file TEXT NOT NULL,
        case_id TEXT NOT NULL,
        evaluator TEXT NOT NULL,
        judge_name TEXT NOT NULL,
        judge_kind TEXT NOT NULL,
        judge_model TEXT,
        prompt_hash TEXT NOT NULL,
        answer_hash TEXT NOT NULL,
        text TEXT NOT NULL,
        sample INTEGER NOT NULL
    )
    """,
    "CREATE INDEX judgements_by_key ON judgements (key) WHERE key IS NOT NULL",
    """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        command TEXT NOT NULL,
        judge_name TEXT,
        judge_kind TEXT,
        judge_model TEXT,
        total INTEGER NOT NULL,
        began TEXT NOT NULL,
        ended TEXT,
        finished INTEGER NOT NULL DEFAULT 0
    )
    """,
    """
    CREATE TABLE results (
        number INTEGER PRIMARY KEY,
        run INTEGER NOT NULL REFERENCES runs (id),
        place INTEGER NOT NULL,
        file TEXT NOT NULL,
        case_id TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        has_error INTEGER NOT NULL,
        result TEXT NOT NULL,
        UNIQUE (run, place)
    )
    """,
    "CREATE INDEX results_by_fingerprint ON results (fingerprint) WHERE NOT has_error",
)

_ENTER_RESULTS = """
    INSERT OR IGNORE INTO evaluations
    SELECT
        json_extract(result, '$.scorecard.skill'),
        json_extract(result, '$.scorecard.evaluation_id'),
        run,
        place,
        json_extract(result, '$.timestamp'),
        file,
        case_id,
        json_extract(result, '$.scorecard.judge.name'),
        json_extract(result, '$.scorecard.judge.kind'),
        json_extract(result, '$.scorecard.judge.model'),
        (
            SELECT json_group_object(key, json_extract(value, '$.score'))
            FROM json_each(result, '$.scorecard.dimensions')
        ),
        printf('%.2f', json_extract(result, '$.scorecard.composite')),
        printf('%.2f', json_extract(result, '$.scorecard.final_score')),
        json_extract(result, '$.scorecard.grade')
    FROM results
    WHERE CASE WHEN json_valid(result) THEN
        json_extract(result, '$.scorecard.grade') IS NOT NULL
        AND json_extract(result, '$.scorecard.evaluation_id') IS NOT NULL
        AND NOT json_extract(result, '$.partial')
        AND {}
    END
    ORDER BY run, place
"""

_EVALUATIONS = (
    """
    CREATE TABLE evaluations (
        skill TEXT NOT NULL,
        id TEXT NOT NULL,
        run INTEGER NOT NULL REFERENCES runs (id),
        place INTEGER NOT NULL,
        timestamp TEXT NOT NULL,
        file TEXT NOT NULL,
        case_id TEXT NOT NULL,
        judge_name TEXT,
        judge_kind TEXT,
        judge_model TEXT,
        dimensions TEXT NOT NULL,
        composite TEXT NOT NULL,
        final_score TEXT NOT NULL,
        grade TEXT NOT NULL,
        PRIMARY KEY (skill, id)
    )
    """,
    "CREATE INDEX evaluations_in_order ON evaluations (skill, run, place)",
    # History starts with what was graded before there was a table of it; the first grading of each counts.
    _ENTER_RESULTS.format("TRUE"),
)

# Before this version the id of a case stood for a missing skill, and cases of different files shared their history.
# A case whose file names a skill that is equal to its id keeps it.
_SKILLS_BY_FILE = (
    """
    UPDATE results
    SET result = json_replace(
        result,
        '$.scorecard.skill', file || ':' || case_id,
        '$.scorecard.history.skill', file || ':' || case_id
    )
    WHERE file <> '' AND CASE
        WHEN NOT json_valid(result) THEN FALSE
        WHEN json_extract(result, '$.scorecard.skill') = case_id THEN NOT names_skill(file, case_id)
    END
    """,
    """
    UPDATE OR IGNORE evaluations SET skill = file || ':' || case_id
    WHERE file <> '' AND CASE WHEN skill = case_id THEN NOT names_skill(file, case_id) END
    """,
    # One judgement of equal cases in two files was one evaluation, and is one of each now.
    _ENTER_RESULTS.format("json_extract(result, '$.scorecard.skill') = file || ':' || case_id"),
)

MIGRATIONS = (_JUDGEMENTS_RUNS_AND_RESULTS, _EVALUATIONS, _SKILLS_BY_FILE)
"""The statements of each version from 1 on. They never change once they were released."""
