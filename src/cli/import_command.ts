import { hash } from "node:crypto";
import { pluralize } from "../shared/pluralize.ts";
import type { Token, UserRecord } from "../core/domain/user.ts";
import { StoreFiles, throwProblems } from "../stores/files/store_files.ts";
import { type Content, replaceContent } from "../stores/postgres/tables.ts";
import { type Command, defineCommand } from "./command.ts";
import { printProblems } from "./describe_problems.ts";
import { print } from "./output.ts";
import { throwWithPrefix, UsageError } from "./parse_options.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** The maximum size of a file, in bytes, because this command parses it as a whole. */
const MAX_SIZE = 50_000_000;

/** `import`: replaces the content of a database with the two files. */
export const importCommand: Command = defineCommand({
  help: "Import the files into a PostgreSQL database",
  options: {
    plants: SERVE_OPTIONS.plants,
    tokens: SERVE_OPTIONS.tokens,
    "database-url": {
      ...SERVE_OPTIONS["database-url"],
      help: "Database to import into",
    },
  },
  async run({ settings, sources, env }) {
    const url = settings["database-url"];
    if (url === undefined) {
      throw new UsageError("set --database-url or DATABASE_URL");
    }
    const files = new StoreFiles(settings, MAX_SIZE);
    const { changes, bytes } = await files.load();
    throwProblems(changes);
    for (const change of changes) {
      if ("warnings" in change) printProblems(change, env);
    }
    const target = `the database of ${sources.get("database-url")}`;
    const content = {
      plants: files.plants.value!.map((plant, at) => ({
        id: at + 1,
        ...plant,
      })),
      ...toRows(bytes!.tokens),
    };
    await replaceContent(url, content)
      .catch((error) => throwWithPrefix(`cannot import into ${target}`, error));
    const count = pluralize(content.plants.length, "plant");
    const users = pluralize(content.users.length, "user");
    print(`imported ${count} and ${users} into ${target}`);
  },
});

/** Returns the rows for a valid tokens file, with digests instead of plain tokens. */
function toRows(bytes: Uint8Array): Pick<Content, "users" | "tokens"> {
  const { $schema: _, ...users } = JSON.parse(new TextDecoder().decode(bytes));
  const records = Object.entries<UserRecord>(users);
  return {
    users: records.map(([name, { plants, behavior }]) => {
      const { tags = [], names = [] } = plants === "all" ? {} : plants;
      return { name, all_plants: plants === "all", tags, names, behavior };
    }),
    tokens: records.flatMap(([user_name, { tokens }]) =>
      tokens.map((token) => ({ user_name, ...toDigest(token) }))
    ),
  };
}

function toDigest(
  token: Token,
): { readonly digest: string; readonly expires?: string } {
  if (typeof token === "string") return { digest: hash("sha256", token) };
  const digest = "sha256" in token ? token.sha256 : hash("sha256", token.token);
  if (token.expires === undefined) return { digest };
  // PostgreSQL writes years before 1 and after 9999 differently; these times have the same effect.
  const time = Math.max(0, Date.parse(token.expires));
  const expires = new Date(Math.min(time, Date.UTC(9999, 11, 31)));
  return { digest, expires: expires.toISOString() };
}
