// Runs the tests of what needs no editor, with the test runner of Node.js. A stand-in takes the place of the editor.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

rmSync("out/test", { recursive: true, force: true });
await build({
  entryPoints: readdirSync("test")
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/${name}`),
  alias: { vscode: "./test/support/vscode.ts" },
  outdir: "out/test",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  sourcemap: "inline",
  logLevel: "warning",
});
const done = spawnSync(
  process.execPath,
  ["--enable-source-maps", "--test", ...readdirSync("out/test").map((name) => `out/test/${name}`)],
  { stdio: "inherit" },
);
process.exit(done.status ?? 1);
