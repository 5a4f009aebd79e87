import { randomBytes } from "node:crypto";
import { isDate, type TokenRecord, type UserRecord } from "../domain/user.ts";
import { digest } from "../stores/digest.ts";
import { type Command, defineCommand } from "./command.ts";
import { DIRECTORY_OPTIONS, withDirectory } from "./directory.ts";
import { isGiven, last, type Option, UsageError } from "./options.ts";

/** How many digits of its digest name a token. */
const ID_LENGTH = 8;

const EXPIRES: Option<string | undefined> = {
  value: "DATE|30d",
  help:
    "when it expires: a date, or a number of minutes, hours, days or weeks (m, h, d, w)",
  read: last(parseExpires),
};

/** `token add USER`: makes a token, and prints it alone on standard output. */
export const tokenAdd: Command = defineCommand({
  operands: ["USER"],
  options: { ...DIRECTORY_OPTIONS, expires: EXPIRES },
  async run({ settings, operands }) {
    const [user] = operands as [string];
    const token = createToken();
    const record = createRecord(token, settings.expires);
    await withDirectory(
      settings,
      ({ name, updateUser }) =>
        updateUser(user, (found) => {
          const { plants, tokens } = requireUser(found, user, name);
          return { plants, tokens: [...tokens, record] };
        }),
    );
    if (isExpired(record)) {
      console.error(`plant-store: warning: the token has expired already`);
    }
    console.log(token);
    return 0;
  },
});

/** `token list`: a line for each token, never the token itself. */
export const tokenList: Command = defineCommand({
  options: DIRECTORY_OPTIONS,
  async run({ settings }) {
    const users = await withDirectory(settings, ({ readUsers }) => readUsers());
    const rows = [["USER", "ID", "CREATED", "EXPIRES"]];
    for (const [user, { tokens }] of users) {
      for (const token of tokens) {
        const { sha256, created = "-", expires = "-" } = token;
        const state = isExpired(token) ? " (expired)" : "";
        rows.push([
          user,
          sha256.slice(0, ID_LENGTH),
          created,
          `${expires}${state}`,
        ]);
      }
    }
    const widths = [0, 1, 2].map((column) =>
      Math.max(...rows.map((row) => row[column]!.length))
    );
    for (const row of rows) {
      console.log(
        row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  "),
      );
    }
    return 0;
  },
});

/** `token revoke USER ID|--all`: takes tokens back. */
export const tokenRevoke: Command = defineCommand({
  operands: ["USER", "[ID]"],
  options: {
    ...DIRECTORY_OPTIONS,
    all: { help: "takes all tokens of the user back", read: isGiven },
  },
  async run({ settings, operands }) {
    const [user, id] = operands as [string, string?];
    if ((id === undefined) !== settings.all) {
      throw new UsageError("the ID of a token or --all is needed, one of them");
    }
    await withDirectory(
      settings,
      ({ name, updateUser }) =>
        updateUser(user, (found) => {
          const { plants, tokens } = requireUser(found, user, name);
          if (id === undefined) return { plants, tokens: [] };
          const revoked = findToken(tokens, id, user);
          return { plants, tokens: tokens.filter((each) => each !== revoked) };
        }),
    );
    return 0;
  },
});

/** 32 random bytes in base64url, with a prefix by which scanners for secrets find it. */
export function createToken(): string {
  return `ps_${randomBytes(32).toString("base64url")}`;
}

/** What a tokens file holds of a token that is made now. */
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
  place: string,
): UserRecord {
  if (record) return record;
  throw new Error(
    `there is no user ${JSON.stringify(user)} in ${place}: "user set" adds one`,
  );
}

function findToken(
  tokens: readonly TokenRecord[],
  id: string,
  user: string,
): TokenRecord {
  if (!/^[0-9a-f]{8,64}$/.test(id)) {
    throw new UsageError(
      "an ID has 8 digits or letters from a to f, as token list shows it",
    );
  }
  const found = tokens.filter(({ sha256 }) => sha256.startsWith(id));
  if (found.length === 1) return found[0]!;
  throw new Error(
    found.length === 0
      ? `the user ${
        JSON.stringify(user)
      } has no token with this ID: "token list" shows them`
      : "several tokens begin with this ID: give more digits of the digest",
  );
}

function isExpired({ expires }: TokenRecord): boolean {
  return expires !== undefined && Date.parse(expires) <= Date.now();
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 604_800_000],
]);

/** A date as it stands, or the date so long from now. */
function parseExpires(value: string): string {
  if (isDate(value)) return value;
  const [, number, unit = ""] = /^([1-9][0-9]{0,5})([mhdw])$/.exec(value) ?? [];
  const milliseconds = UNITS.get(unit);
  if (milliseconds !== undefined) {
    const date = new Date(Date.now() + Number(number) * milliseconds);
    // A year of five digits is no date of a tokens file.
    if (isDate(toSeconds(date))) return toSeconds(date);
  }
  throw new RangeError(
    `a date like 2030-01-31 or a duration like 30d is needed, not ${
      JSON.stringify(value)
    }`,
  );
}

function toSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
