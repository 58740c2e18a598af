// The judges that can be picked: those that the server knows for the file, and each model of the editor.

import type { Judges } from "../protocol";

/** Something to pick. `judge` is the name that the server is given, undefined for what the project says. */
export interface JudgeChoice {
  readonly label: string;
  readonly description: string;
  readonly judge: string | undefined;
  readonly model?: string;
}

export interface EditorModel {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
}

const EXPLAINED: Readonly<Record<string, string>> = {
  manual: "You judge, criterion by criterion",
  editor: "A language model of this editor",
};

/** Return what can be picked, the project's own choice first. */
export function judgeChoices(judges: Judges, models: readonly EditorModel[]): JudgeChoice[] {
  const named = judges.judges.flatMap((judge): JudgeChoice[] => {
    if (judge.kind === "editor") {
      return models.map(({ id, name, vendor }) => ({
        label: name,
        description: `${EXPLAINED["editor"]}, by ${vendor}`,
        judge: judge.name,
        model: id,
      }));
    }
    const described = EXPLAINED[judge.kind] ?? [judge.kind, judge.model].filter(Boolean).join(", ");
    return [{ label: judge.name, description: described, judge: judge.name }];
  });
  return [
    { label: "As the project says", description: judges.default, judge: undefined },
    ...named,
    { label: "Another…", description: "PROVIDER:MODEL, such as openai:gpt-4o-mini, or replay:FILE", judge: "" },
  ];
}
