// The judges to choose from: those that the server lists for the file, and each model of the editor.

import type { Judges } from "../protocol";

/** A judge to choose. `judge` is its name for the server, undefined for the default of the project. */
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

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  manual: "You judge, criterion by criterion",
  editor: "A language model of the editor",
};

/** Return the choices, the default of the project first. */
export function judgeChoices(judges: Judges, models: readonly EditorModel[]): JudgeChoice[] {
  const named = judges.judges.flatMap((judge): JudgeChoice[] => {
    if (judge.kind === "editor") {
      return models.map(({ id, name, vendor }) => ({
        label: name,
        description: `${DESCRIPTIONS["editor"]}, by ${vendor}`,
        judge: judge.name,
        model: id,
      }));
    }
    const described = DESCRIPTIONS[judge.kind] ?? [judge.kind, judge.model].filter(Boolean).join(", ");
    return [{ label: judge.name, description: described, judge: judge.name }];
  });
  return [
    { label: "Project default", description: judges.default, judge: undefined },
    ...named,
    { label: "Other…", description: "PROVIDER:MODEL, such as openai:gpt-4o-mini, or replay:FILE", judge: "" },
  ];
}
