import { constants } from "node:os";
import process from "node:process";
import { DEMO_TOKENS } from "../domain/demo_tokens.ts";
import { serve, type Server } from "../server/serve.ts";
import { toLocalUrl } from "../server/serve/server_url.ts";
import { type CommandLine, npmScript } from "./options.ts";
import type { SERVE_OPTIONS } from "./serve_options.ts";
import { openService, printNotices } from "./service.ts";
import { toTable } from "./table.ts";
import type { SignalActions } from "./signals.ts";

/** The maximum time between two signals that count as one. */
const SAME_SIGNAL_MS = 100;

/** The time between checks for whether the parent process has exited. */
const PARENT_CHECK_MS = 1_000;

/**
 * Opens the store, starts the server, and prints its URL.
 *
 * @param onStart Called with the actions for signals when the server listens.
 */
export async function runServer(
  line: CommandLine<typeof SERVE_OPTIONS>,
  onStart: (actions: SignalActions) => void,
): Promise<void> {
  const { host, port, limits, drain, ...settings } = line.settings;
  const service = await openService(line);
  const { store, options } = service;

  let server: Server;
  try {
    server = await serve(store, {
      ...options,
      host,
      port,
      ...limits !== undefined && { limits },
    });
  } catch (error) {
    throw new Error(explain(error as Error, host, port));
  }

  let stopped: number | undefined;
  async function stop(signal: number): Promise<void> {
    if (stopped !== undefined) {
      // npm forwards a signal that the terminal has already sent.
      if (performance.now() - stopped > SAME_SIGNAL_MS) {
        process.exit(128 + signal);
      }
      return;
    }
    stopped = performance.now();
    const drainDelay = settings["drain-delay"];
    setTimeout(() => process.exit(0), drainDelay + drain);
    await server.close({ delay: drainDelay, deadline: drain });
    await store.close();
    process.exit(0);
  }
  onStart({ stop, reload: () => store.reload() });
  if (npmScript() !== undefined) {
    onParentExit(() => stop(constants.signals.SIGTERM));
  }

  const demoTokens = await printNotices(service, host);
  console.log(`Listening on ${server.url}`);
  console.log(
    toCurl(settings["public-url"] ?? toLocalUrl(server.url), demoTokens[0]),
  );
  if (demoTokens.length > 0) console.log(describeTokens(demoTokens));
}

/**
 * Calls `stop` when the parent process has exited. On SIGTERM, npm stops only the
 * shell that runs the script.
 */
function onParentExit(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_CHECK_MS).unref();
}

/** Lists demo tokens with what each one sees or does. */
function describeTokens(tokens: readonly string[]): string {
  const rows = tokens.map((token) => [token, DEMO_TOKENS.get(token)!]);
  return `Demo tokens:\n${toTable(rows)}`;
}

/** Explains why the server cannot listen. */
function explain(
  { code, message }: Error & { readonly code?: string },
  host: string,
  port: number,
): string {
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} is already in use; choose another with --port`;
    case "EACCES":
      return `cannot listen on port ${port}: permission denied; choose a port above 1023 with --port`;
    case "EADDRNOTAVAIL":
      return `cannot listen on "${host}": this machine does not have this address`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `cannot resolve host "${host}"`;
    default:
      // On Deno, the message names the missing permission, if any.
      return `cannot listen on ${host}:${port}: ${message}`;
  }
}

/** Returns a command that sends a request to the server. */
function toCurl(url: string, token = "<token>"): string {
  return `curl -H "Authorization: Bearer ${token}" ${
    quoteUrl(`${url}/plants?limit=3`)
  }`;
}

/** Quotes a URL so that neither the shell nor curl changes it. */
function quoteUrl(url: string): string {
  if (/^[\w.~:/?=%[\]-]+$/.test(url.replace(/^\w+:..\[[0-9a-f:]+\]/, ""))) {
    return `"${url}"`;
  }
  return `-g '${url.replaceAll("'", "'\\''")}'`;
}
