import { Buffer } from "node:buffer";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type FetchHandler, PLANTS } from "../../verify/verify.ts";
import { EXERCISE_USERS } from "../../verify/exercises.ts";

/** The maximum memory of a worker, except on Bun. */
const HEAP = "--max-old-space-size=256";

/** The time limit without a student's code, in milliseconds. */
const MAX_LIMIT = 2 ** 31 - 1;

/** The number of missing responses after which the worker does not restart. */
const MAX_TIMEOUTS = 10;

/** A handler that runs in a worker process. */
export interface IsolatedHandler {
  readonly handler: FetchHandler;
  close(): void;
}

/** What a worker replies: a response, an error, or nothing when it has started or loaded. */
type Reply = { error?: string; body?: string | null; init?: ResponseInit };

/**
 * Runs the handler of a module in a worker, which restarts if it ends or does not respond
 * in time, unless it has never responded.
 *
 * @param url The URL of the module, which contains its code in base64.
 * @param timeout The time limit for each response, in milliseconds. Loading the module
 * has its own, which is ten times as long.
 */
export function isolate(url: string, timeout: number): IsolatedHandler {
  const pending = new Map<number, (reply: Reply) => void>();
  let count = 0, timeouts = 0, hasReplied = false;
  let worker: ChildProcess | undefined;
  let loaded: Promise<Reply> | undefined;
  /** Why the handler cannot respond. */
  let failure: string | undefined;

  function start(): ChildProcess {
    const started = startWorker();
    const end = (error: string) => started === worker && stop(error);
    started.on("message", (sent: unknown) => {
      // The handler's own code can also send messages.
      if (started !== worker || !Array.isArray(sent)) return;
      const [id, reply] = sent;
      if (id === 0 && typeof reply?.error === "string") {
        return stop(addLine(reply.error, url));
      }
      hasReplied ||= id !== 0;
      pending.get(id)?.(Object(reply));
      pending.delete(id);
    });
    started.on("error", ({ message }) => end(message));
    // Unlike "exit", this follows the last message.
    started.on("close", (code, signal) => {
      end(`the handler ended its process (${signal ?? code})`);
    });
    loaded = receive(0).then(() => {
      started.send([url, PLANTS, EXERCISE_USERS]);
      return receive(0, 10 * timeout, "handler.mjs was not loaded");
    });
    return started;
  }

  function stop(error: string): void {
    worker?.kill("SIGKILL");
    worker = undefined;
    if (!hasReplied || pending.has(0) || timeouts === MAX_TIMEOUTS) {
      failure = error;
    }
    for (const reply of pending.values()) reply({ error });
    pending.clear();
  }

  /** Waits for a reply. Stops the worker if there is none in time. */
  async function receive(id: number, limit = MAX_LIMIT, what = "no start") {
    function end(): void {
      if (!pending.has(id)) return;
      timeouts++;
      stop(`${what} within ${limit / 1_000} s`);
    }
    // On a busy machine, a reply can have arrived that has not been read.
    const timer = setTimeout(() => setImmediate(end), limit);
    const reply = await new Promise<Reply>((resolve) => {
      pending.set(id, resolve);
    });
    clearTimeout(timer);
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply;
  }

  async function handler(request: Request): Promise<Response> {
    const { method, url, headers } = request;
    const content = request.body ? await request.text() : undefined;
    if (failure !== undefined) throw new Error(failure);
    worker ??= start();
    await loaded;
    const id = ++count;
    worker.send([id, url, { method, headers: [...headers], body: content }]);
    const { body, init } = await receive(id, timeout, "no response");
    return new Response(body, init);
  }

  return { handler, close: () => stop("closed") };
}

/**
 * Starts a worker, whose output is not part of the report, without the environment of this
 * process. On Node.js and Deno, it cannot access files or start programs.
 */
function startWorker(): ChildProcess {
  const module = new URL("./handler_worker.js", import.meta.url);
  // Deno can run a module from JSR.
  const path = module.protocol === "file:"
    ? fileURLToPath(module)
    : `${module}`;
  const { allowedNodeEnvironmentFlags: flags, versions } = process;
  const flag = ["--permission", "--experimental-permission"]
    .find((flag) => flags.has(flag)) ?? "";
  const args = versions.deno
    // Without any permission here, Deno would grant all.
    ? ["run", "--no-prompt", "--allow-env", `--v8-flags=${HEAP}`]
    : versions.bun
    ? []
    : [flag, `--allow-fs-read=${path}`, HEAP];
  return spawn(process.execPath, [...args, path], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // Windows needs this variable; others can contain secrets.
    env: { SystemRoot: process.env["SystemRoot"] ?? "" },
  });
}

/** Adds its line to a syntax error, which Node.js reports only with `--check`. */
function addLine(error: string, url: string): string {
  const { deno, bun } = process.versions;
  if (!error.startsWith("SyntaxError: ") || deno || bun) return error;
  const input = Buffer.from(url.split(",")[1]!, "base64");
  const args = ["--input-type=module", "--check"];
  const { stderr } = spawnSync(process.execPath, args, { input });
  const [, line] = /^\[stdin\]:(\d+)/.exec(`${stderr}`) ?? [];
  return line ? `${error} (line ${line})` : error;
}
