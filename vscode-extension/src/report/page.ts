// The report page as it stands in the editor: in the editor's colours, and nothing in it can act.

import { createHash } from "node:crypto";

export type Theme = "light" | "dark";

const OWN_POLICY = /<meta http-equiv="Content-Security-Policy"[^>]*>/i;
const STYLE = /<style>([\s\S]*?)<\/style>/g;
// A browser answers these by the system's colours; a page in the editor has to follow the editor's.
const WANTS_DARK = /@media \(prefers-color-scheme: dark\)/g;
const EITHER = /color-scheme: light dark/g;

/** Return a page in the editor's colours, under a policy by which only its own style sheets can act. */
export function guarded(html: string, theme: Theme): string {
  // Only style sheets: an answer that was graded may speak of colours too.
  const themed = html
    .replace(OWN_POLICY, "")
    .replace(STYLE, (sheet) =>
      sheet
        .replace(WANTS_DARK, theme === "dark" ? "@media all" : "@media not all")
        .replace(EITHER, `color-scheme: ${theme}`),
    );
  const policy = `<meta http-equiv="Content-Security-Policy" content="${policyFor(themed)}">`;
  // In front of everything that a page could load, so that nothing goes before the policy.
  const head = /<head[^>]*>/i.exec(themed);
  if (!head) {
    return `<!DOCTYPE html><html><head>${policy}</head><body>${themed}</body></html>`;
  }
  const end = head.index + head[0].length;
  return themed.slice(0, end) + policy + themed.slice(end);
}

/** Return what a page may do: show the style sheets that it has now. No script, no picture, no font, no address. */
function policyFor(html: string): string {
  const styles = [...html.matchAll(STYLE)].map(
    ([, text]) =>
      `'sha256-${createHash("sha256")
        .update(text ?? "")
        .digest("base64")}'`,
  );
  return `default-src 'none'; style-src ${styles.join(" ") || "'none'"}; base-uri 'none'; form-action 'none'`;
}
