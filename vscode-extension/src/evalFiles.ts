// Which texts may be eval files, told so cheaply that it can be asked of every YAML file. The server knows for sure.

/** Eval files by their names, as a glob of the editor. */
const EXTENSIONS: readonly string[] = ["yaml", "yml", "jsonl"];
export const EVAL_FILE_GLOB = `**/*.eval.{${EXTENSIONS.join(",")}}`;

/** The languages that the editor gives to eval files. */
export const LANGUAGES: readonly string[] = ["yaml", "jsonl"];

const NAME = new RegExp(`\\.eval\\.(?:${EXTENSIONS.join("|")})$`);
// Without one of these as a key or in a comment of ours, no text is an eval file.
const WORD = /\b(?:rubrics?|input_messages|expected_outcome|evalcases)["']?\s*:/;

/** Tell whether a file of this name, or with this text, may be an eval file. */
export function mayBeEvalFile(path: string, text: string): boolean {
  return NAME.test(path) || WORD.test(text);
}
