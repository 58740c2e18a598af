// What of the talk with the server may be written to the log.

import { SECRETS } from "../protocol";

/** A message in the form that is written for tools: an answer does not tell there which request it belongs to. */
export interface TracedObject {
  readonly type?: string;
  readonly message?: { readonly id?: unknown; readonly method?: string };
}

/** Return the data of a message as far as it may be written: nothing of a message about secrets. */
export function writable(message: string, data: unknown): unknown {
  return message.includes(`'${SECRETS} - `) ? undefined : data;
}

/** Say which message an object stands for. Its content is left out, as it may be an answer with secrets. */
export function nameOf({ type, message }: TracedObject): string {
  return [type ?? "message", message?.method].filter(Boolean).join(" ");
}
