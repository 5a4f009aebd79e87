import { hash, randomBytes } from "node:crypto";
import { Credentials } from "../core/domain/credentials.ts";
import { isExpired, TOKEN_PREFIX } from "../core/domain/token.ts";
import { isDate, type Token } from "../core/domain/user.ts";
import { type Command, defineCommand } from "./command.ts";
import { print, toTable } from "./output.ts";
import { ProblemList } from "../core/internal/schema.ts";
import { invalid, UsageError } from "./parse_options.ts";

/** `token [NAME...]`: prints a new token and its record, or a user for each name. */
export const tokenCommand: Command = defineCommand({
  help:
    "Create a token, or one for each user NAME, and print what to add to the tokens file",
  positional: "[NAME...]",
  options: {
    expires: {
      value: "DATE|DURATION",
      help: "Expiration: a date, or a duration such as 90m, 12h, 30d, or 4w",
      parse: parseExpires,
    },
  },
  run({ settings: { expires } }, ...names) {
    const expiry = expires ? `expires ${expires}` : "never expires";
    if (names.length === 0) {
      const { token, record } = createToken(expires);
      const place = "the tokens of a user in the tokens file";
      print(`add this to ${place} (${expiry}):`);
      console.error(JSON.stringify(record));
      print("token (shown only once):");
      return console.log(token);
    }
    const problems = new ProblemList();
    const credentials = new Credentials();
    const created = names.map((name) => {
      const { token, record } = createToken(expires);
      const user = { plants: "all", tokens: [record] };
      credentials.add(name, user, problems);
      const line = `${JSON.stringify(name)}: ${JSON.stringify(user)},`;
      return { name, token, line };
    });
    const [problem] = problems.listed;
    if (problem) throw new UsageError(problem.message);
    if (credentials.users.size < names.length) {
      throw new UsageError("a name is repeated; use different ones");
    }
    console.log("Add these lines before the other users in the tokens file:\n");
    for (const { line } of created) console.log(line);
    console.log(
      `\nHand out these tokens, which are shown only once (${expiry}):\n`,
    );
    console.log(toTable(created.map(({ name, token }) => [name, token])));
  },
});

/** Creates a token from 32 random bytes in base64url, and its record in a tokens file. */
export function createToken(
  expires?: string,
): { readonly token: string; readonly record: Token } {
  const token = `${TOKEN_PREFIX}${randomBytes(32).toString("base64url")}`;
  const end = expires !== undefined && { expires };
  return { token, record: { sha256: hash("sha256", token), ...end } };
}

const MINUTES = new Map(Object.entries({ m: 1, h: 60, d: 1440, w: 10080 }));

/** Returns a date unchanged, or converts a duration to a date. */
function parseExpires(value: string, name: string): string {
  const [, number, unit = ""] = /^([1-9][0-9]{0,5})([mhdw])$/.exec(value) ?? [];
  const minutes = MINUTES.get(unit);
  const date = minutes === undefined
    ? value
    : new Date(Date.now() + Number(number) * minutes * 60_000)
      .toISOString().replace(/\.\d+Z$/, "Z");
  if (!isDate(date)) { // a tokens file cannot contain a five-digit year
    throw invalid(name, "a date like 2030-01-31 or a duration like 30d", value);
  }
  if (isExpired(Date.parse(date))) throw invalid(name, "in the future", value);
  return date;
}
