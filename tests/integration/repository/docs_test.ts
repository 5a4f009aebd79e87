import { readdir, stat } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import type { Option } from "../../../src/cli/options.ts";
import { SERVE_OPTIONS } from "../../../src/cli/serve_options.ts";
import { createService } from "../../../src/http/service.ts";
import { createMemoryStore } from "../../../mod.ts";
import { run } from "../../support/command.ts";
import {
  type Document,
  readDocument,
  readDocuments,
} from "../../support/markdown.ts";

const documents = readDocuments();
const operating = readDocument("docs/operating.md");
const embedding = readDocument("docs/embedding.md");

/** `[text](target)`, also of pictures. */
const LINK = /\]\(([^)\s]+)\)|<(https?:[^>]+)>/g;

for (const { path, prose } of documents) {
  test(`docs: every link of ${path} leads somewhere`, async () => {
    for (const [, target, address] of prose.matchAll(LINK)) {
      const link = (target ?? address)!;
      if (/^\w+:/.test(link)) {
        assertMatch(link, /^https:\/\/|^http:\/\/127\.0\.0\.1:8000\//, path);
        assert(URL.canParse(link), link);
        continue;
      }
      const [file = "", anchor] = link.split("#");
      const found = file === "" ? path : posix.join(posix.dirname(path), file);
      await stat(found);
      if (anchor === undefined) continue;
      assert(readDocument(found).anchors.has(anchor), `${path}: ${link}`);
    }
  });
}

/** A document without the spaces that align its tables. */
function narrow({ prose }: Document): string {
  return prose.replace(/ +/g, " ");
}

test("docs: the table of options is that of the command line", () => {
  const text = narrow(operating);
  const rows = text.match(/^\| `--.*$/gm) ?? [];
  assertEquals(rows.length, Object.keys(SERVE_OPTIONS).length);
  for (const [name, option] of Object.entries<Option<unknown>>(SERVE_OPTIONS)) {
    const initial = option.default === undefined
      ? "none"
      : `\`${option.default}\``;
    const value = option.value === undefined ? "" : ` ${option.value}`;
    const usage = `--${name}${value}`.replaceAll("|", "\\|");
    const variable = option.env === undefined ? "" : `\`${option.env}\` `;
    const row = `| \`${usage}\` | ${variable}| ${initial} |`;
    assert(text.includes(row), row);
  }
});

test("docs: the commands and their options are those of --help, and the reverse", async () => {
  const text = narrow(operating);
  const table = text.slice(
    text.indexOf("## Commands"),
    text.indexOf("## Files"),
  );
  const { stdout } = await run(["--help"]);
  const names = Array.from(
    stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?)(?: [A-Z[\] ]+)? {2,}\S/gm),
    ([, name]) => name!,
  ).filter((name) => name !== "help");
  assert(names.length > 5, stdout);
  const rows = Array.from(
    table.matchAll(/^\| `([a-z]+(?: [a-z]+)?)((?: [^`]*)?)` \|/gm),
    ([, name, operands]) => ({ name: name!, operands: operands! }),
  );
  assertEquals(rows.map(({ name }) => name).sort(), names.toSorted());

  const options = new Set(["help", "version"]);
  for (const { name, operands } of rows) {
    const { stdout } = await run([...name.split(" "), "--help"]);
    const [head] = stdout.split(/ \[OPTIONS\]|\n/);
    assertEquals(head, `Usage: plant-store ${name}${operands}`);
    for (const [, option] of stdout.matchAll(/^ {2}--([a-z-]+)/gm)) {
      options.add(option!);
      assertMatch(
        text,
        new RegExp(`\`--${option}[ \`]`),
        `${name} --${option}`,
      );
    }
  }
  // What follows a command of ours, or stands alone, is an option of ours.
  const OURS =
    /`(--[^`]*)`|(?:plant-store|npm start|deno task start|src\/cli\/main\.ts)(?: --)? ([^`|]*)/g;
  for (const document of documents) {
    if (!/^(?:README|docs\/operating)\.md$/.test(document.path)) continue;
    const commands = [
      document.prose,
      ...document.blocks.filter(({ language }) =>
        ["sh", "console"].includes(language)
      ).map(({ text }) => text),
    ].join("\n");
    for (const line of commands.split("\n")) {
      for (const [, alone, after] of line.matchAll(OURS)) {
        const given = (alone ?? after)!.matchAll(/(?<![\w-])--([a-z-]+)/g);
        for (const [, option] of given) {
          assert(options.has(option!), `${document.path}: --${option}`);
        }
      }
    }
  }
});

test("docs: the table of integration tests has every folder", async () => {
  const text = narrow(readDocument("CONTRIBUTING.md"));
  const rows = Array.from(
    text.slice(text.indexOf("| Folder |")).matchAll(/^\| `(\w+)` \|/gm),
    ([, name]) => name!,
  );
  assertEquals(rows, (await readdir("tests/integration")).sort());
});

test("docs: the table of imports has every module", () => {
  for (const path of Object.keys(config.exports)) {
    if (path === "./cli" || path === "./fetch") continue;
    const row = `| \`${path.replace(".", "plant-store")}\` | `;
    assert(narrow(embedding).includes(row), row);
  }
});

test("docs: the table of a handler's options has every one", () => {
  const code = readFileSync("src/http/options.ts", "utf8");
  const [, body] = /interface HandlerOptions \{([^]*?)^\}/m.exec(code)!;
  const names = Array.from(
    body!.matchAll(/^ {2}readonly (\w+)\?:/gm),
    ([, name]) => name!,
  );
  assert(names.length > 5);
  for (const name of names) {
    assert(narrow(embedding).includes(`| \`${name}\` | `), name);
  }
});

test("docs: the table of status codes has the body of every constant error", () => {
  const store = createMemoryStore({ plants: [], users: {} });
  const { responses } = createService(store);
  const bodies = Object.values(responses)
    .filter(({ status }) => status >= 400)
    .map(({ status, body }) => `| ${status} | ${body} |`);
  assert(bodies.length > 10);
  const rows = Array.from(
    narrow(readDocument("docs/http-api.md")).matchAll(
      /^\| (\d{3}) \| .* \| `+(\{"error".*\})`+ \|$/gm,
    ),
    ([, status, body]) => `| ${status} | ${body} |`,
  );
  // The messages about `limit` depend on its value.
  const constant = rows.filter((row) => !row.includes('"limit must'));
  assertEquals(constant.sort(), bodies.sort());
});
