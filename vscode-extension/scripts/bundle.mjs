// Makes one file of the extension, in `out`. `--watch` makes it again after each change.
import { build, context } from "esbuild";

const options = {
  entryPoints: ["src/extension.ts"],
  outfile: "out/extension.js",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  minify: !process.argv.includes("--watch"),
  sourcemap: process.argv.includes("--watch"),
  legalComments: "linked",
  logLevel: "warning",
};

if (process.argv.includes("--watch")) {
  await (await context(options)).watch();
} else {
  await build(options);
}
