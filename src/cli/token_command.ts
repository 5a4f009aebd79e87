import { hash, randomBytes } from "node:crypto";
import { isExpired, TOKEN_PREFIX } from "../domain/token.ts";
import { isDate, type Token } from "../domain/user.ts";
import { type Command, defineCommand, print } from "./command.ts";
import { invalid } from "./serve_options.ts";

/** `token`: prints a new token, and the record to add to a tokens file. */
export const tokenCommand: Command = defineCommand({
  help: "Create a token and print the record to add to the tokens file",
  options: {
    expires: {
      value: "DATE|DURATION",
      help: "Expiration: a date, or a duration such as 90m, 12h, 30d, or 4w",
      parse: parseExpires,
    },
  },
  run({ settings }) {
    const { token, record } = createToken(settings.expires);
    print("add this to the tokens of a user in the tokens file:");
    console.error(JSON.stringify(record));
    console.log(token);
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
    throw invalid(
      name,
      "a date such as 2030-01-31 or a duration such as 30d",
      value,
    );
  }
  if (isExpired(Date.parse(date))) throw invalid(name, "in the future", value);
  return date;
}
