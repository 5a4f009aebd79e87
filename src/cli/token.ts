import { randomBytes } from "node:crypto";
import { count } from "../domain/count.ts";
import { escapeControls, quote } from "../domain/quote.ts";
import { TOKEN_PREFIX } from "../domain/token.ts";
import { isExpired } from "../stores/catalog/snapshot.ts";
import {
  isDate,
  type TokenRecord,
  type UserRecord,
} from "../stores/catalog/user.ts";
import { PROGRAM, quoteArgument } from "../stores/catalog/program.ts";
import { digest } from "../stores/digest.ts";
import { type Command, defineCommand, print } from "./command.ts";
import { UsageError } from "./options.ts";
import { invalid } from "./serve_options.ts";
import { toTable } from "./table.ts";
import { findUsers, USERS_OPTIONS, type UserStorage } from "./user_storage.ts";

/** The length of a token ID, which is a prefix of the digest. */
const ID_LENGTH = 8;

/** `token add USER`: creates a token and prints it. */
export const tokenAdd: Command = defineCommand({
  help: "Create a token and print it once",
  operands: ["USER"],
  options: {
    ...USERS_OPTIONS,
    expires: {
      value: "DATE|DURATION",
      help: "Expire on DATE, or after a time such as 90m, 12h, 30d, or 4w",
      parse: parseExpires,
    },
  },
  async run(line, user: string) {
    const { token, record } = createToken(line.settings.expires);
    const users = findUsers(line);
    await users.updateUser(user, (found) => {
      const old = requireUser(found, user, users);
      return { ...old, tokens: [...old.tokens, record] };
    });
    print(`added a token for user ${quote(user)} to ${users.place}`);
    console.log(token);
  },
});

/** `token list`: prints a line for each token. */
export const tokenList: Command = defineCommand({
  help: "List all tokens with their IDs",
  options: USERS_OPTIONS,
  async run(line) {
    const rows = [["USER", "ID", "CREATED", "EXPIRES"]];
    for (const [user, { tokens }] of await findUsers(line).readUsers()) {
      for (const { sha256, created = "-", expires } of tokens) {
        const isPast = expires !== undefined && isExpired(Date.parse(expires));
        const id = sha256.slice(0, ID_LENGTH);
        const end = `${expires ?? "-"}${isPast ? " (expired)" : ""}`;
        rows.push([escapeControls(user), id, created, end]);
      }
    }
    console.log(toTable(rows, ""));
  },
});

/** `token revoke USER ID|--all`: removes tokens. */
export const tokenRevoke: Command = defineCommand({
  help: "Revoke one token, or all of the user's tokens with --all",
  operands: ["USER", "[ID]"],
  options: {
    ...USERS_OPTIONS,
    all: { help: "Revoke all of the user's tokens" },
  },
  async run(line, user: string, id?: string) {
    if ((id === undefined) !== line.settings.all) {
      throw new UsageError("specify a token ID or --all");
    }
    const users = findUsers(line);
    let revoked: readonly TokenRecord[] = [];
    await users.updateUser(user, (found) => {
      const old = requireUser(found, user, users);
      revoked = id === undefined
        ? old.tokens
        : [findToken(old.tokens, id, user, users)];
      const tokens = old.tokens.filter((token) => !revoked.includes(token));
      return { ...old, tokens };
    });
    const what = count(revoked.length, "token");
    print(`revoked ${what} for user ${quote(user)} in ${users.place}`);
  },
});

/** Creates a token from 32 random bytes in base64url, and its record in a tokens file. */
export function createToken(
  expires?: string,
): { readonly token: string; readonly record: TokenRecord } {
  const token = `${TOKEN_PREFIX}${randomBytes(32).toString("base64url")}`;
  const created = toSeconds(new Date());
  const end = expires !== undefined && { expires };
  return { token, record: { sha256: digest(token), created, ...end } };
}

function requireUser(
  record: UserRecord | undefined,
  user: string,
  { place, options }: UserStorage,
): UserRecord {
  if (record) return record;
  throw new Error(
    `no user ${quote(user)} in ${place}; to add it, run: ${PROGRAM} user set ${
      quoteArgument(user, "USER")
    } --all${options}`,
  );
}

function findToken(
  tokens: readonly TokenRecord[],
  id: string,
  user: string,
  { options }: UserStorage,
): TokenRecord {
  const hint = `to list all IDs, run: ${PROGRAM} token list${options}`;
  if (!/^[0-9a-f]{8,64}$/.test(id)) {
    throw new UsageError(
      `a token ID must have at least 8 hexadecimal digits; ${hint}`,
    );
  }
  const found = tokens.filter(({ sha256 }) => sha256.startsWith(id));
  if (found.length === 1) return found[0]!;
  throw new Error(
    found.length === 0
      ? `user ${quote(user)} has no token with this ID; ${hint}`
      : "several tokens match this ID; specify more digits of the token's sha256 value",
  );
}

const MINUTES = new Map(Object.entries({ m: 1, h: 60, d: 1440, w: 10080 }));

/** Returns a date unchanged, or converts a duration to a date. */
function parseExpires(value: string, name: string): string {
  const [, number, unit = ""] = /^([1-9][0-9]{0,5})([mhdw])$/.exec(value) ?? [];
  const minutes = MINUTES.get(unit);
  const date = minutes === undefined
    ? value
    : toSeconds(new Date(Date.now() + Number(number) * minutes * 60_000));
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

function toSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
