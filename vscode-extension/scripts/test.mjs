// Runs the tests of what needs no editor, with the test runner of Node.js.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

rmSync("out/test", { recursive: true, force: true });
await build({
  entryPoints: readdirSync("test").map((name) => `test/${name}`),
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
