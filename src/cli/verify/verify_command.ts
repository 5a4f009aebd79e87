import { OtherDataError } from "../../verify/runner.ts";
import { select as selectCases } from "../../verify/cases.ts";
import {
  type CaseInfo,
  listCases,
  PLANTS,
  USERS,
  verify,
  type VerifyOptions,
} from "../../verify/verify.ts";
import { type Command, defineCommand } from "../command.ts";
import { toJsonFile, toPlantsFile, writeNewFiles } from "../new_files.ts";
import { flushOutput, print, toTable } from "../output.ts";
import {
  invalid,
  type Options,
  parseSeconds,
  UsageError,
} from "../parse_options.ts";
import { PROGRAM } from "../invocation.ts";
import { collect } from "./collect.ts";
import { count, FORMATS, toJson } from "./report.ts";

const IDS = {
  value: "ID[,...]",
  parse(text: string, name: string): readonly string[] {
    const ids = text.split(",").filter((id) => id !== "");
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
  },
  only: {
    ...IDS,
    help: "Run only test cases whose ID is ID or starts with `ID.`",
  },
  skip: {
    ...IDS,
    help: "Skip test cases whose ID is ID or starts with `ID.`",
  },
  bail: { help: "Stop after the first failure" },
  timeout: TIMEOUT,
  format: {
    value: "text|json|junit",
    default: "text",
    help: "Output format",
  },
  list: { help: "List the selected test cases as text or JSON and exit" },
} as const satisfies Options;

/** `verify URL`: runs the test cases against a server. */
export const verifyCommand: Command = defineCommand({
  help: "Test a server at URL, in any language, with the test cases of the API",
  positional: "[URL]",
  options: OPTIONS,
  notes: `Exit status:
  0  all test cases passed
  1  some test cases failed
  2  the test cases could not run, for example because the server is not running

Example:
  ${PROGRAM} verify --write-data test-data
  # start your server with the files in test-data
  ${PROGRAM} verify http://127.0.0.1:8000 --skip host`,
  async run({ settings }, address) {
    const { "write-data": folder, list, format } = settings;
    if (folder !== undefined) return await writeData(folder);
    const { level, timeout, bail, only, skip } = settings;
    const options = {
      ...{ level, timeout, bail },
      ...only && { only },
      ...skip && { skip },
    };
    const selected = select(options);
    if (list && format === "json") {
      return console.log(toJson({ cases: selectCases(level, only) }));
    }
    if (list) {
      const rows = selected.map(({ id, level, title }) => [id, level, title]);
      return console.log(toTable(rows, ""));
    }
    const url = parseUrl(address);
    const results = verify(url, options);
    const { cases, error } = await collect(results, selected.length);
    const hint = error instanceof OtherDataError
      ? `; to create the data, run: ${PROGRAM} verify --write-data test-data`
      : "";
    const message = error && error.message + hint;
    const report = { target: url.href, error: message, ...count(cases), cases };
    const text = FORMATS[format](report);
    if (text) {
      console.log(text);
      await flushOutput(); // before messages on standard error
    }
    if (message !== undefined) throw new UsageError(message);
    if (cases.some(({ response }) => response?.status === 429)) {
      print("the server returned 429; a run sends about 170 requests");
    }
    return report.failed > 0 ? 1 : 0;
  },
});

/**
 * Returns the selected test cases.
 *
 * @throws {UsageError} If an ID is unknown.
 */
function select(options: VerifyOptions): readonly CaseInfo[] {
  try {
    return listCases(options);
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(
      `${message}; to list all IDs, run: ${PROGRAM} verify --list`,
    );
  }
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
