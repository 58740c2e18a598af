// Chooses the Python that runs the server, and explains why none can be used.

/** A command that may be a Python, and its origin. */
export interface Candidate {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly origin: "setting" | "Python extension" | "PATH";
}

/** The properties of a Python. `grades` is true if the extension has compiled packages for it. */
export interface Probed {
  readonly executable: string;
  readonly version: string;
  readonly fits: boolean;
  readonly grades: boolean;
  readonly platform: string;
  readonly implementation: string;
}

/** A candidate with its properties; without `probed` it cannot be run. */
export interface Finding {
  readonly candidate: Candidate;
  readonly probed?: Probed;
}

export const MIN_VERSION = "3.10";

/** Return the commands to try, the best one first. A setting of the user is the only candidate. */
export function candidates(setting: string, chosen: string | undefined, platform: NodeJS.Platform): Candidate[] {
  if (setting) {
    return [{ command: setting, arguments: [], origin: "setting" }];
  }
  const found: Candidate[] = chosen ? [{ command: chosen, arguments: [], origin: "Python extension" }] : [];
  found.push(
    { command: "python3", arguments: [], origin: "PATH" },
    { command: "python", arguments: [], origin: "PATH" },
  );
  if (platform === "win32") {
    found.push({ command: "py", arguments: ["-3"], origin: "PATH" });
  }
  return found;
}

/** Parse the output of the probe; undefined if it is not from our script. */
export function readProbe(output: string): Probed | undefined {
  try {
    const value: unknown = JSON.parse(output);
    return typeof value === "object" && value !== null && "fits" in value && "executable" in value
      ? (value as Probed)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Return the first Python that can grade, else the first that can check files. */
export function best(findings: readonly Finding[]): Finding | undefined {
  const fitting = findings.filter((finding) => finding.probed?.fits);
  return fitting.find((finding) => finding.probed?.grades) ?? fitting[0];
}

/** Return the reason why no Python can run the server. */
export function explainMissing(findings: readonly Finding[]): string {
  const needed = `Rubric needs Python ${MIN_VERSION} or newer to check eval files`;
  const setting = findings.find((finding) => finding.candidate.origin === "setting");
  if (setting) {
    const is = setting.probed ? `is ${setting.probed.version}` : "cannot be run";
    return `${needed}, but ${setting.candidate.command} of the setting \`rubric.interpreter\` ${is}.`;
  }
  const older = findings.flatMap(({ candidate, probed }) =>
    probed ? [`${candidate.command} is ${probed.version}`] : [],
  );
  return `${needed}. Found ${older.length > 0 ? `only older versions: ${older.join(", ")}` : "none"}.`;
}

/** Return the reason why a Python cannot grade. */
export function explainNoGrading(probed: Probed): string {
  return (
    `Rubric checks eval files with ${probed.implementation} ${probed.version} on ${probed.platform}, but cannot grade with it: ` +
    "the extension has no compiled packages for it. Choose CPython 3.10 to 3.14, or install rubric-lsp " +
    "for it and set `rubric.importStrategy` to `fromEnvironment`."
  );
}
