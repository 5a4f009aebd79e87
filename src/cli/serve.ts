import { constants } from "node:os";
import process from "node:process";
import { DEMO_TOKENS } from "../domain/demo_tokens.ts";
import { toLocalUrl } from "../server/serve/server_url.ts";
import { quoteForShell } from "../verify/curl.ts";
import { type Command, defineCommand } from "./command.ts";
import { npmScript } from "./problems.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
import { handleSignals } from "./signals.ts";
import { toTable } from "./table.ts";

/** The maximum time between two signals that count as one. */
const SAME_SIGNAL_MS = 100;

/** The time between checks for whether the parent process has exited. */
const PARENT_CHECK_MS = 1_000;

/** `serve`: serves the files, the demo data, or a database until it receives a signal. */
export const serveCommand: Command = defineCommand({
  help: "Start the server (default command)",
  options: SERVE_OPTIONS,
  async run(line) {
    const onStart = handleSignals();
    // Signals can arrive while the server's modules and files are loaded.
    const { openService } = await import("./service.ts");
    const { serve } = await import("../server/serve.ts");
    const { host, port } = line.settings;
    const {
      "shutdown-timeout": shutdownTimeout,
      "shutdown-delay": shutdownDelay,
    } = line.settings;
    const service = await openService(line);
    const { store, options } = service;
    const server = await serve(store, { ...options, host, port })
      .catch((error) => {
        throw new Error(explain(error, host, port));
      });

    let stopped: number | undefined;
    async function stop(signal: number): Promise<void> {
      if (stopped === undefined) {
        stopped = performance.now();
        setTimeout(() => process.exit(0), shutdownDelay + shutdownTimeout);
        await server.close({ shutdownDelay, shutdownTimeout });
        await store.close?.();
        process.exit(0);
      }
      // npm forwards a signal that the terminal has already sent.
      if (performance.now() - stopped <= SAME_SIGNAL_MS) return;
      process.exit(128 + signal);
    }
    onStart(stop);
    if (npmScript() !== undefined) {
      // On SIGTERM, npm stops only the shell that runs the script.
      const parent = process.ppid;
      setInterval(() => {
        const hasExited = process.ppid !== parent && stopped === undefined;
        if (hasExited) stop(constants.signals.SIGTERM);
      }, PARENT_CHECK_MS).unref();
    }

    const tokens = await service.printNotices(host);
    console.log(`Listening on ${server.url}`);
    const url = line.settings["public-url"] ?? toLocalUrl(server.url);
    console.log(toCurl(`${url}/plants?limit=3`, tokens[0]));
    if (tokens.length > 0) {
      const rows = tokens.map((token) => [token, DEMO_TOKENS.get(token)!]);
      console.log(`Demo tokens:\n${toTable(rows)}`);
    }
  },
});

/** Explains why the server cannot listen. */
function explain(
  { code = "", message }: Error & { readonly code?: string },
  host: string,
  port: number,
): string {
  const explanations: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is already in use; choose another with --port`,
    EACCES:
      `cannot listen on port ${port}: permission denied; choose a port above 1023 with --port`,
    EADDRNOTAVAIL: `cannot listen on "${host}": not an address of this machine`,
    ENOTFOUND: `cannot resolve host "${host}"`,
    EAI_AGAIN: `cannot resolve host "${host}"`,
  };
  // On Deno, the message names the missing permission, if any.
  return explanations[code] ?? `cannot listen on ${host}:${port}: ${message}`;
}

/** Returns a command that sends a request, whose URL neither the shell nor curl changes. */
function toCurl(url: string, token = "<token>"): string {
  const option = /[[\]{}]/.test(url) ? "-g " : "";
  return `curl -H "Authorization: Bearer ${token}" ${option}${
    quoteForShell(url)
  }`;
}
