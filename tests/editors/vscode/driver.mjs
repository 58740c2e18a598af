// Drives a browser for the tests: takes one request a line on standard input, answers each with one line.
//
// A request is a chain of calls on the page, [[name, arguments], ...]; its answer is the value of the last one, or the
// message of what went wrong. A name that is no function is a part of what came before it, such as `keyboard`.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [host, profile] = process.argv.slice(2);
const { chromium } = createRequire(`${host}/package.json`)("playwright-core");

const context = await chromium.launchPersistentContext(profile, {
  executablePath: "/usr/bin/chromium",
  headless: true,
  viewport: { width: 1280, height: 800 },
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
const page = context.pages()[0] ?? (await context.newPage());
page.setDefaultTimeout(120_000);
await context.grantPermissions(["clipboard-read", "clipboard-write"]);

// What the page says goes to standard error, for whoever looks into a failure.
page.on("console", (message) => process.stderr.write(`${message.type()}: ${message.text()}\n`));
page.on("dialog", (dialog) => dialog.accept());

/** What the extension host says of its tests, and the status with which it ended. */
const automation = { log: [], status: null };
await context.exposeFunction("codeAutomationLog", (type, words) => automation.log.push([type, ...words].join(" ")));
await context.exposeFunction("codeAutomationExit", (status) => (automation.status = status));

async function run(chain) {
  let value = page;
  for (const [name, parameters] of chain) {
    const part = name === "automation" ? automation : value[name];
    // What runs in the page comes as the text of a function.
    const given = name === "evaluate" ? [(0, eval)(parameters[0]), ...parameters.slice(1)] : parameters;
    value = await (typeof part === "function" ? part.apply(value, given) : part);
  }
  return value;
}

function plain(value) {
  return value === undefined || typeof value === "function" || value === page ? null : value;
}

const lines = createInterface({ input: process.stdin });
// Whoever asks may be gone while something is waited for.
lines.once("close", () => context.close().finally(() => process.exit()));

for await (const line of lines) {
  const { id, chain } = JSON.parse(line);
  let answer;
  try {
    const value = plain(await run(chain));
    answer = { id, value: value?.constructor === Object || typeof value !== "object" || Array.isArray(value) ? value : null };
  } catch (error) {
    answer = { id, error: error.message };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
