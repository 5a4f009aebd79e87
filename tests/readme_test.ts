import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import { assert, assertEquals } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { type Option, SERVE_OPTIONS } from "../src/cli/options.ts";
import { startServer } from "./cli/command.ts";

const exec = promisify(execFile);
const readme = (await readFile("README.md", "utf8")).replaceAll("\r\n", "\n");

/** Fields that differ from run to run, or from runtime to runtime. */
const VARYING = /^(?:date|connection|keep-alive):/i;

/** The field names of a message in lower case, as they count. */
function normalize(message: string): string {
  const [head = "", body = ""] = message.trim().replaceAll("\r", "").split(
    "\n\n",
  );
  const [start = "", ...fields] = head.split("\n");
  const kept = fields.filter((field) => !VARYING.test(field));
  const lower = kept.map((field) =>
    field.replace(/^[^:]+/, (name) => name.toLowerCase())
  );
  return [start, ...lower.sort(), "", body].join("\n");
}

test("README: the curl gives what is printed below it", async (t) => {
  const [, line, output] = /```sh\n(curl .*)\n```\n+```http\n([^`]*)```/.exec(
    readme,
  )!;
  const server = await startServer(t);
  const pasted = line!.replace("http://127.0.0.1:8000/", server.url)
    .replace("curl", "curl -sS");
  const { stdout } = await exec("sh", ["-c", pasted]);
  assertEquals(normalize(stdout), normalize(output!));
});

test("README: the table of options is that of the command line", () => {
  const narrow = readme.replace(/ +/g, " ");
  for (const [name, option] of Object.entries<Option<unknown>>(SERVE_OPTIONS)) {
    const initial = option.default === undefined
      ? "none"
      : `\`${option.default}\``;
    const value = option.value === undefined ? "" : ` ${option.value}`;
    const usage = `--${name}${value}`.replaceAll("|", "\\|");
    const variable = option.env === undefined ? "" : `\`${option.env}\` `;
    const row = `| \`${usage}\` | ${variable}| ${initial} |`;
    assert(narrow.includes(row), row);
  }
});

test("README: the table of imports has every module", () => {
  const narrow = readme.replace(/ +/g, " ");
  for (const path of Object.keys(config.exports)) {
    if (path === "./cli") continue;
    const row = `| \`${path.replace(".", "plant-store")}\` | `;
    assert(narrow.includes(row), row);
  }
});

test("README: the files that it names are there", async () => {
  for (const [, file] of readme.matchAll(/\]\(([^)#:]+)\)/g)) {
    await readFile(file!);
  }
});
