// What went wrong, in a sentence for the user.

const RESTARTED = "The server was restarted while it graded; grade again.";
// What the library says of an answer that cannot come any more: PendingResponseRejected and ConnectionInactive.
const GONE: readonly unknown[] = [-32097, -32096];

/** Return the sentence for an error: that of the server, or what became of the server itself. */
export function plainMessage(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error && GONE.includes(error.code)) {
    return RESTARTED;
  }
  return error instanceof Error ? error.message : String(error);
}
