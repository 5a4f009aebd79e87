import { constants } from "node:os";
import process from "node:process";
import { DEMO_TOKENS } from "../domain/demo_tokens.ts";
import { type PlantStore, StoreUnavailableError } from "../domain/store.ts";
import { serve, type Server } from "../server/serve.ts";
import { toLocalUrl } from "../server/server_url.ts";
import { type Command, defineCommand } from "./command.ts";
import { toServiceOptions } from "./handler.ts";
import { createLog } from "./log.ts";
import { type CommandLine, SERVE_OPTIONS } from "./options.ts";
import { openStore, SAMPLE_NOTICE } from "./store.ts";

/** How far apart, in milliseconds, two signals are at most that count as one. */
const ONE_SIGNAL = 100;

/** `serve`: serves two files, the sample data or a database, until the process is told to stop. */
export const serveCommand: Command = defineCommand({
  options: SERVE_OPTIONS,
  run: runServe,
});

async function runServe(
  line: CommandLine<typeof SERVE_OPTIONS>,
): Promise<undefined> {
  const { settings } = line;
  const { host, port, limits, "public-url": publicUrl } = settings;
  const log = createLog(settings.log!);
  process.on("uncaughtException", (error) => {
    try {
      log.fatal(error);
    } finally {
      process.exit(1);
    }
  });
  const { store, isSample } = await openStore(line, log);

  let server: Server;
  try {
    server = await serve(store, {
      host: host!,
      port: port!,
      ...limits !== undefined && { limits },
      ...toServiceOptions(settings, log),
    });
  } catch (error) {
    throw new Error(
      `cannot listen on ${host}:${port}: ${explain(error as Error)}`,
    );
  }

  const { drain, "drain-delay": drainDelay } = settings;
  let stopping: number | undefined;
  async function stop(signal: number): Promise<void> {
    if (stopping !== undefined) {
      // npm hands on what the terminal has sent already, so one may come twice.
      if (performance.now() - stopping > ONE_SIGNAL) process.exit(128 + signal);
      return;
    }
    stopping = performance.now();
    setTimeout(() => process.exit(0), drainDelay! + drain!);
    await server.close({ delay: drainDelay!, deadline: drain! });
    await store.close();
    process.exit(0);
  }
  process.on("SIGINT", () => stop(constants.signals.SIGINT));
  process.on("SIGTERM", () => stop(constants.signals.SIGTERM));
  process.on("SIGHUP", () => {
    store.reload().catch(() => {
      // What is wrong has been logged: what was served before is served on.
    });
  });

  if (isSample) log.notice(SAMPLE_NOTICE);
  const demoTokens = await findDemoTokens(store);
  if (demoTokens.length > 0 && !isLoopback(host!)) {
    log.notice(
      `warning: ${host} may be reached by others, and everybody knows ${
        demoTokens.join(", ")
      }`,
    );
  }
  console.log(`Listening on ${server.url}`);
  console.log(curl(publicUrl ?? toLocalUrl(server.url), demoTokens));
  return undefined;
}

/** The demo tokens that are valid; none is known to be while the database is away. */
async function findDemoTokens(store: PlantStore): Promise<readonly string[]> {
  const valid: string[] = [];
  try {
    for (const token of DEMO_TOKENS) {
      if (await store.authenticate(token)) valid.push(token);
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
  }
  return valid;
}

function explain(error: Error & { code?: string }): string {
  switch (error.code) {
    case "EADDRINUSE":
      return "the port is taken";
    case "EACCES":
      return "permission denied";
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return "this machine has no such address";
    default: // Deno's own words name the flag that would grant a permission.
      return error.message;
  }
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.[0-9]+){3}|::1)$/i.test(host);
}

function curl(url: string, [token]: readonly string[]): string {
  return token === undefined
    ? `curl ${quote(`${url}/healthz`)}`
    : `curl -H "Authorization: Bearer ${token}" ${
      quote(`${url}/plants?limit=3`)
    }`;
}

/** An argument that a shell hands to curl as it is, and curl to the server. */
function quote(url: string): string {
  if (/^[\w.~:/?=%[\]-]+$/.test(url.replace(/^\w+:..\[[0-9a-f:]+\]/, ""))) {
    return `"${url}"`;
  }
  return `-g '${url.replaceAll("'", "'\\''")}'`;
}
