import * as vscode from "vscode";
import { Server } from "./server/server";
let server: Server | undefined;
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Rubric", { log: true });
  server = new Server(context.extensionPath, log);
  context.subscriptions.push(log, server);
  void server.ready();
}
export async function deactivate(): Promise<void> {
  await server?.stop();
}
