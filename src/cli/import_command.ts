import { hash } from "node:crypto";
import { pluralize } from "../shared/pluralize.ts";
import type { Token, UserRecord } from "../core/domain/user.ts";
import { StoreFiles, throwProblems } from "../stores/files/store_files.ts";
import { publish } from "../stores/postgres/content.ts";
import { type Command, defineCommand } from "./command.ts";
import { describeProblems } from "./describe_problems.ts";
import { print } from "./output.ts";
import { throwWithPrefix, UsageError } from "./parse_options.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** The maximum size of a file, in bytes, because the servers load it within seconds. */
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
  async run({ settings, sources }) {
    const url = settings["database-url"];
    if (url === undefined) {
      throw new UsageError("set --database-url or DATABASE_URL");
    }
    const files = new StoreFiles(settings, MAX_SIZE);
    const { changes, bytes } = await files.load();
    throwProblems(changes);
    const warnings = changes.filter((change) => "warnings" in change);
    for (const line of warnings.flatMap((each) => describeProblems(each))) {
      console.error(line);
    }
    const hashed = JSON.stringify(hashTokens(decode(bytes!.tokens)));
    const target = `the database of ${sources.get("database-url")}`;
    await publish(url, decode(bytes!.plants), hashed)
      .catch((error) => throwWithPrefix(`cannot import into ${target}`, error));
    const count = pluralize(files.plants.value!.length, "plant");
    const users = pluralize(files.tokens.value!.users.size, "user");
    print(`imported ${count} and ${users} into ${target}`);
  },
});

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Parses a valid tokens file, and replaces each plain token by its digest. */
function hashTokens(text: string): Readonly<Record<string, UserRecord>> {
  const { $schema: _, ...users } = JSON.parse(text);
  for (const user of Object.values<{ tokens: readonly Token[] }>(users)) {
    user.tokens = user.tokens.map((record) => {
      if (typeof record === "string") return { sha256: hash("sha256", record) };
      if ("sha256" in record) return record;
      const { token, ...rest } = record;
      return { sha256: hash("sha256", token), ...rest };
    });
  }
  return users;
}
