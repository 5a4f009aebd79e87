import process from "node:process";
import { DEMO_TOKENS, findDemoTokens } from "../shared/demo_tokens.ts";
import { explorer } from "../explorer/explorer.ts";
import { openapi } from "../openapi/openapi.ts";
import { serve } from "../server/serve.ts";
import { quoteForShell } from "../shared/shell.ts";
import { type Command, defineCommand } from "./command.ts";
import { createLog, type Log } from "./log.ts";
import { type CommandLine, howToChange } from "./parse_options.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
import { handleSignals } from "./signals.ts";
import { openStore } from "./open_store.ts";
import { toTable } from "./output.ts";

/** The hosts that other machines cannot reach. */
const LOOPBACK = /^(?:localhost|127(?:\.[0-9]+){3}|::1)$/i;

/** `serve`: serves the files, a database, or the demo data until it receives a signal. */
export const serveCommand: Command = defineCommand({
  help: "Start the server (default command)",
  options: SERVE_OPTIONS,
  async run(line) {
    const onStart = handleSignals();
    const { host, port, cors, ...settings } = line.settings;
    const { "base-path": basePath, "public-url": publicUrl } = settings;
    const log = createLog(settings.log);
    const { onResponse } = log;
    const store = await openStore(line, log);
    const server = await serve(store, {
      ...{ host, port, cors, explorer, openapi },
      onError: (error) => log.write(`error: ${String(error)}`),
      ...onResponse && { onResponse },
      ...basePath !== undefined && { basePath },
      ...publicUrl !== undefined && { publicUrl },
    }).catch((error) => {
      throw new Error(explain(error, line));
    });

    const {
      "shutdown-timeout": shutdownTimeout,
      "shutdown-delay": shutdownDelay,
    } = settings;
    onStart(async () => {
      await server.close({ shutdownDelay, shutdownTimeout });
      setTimeout(() => process.exit(0), 500); // the store can hang
      await store.close?.();
      process.exit(0);
    });

    announce(line, log, server.url, await findDemoTokens(store));
  },
});

/** Prints the URL of the server, how to use it, and what is probably a mistake. */
function announce(
  { settings, sources }: CommandLine<typeof SERVE_OPTIONS>,
  { notice }: Log,
  serverUrl: string,
  demoTokens: readonly string[],
): void {
  const { host, "public-url": publicUrl } = settings;
  if (demoTokens.length > 0 && (publicUrl || !LOOPBACK.test(host))) {
    const list = demoTokens.join(", ");
    const reason = publicUrl
      ? `is at ${publicUrl} (${sources.get("public-url")})`
      : `listens on ${host} (${sources.get("host")})`;
    notice(
      `warning: this server ${reason}, so other machines can use the public demo tokens (${list}); use your own tokens with --tokens or --database-url`,
    );
  }
  console.log(`Listening on ${serverUrl}`);
  const url = publicUrl ?? toLocalUrl(serverUrl);
  console.log(toCurl(`${url}/plants?limit=3`, demoTokens[0]));
  if (demoTokens.length > 0) {
    const rows = demoTokens.map((token) => [token, DEMO_TOKENS.get(token)!]);
    console.log(`Demo tokens:\n${toTable(rows)}`);
  }
}

/** Explains why the server cannot listen. */
function explain(
  { code = "", message }: Error & { readonly code?: string },
  { settings: { host, port }, sources }: CommandLine<typeof SERVE_OPTIONS>,
): string {
  const [otherHost, otherPort] = ["host", "port"]
    .map((key) => howToChange(key, sources.get(key)));
  const rule = port < 1024 ? " (ports below 1024 require privileges)" : "";
  const explanations: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is already in use; ${otherPort}`,
    EACCES:
      `cannot listen on port ${port}: permission denied${rule}; ${otherPort}`,
    EADDRNOTAVAIL: `"${host}" is not an address of this machine; ${otherHost}`,
    EAFNOSUPPORT: `this machine cannot use "${host}" (no IPv6?); ${otherHost}`,
    ENOTFOUND: `cannot resolve host "${host}"; ${otherHost}`,
    EAI_AGAIN: `cannot resolve host "${host}"; ${otherHost}`,
  };
  const name = sources.get("host") === "HOST" ? " (HOST)" : "";
  // On Deno, the message names the missing permission, if any.
  return explanations[code] ??
    `cannot listen on ${host}:${port}${name}: ${message}`;
}

/** Returns a command that sends a request, whose URL neither the shell nor curl changes. */
function toCurl(url: string, token = "<token>"): string {
  const option = /[[\]{}]/.test(url) ? "-g " : "";
  const header = `Authorization: Bearer ${token}`;
  return `curl -H "${header}" ${option}${quoteForShell(url)}`;
}

/** Returns the URL for requests from this machine, without a trailing slash. */
function toLocalUrl(url: string): string {
  // Clients cannot send requests to a wildcard address.
  return url.replace("//0.0.0.0:", "//127.0.0.1:")
    .replace("//[::]:", "//[::1]:").replace(/\/$/, "");
}
