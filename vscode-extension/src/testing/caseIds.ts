// The ids of cases, as the outline of a file tells them.

const NUMBERED = /^case \d+$/;
const CUT = "…";

/** Return the id of a case; undefined where it has none. `written` is the text at the place of the id. */
export function ownId(name: string, written: string): string | undefined {
  const bare = written.replace(/^(["'])(.*)\1$/s, "$2");
  if (NUMBERED.test(name) && bare !== name) {
    // The outline calls a case without an id by its number, which is no name that the server takes.
    return undefined;
  }
  return name.endsWith(CUT) ? bare : name;
}
