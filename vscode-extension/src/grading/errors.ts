// The messages of errors.

const RESTARTED = "The server restarted during grading. Grade again.";
// Codes of the library for a reply that can no longer come: PendingResponseRejected and ConnectionInactive.
const DISCONNECTED: readonly unknown[] = [-32097, -32096];
const MISSING_VARIABLE = /\bvariable ([A-Za-z_][A-Za-z0-9_]*)\b.* is not set/;

/** Return the message of an error: that of the server, or what happened to the server. */
export function errorMessage(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error && DISCONNECTED.includes(error.code)) {
    return RESTARTED;
  }
  return error instanceof Error ? error.message : String(error);
}

/** Return the environment variable that is not set, according to a message of the server. */
export function missingVariable(message: string): string | undefined {
  return MISSING_VARIABLE.exec(message)?.[1];
}
