// Our JSON Schema for the YAML extension, used if the server is disabled.

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

/** Register the schema with the YAML extension. It is empty while our server runs, which reports the same problems. */
export async function offerSchema(file: vscode.Uri, isEvalFile: (resource: string) => boolean): Promise<void> {
  const extension = vscode.extensions.getExtension<YamlExtension>(YAML_EXTENSION);
  const yaml = await extension?.activate();
  yaml?.registerContributor(
    SCHEMA,
    (resource) => (isDisabled() && isEvalFile(resource) ? ADDRESS : undefined),
    async () => new TextDecoder().decode(await vscode.workspace.fs.readFile(file)),
  );
}

function isDisabled(): boolean {
  return !vscode.workspace.getConfiguration("rubric").get("enable", true);
}
