import type { PlantStore } from "../core/domain/store.ts";
import { withBehavior } from "../core/stores/with_behavior.ts";
import { type FileChange, openFileStore } from "../stores/files.ts";
import type { Log } from "./log.ts";
import { isMissing } from "./new_files.ts";
import {
  type CommandLine,
  throwWithPrefix,
  UsageError,
} from "./parse_options.ts";
import { describeProblems } from "./describe_problems.ts";
import { PROGRAM } from "./invocation.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** Opens the demo data with `--demo`, the database if its URL is set, or else the files. */
export async function openStore(
  { settings, sources, env }: CommandLine<typeof SERVE_OPTIONS>,
  { write, notice }: Log,
): Promise<PlantStore & { close?(): Promise<void> }> {
  const { demo, plants, tokens, delay, "database-url": url } = settings;
  const add = <T extends PlantStore>(store: T): T =>
    delay === undefined
      ? store
      : { ...store, ...withBehavior(store, {}, delay) };
  const file = sources.get("plants") ?? sources.get("tokens");
  const chosen = [file, sources.get("database-url"), sources.get("demo")];
  const [first, second] = chosen.filter((source) => source !== undefined);
  if (second !== undefined) {
    throw new UsageError(
      `${first} and ${second} cannot be used together; remove or unset one of them`,
    );
  }
  if (demo) {
    const { createDemoStore } = await import("../core/stores/demo.ts");
    return add(createDemoStore());
  }
  if (url !== undefined) {
    const source = sources.get("database-url")!;
    if (!source.startsWith("--")) {
      notice(
        `serving the database of ${source}, not ${plants} and ${tokens}; to serve these files, unset ${source}`,
      );
    }
    const { openPostgresStore } = await import("../stores/postgres.ts");
    const database = `database of ${source}`;
    const opening = openPostgresStore({
      url,
      onStatus(outage) {
        const status = outage
          ? `unavailable: ${outage.message}`
          : "available again";
        write(`${database} ${status}`);
      },
    });
    const prefix = `cannot use the ${database}`;
    return add(await opening.catch((error) => throwWithPrefix(prefix, error)));
  }
  // An empty variable is probably a mistake.
  const empty = (["plants", "tokens", "database-url"] as const)
    .filter((key) => !sources.has(key) && !(key === "database-url" && file))
    .map((key) => SERVE_OPTIONS[key].env)
    .find((name) => env[name] === "");
  if (empty) throw new UsageError(`${empty} is empty; set it, or unset it`);
  if (!file && await isMissing(plants) && await isMissing(tokens)) {
    throw new Error(
      `${plants} and ${tokens} do not exist; to create them, run: ${PROGRAM} init; to serve the demo data, run: ${PROGRAM} --demo`,
    );
  }
  return add(
    await openFileStore({
      plants,
      tokens,
      onChange: (change) => describeChange(change).forEach(write),
    }),
  );
}

function describeChange(change: FileChange): readonly string[] {
  const { path } = change;
  if ("summary" in change) return [`${path} reloaded: ${change.summary}`];
  const lines = describeProblems(change);
  return "problems" in change
    ? [...lines, `still serving the previous content of ${path}`]
    : lines;
}
