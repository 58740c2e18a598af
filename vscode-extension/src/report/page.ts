// The report page as it may stand in the editor: nothing in it can act, whatever an answer or a criterion holds.

/** What a page may do: show its own styles. No script, no picture, no font, no address to go to. */
export const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Return a page with our policy in front of its own. Where there are two, both hold, so ours only makes it stricter. */
export function guarded(html: string): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  // In front of everything that a page could load, so that nothing goes before the policy.
  const head = /<head[^>]*>/i.exec(html);
  if (!head) {
    return `<!DOCTYPE html><html><head>${policy}</head><body>${html}</body></html>`;
  }
  const end = head.index + head[0].length;
  return html.slice(0, end) + policy + html.slice(end);
}
