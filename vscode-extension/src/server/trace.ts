// Keeps secrets out of the log of messages.

import { SECRETS } from "../protocol";

/** A message in the trace format for tools, where a response does not name its request. */
export interface TracedObject {
  readonly type?: string;
  readonly message?: { readonly id?: unknown; readonly method?: string };
}

/** Return the data of a message, or undefined for a message about secrets. */
export function loggable(message: string, data: unknown): unknown {
  return message.includes(`'${SECRETS} - `) ? undefined : data;
}

/** Return the type and the method of a message. Its content may be a response with secrets. */
export function nameOf({ type, message }: TracedObject): string {
  return [type ?? "message", message?.method].filter(Boolean).join(" ");
}
