// A cheap test whether a YAML file may be an eval file. The server decides.

const EXTENSIONS: readonly string[] = ["yaml", "yml", "jsonl"];
/** The names of eval files, as a glob. */
export const EVAL_FILE_GLOB = `**/*.eval.{${EXTENSIONS.join(",")}}`;

/** The languages that the editor gives to eval files. */
export const LANGUAGES: readonly string[] = ["yaml", "jsonl"];

const NAME = new RegExp(`\\.eval\\.(?:${EXTENSIONS.join("|")})$`);
// Without one of these as a key or in a comment of ours, no text is an eval file.
const WORD = /\b(?:rubrics?|input_messages|expected_outcome|evalcases)["']?\s*:/;

/** Return whether a file with this path or this text may be an eval file. */
export function mayBeEvalFile(path: string, text: string): boolean {
  return NAME.test(path) || WORD.test(text);
}
