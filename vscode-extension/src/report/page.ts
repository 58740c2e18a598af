// The report page in the colours of the editor, with a policy that forbids scripts.

import { createHash } from "node:crypto";

export type Theme = "light" | "dark";

const OWN_POLICY = /<meta http-equiv="Content-Security-Policy"[^>]*>/i;
const STYLE = /<style>([\s\S]*?)<\/style>/g;
// In a browser these follow the colours of the system; here they follow the editor.
const WANTS_DARK = /@media \(prefers-color-scheme: dark\)/g;
const EITHER = /color-scheme: light dark/g;

/** Return a page in the colours of the editor, with a content security policy that allows only its own styles. */
export function withPolicy(html: string, theme: Theme): string {
  // Only in style sheets: a graded answer may contain the same words.
  const themed = html
    .replace(OWN_POLICY, "")
    .replace(STYLE, (sheet) =>
      sheet
        .replace(WANTS_DARK, theme === "dark" ? "@media all" : "@media not all")
        .replace(EITHER, `color-scheme: ${theme}`),
    );
  const policy = `<meta http-equiv="Content-Security-Policy" content="${policyFor(themed)}">`;
  // The policy comes before everything that a page could load.
  const head = /<head[^>]*>/i.exec(themed);
  if (!head) {
    return `<!DOCTYPE html><html><head>${policy}</head><body>${themed}</body></html>`;
  }
  const end = head.index + head[0].length;
  return themed.slice(0, end) + policy + themed.slice(end);
}

/** Return a policy that allows only the present style sheets: no scripts, images, fonts or links. */
function policyFor(html: string): string {
  const styles = [...html.matchAll(STYLE)].map(
    ([, text]) =>
      `'sha256-${createHash("sha256")
        .update(text ?? "")
        .digest("base64")}'`,
  );
  return `default-src 'none'; style-src ${styles.join(" ") || "'none'"}; base-uri 'none'; form-action 'none'`;
}
