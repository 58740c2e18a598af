// Which variable the server misses, as its message names it.

const SENTENCE = /\bvariable ([A-Za-z_][A-Za-z0-9_]*)\b.* is not set/;

/** Return the variable that a message says is not set; undefined where it says nothing of the kind. */
export function missingVariable(message: string): string | undefined {
  return SENTENCE.exec(message)?.[1];
}
