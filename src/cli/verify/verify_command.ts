import { readFile } from "../../stores/files/read_file.ts";
import { parseTokens } from "../../stores/files/tokens_file.ts";
import {
  type Level,
  listCases,
  PLANTS,
  USERS,
  type VerifyOptions,
} from "../../verify/verify.ts";
import { type Command, defineCommand } from "../command.ts";
import { toJsonFile, toPlantsFile, writeNewFiles } from "../new_files.ts";
import { flushOutput, print, toTable } from "../output.ts";
import {
  invalid,
  type Options,
  parseSeconds,
  type Settings,
  UsageError,
} from "../parse_options.ts";
import { PROGRAM } from "../program.ts";
import { FORMATS, type Report } from "./report.ts";
import { verifyServer } from "./run.ts";

const IDS = {
  value: "ID[,...]",
  isRepeatable: true,
  parse(text: string, name: string): readonly string[] {
    const ids = text.split(/[\n,]/).filter((id) => id !== "");
    if (ids.length > 0) return ids;
    throw invalid(name, "a list of IDs", text);
  },
};

/** The option `--timeout`, also of `grade`. */
export const TIMEOUT = {
  value: "SECONDS",
  default: "5",
  help: "Time limit for each response",
  parse(text: string, name: string): number {
    const timeout = parseSeconds(text, name);
    if (timeout > 0) return timeout;
    throw invalid(name, "a number of seconds above 0", text);
  },
};

const OPTIONS = {
  "write-data": { value: "DIR", help: "Write the test data to DIR and exit" },
  level: {
    value: "core|http",
    default: "http",
    help: "Run the test cases up to this level",
    parse(level: string, name: string): Level {
      if (level === "core" || level === "http") return level;
      throw invalid(name, "core or http", level);
    },
  },
  only: { ...IDS, help: "Run only test cases whose IDs start with ID" },
  skip: { ...IDS, help: "Skip test cases whose IDs start with ID" },
  bail: { help: "Stop after the first failure" },
  timeout: TIMEOUT,
  wait: {
    value: "SECONDS",
    help: "Wait up to SECONDS for the server to start",
    parse: parseSeconds,
  },
  header: {
    value: "NAME:VALUE",
    help: "Add a header to each request, for example, one that a gateway needs",
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
    help:
      "Send the tokens in FILE to a server instead of those in the test data",
  },
  format: {
    value: "text|json|junit",
    default: "text",
    help: "Output format",
    parse(format: string, name: string): (report: Report) => string {
      const write = FORMATS.get(format);
      if (write) return write;
      throw invalid(name, "text, json, or junit", format);
    },
  },
  list: { help: "List the selected test cases and exit" },
} satisfies Options;

/** `verify URL`: runs the test cases against a server. */
export const verifyCommand: Command = defineCommand({
  help: "Check any implementation of the API",
  positional: "[URL]",
  options: OPTIONS,
  notes: `Exit status:
  0  all test cases passed
  1  some test cases failed
  2  the test cases could not run, for example because the server is not running

Example:
  ${PROGRAM} verify --write-data test-data
  # start your server with the files in test-data
  ${PROGRAM} verify http://127.0.0.1:8000 --skip host,coding`,
  async run({ settings }, address) {
    const { "write-data": folder, list, format, wait = 0 } = settings;
    if (folder !== undefined) return await writeData(folder);
    const options = await readSettings(settings);
    if (list) {
      const rows = listCases(options)
        .map(({ id, level, title }) => [id, level, title]);
      return console.log(toTable(rows, ""));
    }
    const report = await verifyServer(parseUrl(address), options, wait);
    const text = format(report);
    if (text) {
      console.log(text);
      await flushOutput(); // before messages on standard error
    }
    if (report.error !== undefined) throw new UsageError(report.error);
    if (report.cases.some(({ response }) => response?.status === 429)) {
      print("the server returned 429; a run sends about 250 requests");
    }
    return report.failed > 0 ? 1 : 0;
  },
});

/**
 * Returns the options that the settings determine.
 *
 * @throws {UsageError} If an ID is unknown, or the tokens cannot be read.
 */
async function readSettings(
  settings: Settings<typeof OPTIONS>,
): Promise<VerifyOptions> {
  const { level, timeout, bail, only, skip, header, tokens } = settings;
  const options = {
    ...{ level, timeout, bail },
    ...only && { only },
    ...skip && { skip },
    ...header && { headers: header },
    ...tokens !== undefined && { tokens: await readTokens(tokens) },
  };
  try {
    listCases(options);
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(
      `${message}; to list all IDs, run: ${PROGRAM} verify --list`,
    );
  }
  return options;
}

/** Reads the first token of each user from a tokens file. */
async function readTokens(path: string): Promise<Record<string, string>> {
  const { tokens } = await readFile(path)
    .then((bytes) => parseTokens(path, bytes))
    .catch(({ message }: Error) => {
      throw new UsageError(message);
    });
  const pairs = Array.from(tokens, ([token, { name }]) => [name, token]);
  const first = Object.fromEntries(pairs.reverse());
  if (first["all"] !== undefined) return first;
  throw new UsageError(`${path}: the user "all" has no plain token`);
}

/** Parses the URL of a server. Messages never contain its credentials. */
function parseUrl(text: string | undefined): URL {
  if (text === undefined) {
    throw new UsageError("missing argument URL; for help, add --help");
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError("URL must start with http:// or https://");
  }
  if (url.username + url.password !== "" || /[?#]/.test(text)) {
    throw new UsageError(
      "URL must not have credentials, a query, or a fragment",
    );
  }
  return url;
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
