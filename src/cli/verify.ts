import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { readFile } from "../stores/files/read_file.ts";
import { parseTokens } from "../stores/files/tokens_file.ts";
import {
  type CaseResult,
  type Level,
  listCases,
  PLANTS,
  USERS,
  verify,
  type VerifyOptions,
} from "../verify/verify.ts";
import { type Command, defineCommand, print } from "./command.ts";
import { toJsonFile, toPlantsFile } from "./file_format.ts";
import { writeNewFiles } from "./new_files.ts";
import { type Options, type Settings, UsageError } from "./options.ts";
import { PROGRAM } from "./program.ts";
import { invalid } from "./serve_options.ts";
import { toTable } from "./table.ts";
import { openHandlers, type Target } from "./verify_handlers.ts";
import {
  CLASS_FORMATS,
  hasFailed,
  type Report,
  SERVER_FORMATS,
} from "./verify_report.ts";

/** The time between attempts to reach a server, in milliseconds. */
const WAIT_MS = 200;

const SECONDS = {
  value: "SECONDS",
  parse(text: string, name: string): number {
    const seconds = /^\d{1,4}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
    if (seconds > 0) return seconds;
    throw invalid(name, "a number of seconds from 0.001 to 9999", text);
  },
};

const IDS = {
  value: "ID[,...]",
  isRepeatable: true,
  parse(text: string, name: string): readonly string[] {
    const ids = text.split(/[\n,]/).filter((id) => id !== "");
    if (ids.length > 0) return ids;
    throw invalid(name, "a list of IDs", text);
  },
};

const OPTIONS = {
  "write-data": {
    value: "DIR",
    help: "Create the files that a server must serve, and send nothing",
  },
  level: {
    value: "core|http",
    help: "Stop after this level (default: http; with --handlers: core)",
    parse(level: string, name: string): Level {
      if (level === "core" || level === "http") return level;
      throw invalid(name, "core or http", level);
    },
  },
  only: { ...IDS, help: "Run only test cases whose IDs start like this" },
  skip: { ...IDS, help: "Skip test cases whose IDs start like this" },
  bail: { help: "Skip everything after the first test case that fails" },
  timeout: { ...SECONDS, default: "5", help: "Time limit for each response" },
  wait: { ...SECONDS, help: "Wait up to this long until the server responds" },
  header: {
    value: "NAME:VALUE",
    help: "Add this header to each request, such as for a gateway",
    isRepeatable: true,
    parse(text: string, name: string): Readonly<Record<string, string>> {
      const headers = text.split("\n").map((line) => {
        const [key = "", ...values] = line.split(":");
        if (!/^[\w-]+$/.test(key) || values.length === 0) {
          throw invalid(name, "NAME:VALUE", "...");
        }
        return [key, values.join(":").trim()] as const;
      });
      return Object.fromEntries(headers);
    },
  },
  tokens: {
    value: "FILE",
    help: "Send the tokens of these users, in the format of tokens.json",
  },
  format: {
    value: "text|json|junit|csv",
    default: "text",
    help: "Print the results like this; csv needs --handlers",
  },
  handlers: {
    value: "DIR",
    help: "Check the file handler.mjs in each folder of DIR, without a server",
  },
  list: { help: "List the selected test cases and send nothing" },
} satisfies Options;

/** `verify URL`: runs the contract against a server, or against handlers. */
export const verifyCommand: Command = defineCommand({
  help: "Check any implementation of the API",
  operands: ["[URL]"],
  options: OPTIONS,
  notes: `Exit status:
  0  all test cases passed
  1  some test cases failed
  2  the test cases could not run, for example because nothing listens

Example:
  ${PROGRAM} verify --write-data test-data
  # start your server with the files in test-data
  ${PROGRAM} verify http://127.0.0.1:8000 --skip expect,size`,
  async run({ settings }, address?: string) {
    const { "write-data": folder, handlers, list, format, wait = 0 } = settings;
    if (folder !== undefined) return await writeData(folder);
    const isClass = handlers !== undefined;
    const formats = isClass ? CLASS_FORMATS : SERVER_FORMATS;
    const write = formats.get(format);
    if (!write) {
      const names = [...formats.keys()].join(" or ");
      throw new UsageError(invalid("--format", names, format).message);
    }
    let reports: Report[] = [];
    let error: string | undefined;
    try {
      const options = await readSettings(settings);
      if (list) return console.log(toList(options));
      const targets = isClass
        ? await openHandlers(handlers)
        : [openServer(address)];
      for (const target of targets) {
        reports.push(await waitFor(target, options, wait));
        target.close();
      }
      if (!isClass) error = reports[0]?.error;
    } catch (thrown) {
      error = (thrown as Error).message.replace(
        /^options: (.* selects .*)/,
        `--$1; to list all IDs, run: ${PROGRAM} verify --list`,
      );
      reports = isClass ? [] : [{ target: "", total: 0, cases: [], error }];
    }
    const text = write(reports);
    if (text !== "") console.log(text);
    if (error !== undefined) {
      print(error);
      return 2;
    }
    const failed = reports.flatMap(({ cases }) => cases.filter(hasFailed));
    if (!isClass) printHints(failed);
    return failed.length > 0 || reports.some(({ error }) => error) ? 1 : 0;
  },
});

/** Returns the options that the settings determine. */
async function readSettings(
  settings: Settings<typeof OPTIONS>,
): Promise<VerifyOptions> {
  const { handlers, bail, only, skip, header, tokens } = settings;
  return {
    level: settings.level ?? (handlers === undefined ? "http" : "core"),
    timeout: settings.timeout * 1_000,
    bail,
    ...only && { only },
    ...skip && { skip },
    ...header && { headers: header },
    ...tokens !== undefined && { tokens: await readTokens(tokens) },
  };
}

/** Reads the first token of each user from a tokens file. */
async function readTokens(path: string): Promise<Record<string, string>> {
  const { tokens } = await parseTokens(path, await readFile(path));
  const pairs = Array.from(tokens, ([token, { account }]) => (
    [account.user, token] as const
  ));
  return Object.fromEntries(pairs.reverse());
}

function toList(options: VerifyOptions): string {
  const rows = listCases(options)
    .map(({ id, level, title }) => [id, level, title]);
  return toTable(rows, "");
}

/** Runs the test cases as soon as they can run. */
async function waitFor(
  target: Target,
  options: VerifyOptions,
  wait: number,
): Promise<Report> {
  const end = performance.now() + wait * 1_000;
  for (;;) {
    const report = await collect(target, options);
    const hasRun = report.error === undefined || report.cases.length > 0;
    if (hasRun || performance.now() > end) return report;
    await setTimeout(WAIT_MS);
  }
}

/** Runs the test cases, and shows progress on a terminal. */
async function collect(
  { name, implementation }: Target,
  options: VerifyOptions,
): Promise<Report> {
  const cases: CaseResult[] = [];
  const report = { target: name, cases, total: listCases(options).length };
  const show = (text: string) =>
    process.stderr.isTTY && process.stderr.write(`\r\x1b[K${text}`);
  try {
    for await (const result of verify(implementation, options)) {
      cases.push(result);
      show(`${cases.length} of ${report.total}`);
    }
    return report;
  } catch (error) {
    return { ...report, error: (error as Error).message };
  } finally {
    show("");
  }
}

function printHints(failed: readonly CaseResult[]): void {
  if (failed.some(({ id }) => id === "list.all")) {
    print(
      `the list of all plants is wrong; the server must serve the files that this command creates: ${PROGRAM} verify --write-data test-data`,
    );
  }
  if (failed.some(({ response }) => response?.status === 429)) {
    print("the server limits the number of requests; a run sends about 400");
  }
}

/** Parses the URL of a server. Messages never contain its credentials. */
function openServer(text: string | undefined): Target {
  if (text === undefined) throw new UsageError("missing argument URL");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError("URL must start with http:// or https://");
  }
  if (url.username + url.password !== "" || /[?#]/.test(text)) {
    throw new UsageError(
      "URL must not have credentials, a query, or a fragment",
    );
  }
  return { name: url.href, implementation: url, close() {} };
}

/** Writes the test data. Never replaces a file. */
async function writeData(folder: string): Promise<void> {
  const [plants, tokens] = await writeNewFiles(folder, {
    "plants.json": toPlantsFile(PLANTS),
    "tokens.json": toJsonFile(USERS),
  });
  console.log(
    `Wrote ${plants} and ${tokens}. Start your server with this data, then run: ${PROGRAM} verify http://127.0.0.1:8000`,
  );
}
