// Stands in for the Python extension, with the part of its interface by which others learn what was chosen. Writing
// another path into the file `chosen-python` of the workspace is choosing another environment.
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const changed = new vscode.EventEmitter();

const chosenIn = (folder) => path.join(folder.fsPath, "chosen-python");

// One choice may be told more than once.
const tell = () => {
  changed.fire({});
  changed.fire({});
};

const environments = {
  getActiveEnvironmentPath: (folder) => ({ id: "chosen", path: chosenIn(folder) }),
  resolveEnvironment: async (environment) => ({
    executable: { uri: vscode.Uri.file(fs.readFileSync(environment.path, "utf8").trim()) },
  }),
  onDidChangeActiveEnvironmentPath: changed.event,
};

exports.activate = () => {
  fs.watchFile(chosenIn(vscode.workspace.workspaceFolders[0].uri), { interval: 100 }, tell);
  return { environments };
};
