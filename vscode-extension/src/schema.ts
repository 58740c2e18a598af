// Our JSON Schema for people who turn the server off and stay on a generic YAML extension.

import * as vscode from "vscode";

const YAML_EXTENSION = "redhat.vscode-yaml";
const SCHEMA = "rubric-schema";
const ADDRESS = `${SCHEMA}://schema/eval-file`;

/** The part of the YAML extension's interface that is used here. */
interface YamlExtension {
  registerContributor(
    schema: string,
    requestSchema: (resource: string) => string | undefined,
    requestSchemaContent: (uri: string) => string | Promise<string>,
  ): boolean;
}

/** Offer the schema to the YAML extension where our server is off; with both, everything would be said twice. */
export async function offerSchema(file: vscode.Uri, isEvalFile: (resource: string) => boolean): Promise<void> {
  const extension = vscode.extensions.getExtension<YamlExtension>(YAML_EXTENSION);
  const yaml = await extension?.activate();
  yaml?.registerContributor(
    SCHEMA,
    (resource) => (isOff() && isEvalFile(resource) ? ADDRESS : undefined),
    async () => new TextDecoder().decode(await vscode.workspace.fs.readFile(file)),
  );
}

function isOff(): boolean {
  return !vscode.workspace.getConfiguration("rubric").get("enable", true);
}
