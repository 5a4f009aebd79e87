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
import { toTable } from "./table.ts";
import { USERS_OPTIONS, type UserStorage, withUsers } from "./user_storage.ts";

/** The length of a token ID, which is a prefix of the digest. */
const ID_LENGTH = 8;

/** `token add USER`: creates a token and prints it. */
export const tokenAdd: Command = defineCommand({
  operands: ["USER"],
  options: {
    ...USERS_OPTIONS,
    expires: {
      value: "DATE|DURATION",
      help: "Expire on DATE, or after a time such as 90m, 12h, 30d, or 4w",
      parse: parseExpires,
    },
  },
  async run({ settings, operands }) {
    const [user] = operands as [string];
    const token = createToken();
    const record = createRecord(token, settings.expires);
    await withUsers(settings, async (storage) => {
      await storage.updateUser(user, (found) => {
        const old = requireUser(found, user, storage);
        return { ...old, tokens: [...old.tokens, record] };
      });
      print(`added a token for user ${quote(user)} to ${storage.place}`);
    });
    console.log(token);
    return 0;
  },
});

/** `token list`: prints a line for each token. */
export const tokenList: Command = defineCommand({
  options: USERS_OPTIONS,
  async run({ settings }) {
    const users = await withUsers(settings, ({ readUsers }) => readUsers());
    const rows = [["USER", "ID", "CREATED", "EXPIRES"]];
    for (const [user, { tokens }] of users) {
      for (const { sha256, created = "-", expires } of tokens) {
        const isPast = expires !== undefined && isExpired(Date.parse(expires));
        const state = isPast ? " (expired)" : "";
        const id = sha256.slice(0, ID_LENGTH);
        const end = `${expires ?? "-"}${state}`;
        rows.push([escapeControls(user), id, created, end]);
      }
    }
    console.log(toTable(rows, ""));
    return 0;
  },
});

/** `token revoke USER ID|--all`: removes tokens. */
export const tokenRevoke: Command = defineCommand({
  operands: ["USER", "[ID]"],
  options: {
    ...USERS_OPTIONS,
    all: { help: "Revoke all of the user's tokens" },
  },
  async run({ settings, operands }) {
    const [user, id] = operands as [string, string?];
    if ((id === undefined) !== settings.all) {
      throw new UsageError("specify a token ID or --all");
    }
    await withUsers(settings, async (storage) => {
      let revoked: readonly TokenRecord[] = [];
      await storage.updateUser(user, (found) => {
        const old = requireUser(found, user, storage);
        revoked = id === undefined
          ? old.tokens
          : [findToken(old.tokens, id, user, storage)];
        return {
          ...old,
          tokens: old.tokens.filter((token) => !revoked.includes(token)),
        };
      });
      print(
        `revoked ${count(revoked.length, "token")} for user ${
          quote(user)
        } in ${storage.place}`,
      );
    });
    return 0;
  },
});

/** Creates a token from 32 random bytes in base64url. */
export function createToken(): string {
  return `${TOKEN_PREFIX}${randomBytes(32).toString("base64url")}`;
}

/** Creates the record that a tokens file contains for a new token. */
export function createRecord(token: string, expires?: string): TokenRecord {
  return {
    sha256: digest(token),
    created: toSeconds(new Date()),
    ...expires !== undefined && { expires },
  };
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
  if (isDate(value)) {
    if (!isExpired(Date.parse(value))) return value;
    throw new RangeError(
      `${name} must be in the future, got ${quote(value)}`,
    );
  }
  const [, number, unit = ""] = /^([1-9][0-9]{0,5})([mhdw])$/.exec(value) ?? [];
  const minutes = MINUTES.get(unit);
  if (minutes !== undefined) {
    const date = new Date(Date.now() + Number(number) * minutes * 60_000);
    // A tokens file cannot contain a five-digit year.
    if (isDate(toSeconds(date))) return toSeconds(date);
  }
  throw new RangeError(
    `${name} must be a date such as 2030-01-31 or a duration such as 30d, got ${
      quote(value)
    }`,
  );
}

function toSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
