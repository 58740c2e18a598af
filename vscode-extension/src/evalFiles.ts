// A cheap test whether a YAML file may be an eval file. The server decides.

const EXTENSIONS: readonly string[] = ["yaml", "yml", "jsonl"];
/** The names of eval files, as a glob. */
export const EVAL_FILE_GLOB = `**/*.{eval,EVAL}.{${EXTENSIONS.join(",")}}`;
/** The names of files that are eval files if they contain tests, as a glob. */
export const SUITE_FILE_GLOB = "**/{suite,eval,EVAL}.{yaml,yml}";

/** The languages that the editor gives to eval files. */
export const LANGUAGES: readonly string[] = ["yaml", "jsonl"];

const NAME = new RegExp(`\\.eval\\.(?:${EXTENSIONS.join("|")})$|\\bpromptfooconfig[^/\\\\]*\\.(?:ya?ml|json)$`, "i");
// Without one of these as a key or in a comment of ours, no text is an eval file.
const WORD = /\b(?:rubrics?|input_messages|expected_outcome|evalcases|tests|scenarios|assert(ions)?|criteria)["']?\s*:/;
// The list of cases in the dialect that the JSON Schema describes.
const SCHEMA_WORD = /^["']?evalcases["']?\s*:/m;

/** Return whether a file with this path or this text may be an eval file. */
export function mayBeEvalFile(path: string, text: string): boolean {
  return NAME.test(path) || WORD.test(text);
}

/** Return whether a text is written in the dialect that the JSON Schema describes. */
export function hasSchema(text: string): boolean {
  return SCHEMA_WORD.test(text);
}
