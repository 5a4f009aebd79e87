import metadata from "../../package.json" with { type: "json" };
import { FORMATS } from "../verify/report.ts";
import {
  type CaseResult,
  type Level,
  listCases,
  PLANTS,
  USERS,
  verify,
} from "../verify/verify.ts";
import { quote } from "../domain/quote.ts";
import { PROGRAM } from "./program.ts";
import { type Command, defineCommand, print } from "./command.ts";
import { toJsonFile, toPlantsFile } from "./file_format.ts";
import { writeNewFiles } from "./new_files.ts";
import { UsageError } from "./options.ts";
import { invalid } from "./serve_options.ts";

/** `verify URL`: runs the contract against a server. */
export const verifyCommand: Command = defineCommand({
  help: "Check any implementation of the API",
  operands: ["[URL]"],
  options: {
    level: {
      value: "core|http",
      default: "http",
      help: "Stop after this level",
      parse(level: string, name: string): Level {
        if (level === "core" || level === "http") return level;
        throw invalid(name, "core or http", level);
      },
    },
    only: {
      value: "ID[,...]",
      help: "Run only the test cases whose IDs start with one of these values",
      parse(text: string, name: string): readonly string[] {
        const starts = text.split(",").filter((start) => start !== "");
        if (starts.length > 0) return starts;
        throw invalid(name, "a list of IDs", text);
      },
    },
    format: {
      value: "text|json|junit",
      default: "text",
      help: "Print the results in this format",
      parse(format: string, name: string): string {
        if (FORMATS.has(format)) return format;
        throw invalid(name, "text, json, or junit", format);
      },
    },
    timeout: {
      value: "SECONDS",
      default: "5",
      help: "Wait this long for each response",
      parse(text: string, name: string): number {
        const seconds = /^\d{1,4}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
        if (seconds > 0) return seconds;
        throw invalid(name, "a number of seconds from 0.001 to 9999", text);
      },
    },
    list: { help: "List the selected test cases and send nothing" },
    "write-data": {
      value: "DIR",
      help: "Create files in DIR with the data that a server must serve",
    },
  },
  async run({ settings }, address?: string) {
    const { level, only = [""], format, timeout, list } = settings;
    const folder = settings["write-data"];
    if (folder !== undefined) return await writeData(folder);
    const selected = listCases({ level, only });
    const unknown = only.find((start) =>
      !selected.some(({ id }) => id.startsWith(start))
    );
    if (unknown !== undefined) {
      const start = quote(unknown);
      throw new UsageError(
        `--only ${start} selects no test cases; to list all IDs, run: ${PROGRAM} verify --list`,
      );
    }
    if (list) {
      for (const { id, level, section } of selected) {
        console.log(`${level}  ${`${section}`.padStart(2)}  ${id}`);
      }
      return;
    }
    const url = parseUrl(address);
    const results = verify(url, { level, only, timeout: timeout * 1_000 });
    const cases: CaseResult[] = [];
    try {
      for await (const each of results) cases.push(each);
    } catch (error) {
      throw new Error(`${url}: ${(error as Error).message}`);
    }
    const page = new URL("../../docs/http-api.md", import.meta.url).href;
    const { version } = metadata;
    console.log(FORMATS.get(format)!({ url: url.href, version, page, cases }));
    const failed = cases.filter(({ status }) => status === "failed");
    if (failed.some(({ id }) => id === "list.all")) {
      print(
        `the list of all plants is wrong; the server must serve the files that this command creates: ${PROGRAM} verify --write-data test-data`,
      );
    }
    return failed.length > 0 ? 1 : 0;
  },
});

/** Parses the URL of a server. Messages never contain its credentials. */
function parseUrl(text: string | undefined): URL {
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
  return url;
}

/** Writes the test data. Never replaces a file. */
async function writeData(folder: string): Promise<void> {
  const users = USERS.map(({ user, token, plants, ...expires }) =>
    [user, { plants, tokens: [{ token, ...expires }] }] as const
  );
  const [plants, tokens, last] = await writeNewFiles(folder, {
    "plants.json": toPlantsFile(PLANTS),
    "tokens.json": toJsonFile(Object.fromEntries(users)),
    "users.json": toJsonFile(USERS),
  });
  console.log(
    `Wrote ${plants}, ${tokens}, and ${last}. Start your server with this data, then run: ${PROGRAM} verify http://127.0.0.1:8000`,
  );
}
