// Which Python runs the server: where one may be, which of them fits, and what to say where none does.

/** A command that may be a Python, and who named it. */
export interface Candidate {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly origin: "setting" | "Python extension" | "PATH";
}

/** What a Python says of itself. `grades` tells that the extension has compiled parts for it. */
export interface Probed {
  readonly executable: string;
  readonly version: string;
  readonly fits: boolean;
  readonly grades: boolean;
  readonly platform: string;
  readonly implementation: string;
}

/** A candidate with what came of asking it; without `probed`, it is no Python that we can use. */
export interface Finding {
  readonly candidate: Candidate;
  readonly probed?: Probed;
}

export const OLDEST = "3.10";

/** Return where to look for a Python, the best place first. What the user sets is not second-guessed. */
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

/** Read what a Python printed about itself; whatever else a program of that name prints is no Python. */
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

/** Return the first Python that can do everything, else the first that can check files. */
export function best(findings: readonly Finding[]): Finding | undefined {
  const fitting = findings.filter((finding) => finding.probed?.fits);
  return fitting.find((finding) => finding.probed?.grades) ?? fitting[0];
}

/** Say in one sentence why there is no Python to run the server with. */
export function explainMissing(findings: readonly Finding[]): string {
  const needed = `Rubric needs Python ${OLDEST} or newer to check eval files`;
  const setting = findings.find((finding) => finding.candidate.origin === "setting");
  if (setting) {
    const is = setting.probed ? `is ${setting.probed.version}` : "cannot be run";
    return `${needed}, but the one in the setting \`rubric.interpreter\`, ${setting.candidate.command}, ${is}.`;
  }
  const older = findings.flatMap(({ candidate, probed }) =>
    probed ? [`${candidate.command} is ${probed.version}`] : [],
  );
  return `${needed}, and found ${older.length > 0 ? `only older ones: ${older.join(", ")}` : "none"}.`;
}

/** Say in one sentence what a Python without compiled parts of ours cannot do. */
export function explainUngraded(probed: Probed): string {
  return (
    `Rubric checks eval files with ${probed.implementation} ${probed.version} on ${probed.platform}, but cannot grade with it: ` +
    "this extension has no compiled parts for it. Choose a CPython 3.10 to 3.14, or install rubric-lsp " +
    "for this one and set `rubric.importStrategy` to `fromEnvironment`."
  );
}
