import { hash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { explainFileError } from "../stores/files/read_file.ts";
import { TOKENS } from "../verify/data.ts";
import { type FetchHandler, PLANTS, USERS } from "../verify/verify.ts";
import { exists } from "./new_files.ts";

/** A handler in a worker. */
export interface StudentHandler {
  /** The name of the student's folder. */
  readonly name: string;
  readonly handler: FetchHandler;
  close(): void;
}

/**
 * The code of a worker, which calls a handler. It is text, so that it runs on every
 * runtime without a loader for TypeScript.
 */
const CODE = `
const { parentPort, workerData: [url, ...args] } = require("node:worker_threads");
for (const name of Object.keys(console)) console[name] = () => {};
const imported = import(url);
imported.catch(() => {});
parentPort.on("message", async ([id, url, { headers, ...init }]) => {
  try {
    const { handler } = await imported;
    if (typeof handler !== "function") {
      throw new TypeError("handler.mjs must export a function named handler");
    }
    const request = new Request(url, init);
    for (const header of headers) request.headers.append(...header);
    const response = await handler(request, ...args);
    if (!(response instanceof Response)) {
      throw new TypeError("the handler did not return a Response");
    }
    // Servers send no body in response to HEAD.
    const isEmpty = response.body === null || request.method === "HEAD";
    const body = isEmpty ? null : await response.text();
    const { status, headers: found } = response;
    parentPort.postMessage([id, { body, init: { status, headers: [...found] } }]);
  } catch (error) {
    const [line] = String(error).split("\\n");
    parentPort.postMessage([id, { error: line }]);
  }
});
`;

/** What a worker replies: a response, or an error. */
type Reply =
  | { readonly body: string | null; readonly init: ResponseInit }
  | { readonly error: string };

/** The users, whose tokens also have digests, which the lesson compares. */
const users = Object.fromEntries(
  Array.from(TOKENS, ([user, token]) => {
    const { tokens: [entry], ...record } = USERS[user]!;
    const sha256 = hash("sha256", token);
    const plain = typeof entry === "object" ? entry : { token };
    return [user, { ...record, tokens: [{ ...plain, sha256 }] }];
  }),
);

/**
 * Opens the file `handler.mjs` in each folder of a folder.
 *
 * @throws {Error} If no folder contains the file, or the folder cannot be read.
 */
export async function openHandlers(
  folder: string,
): Promise<readonly StudentHandler[]> {
  const found: StudentHandler[] = [];
  const names = await readdir(folder).catch((error: Error) => {
    throw new Error(`cannot read "${folder}": ${explainFileError(error)}`);
  });
  for (const name of names.sort()) {
    const path = join(folder, name, "handler.mjs");
    if (await exists(path)) found.push({ name, ...isolate(path) });
  }
  if (found.length > 0) return found;
  throw new Error(`no subfolder of "${folder}" contains handler.mjs`);
}

/** Calls a handler in a worker, which stops if it does not respond in time. */
function isolate(path: string): Omit<StudentHandler, "name"> {
  const pending = new Map<number, (reply: Reply) => void>();
  let count = 0;
  let worker: Worker | undefined;

  function start(): Worker {
    const started = new Worker(CODE, {
      eval: true,
      workerData: [pathToFileURL(path).href, PLANTS, users],
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      stdout: true, // what it prints is not part of the report
      stderr: true,
    });
    started.on("message", (sent: unknown) => {
      // The handler's own code can also send messages.
      if (Array.isArray(sent) && Object(sent[1]) === sent[1]) {
        pending.get(sent[0])?.(sent[1]);
      }
    });
    started.on("error", (error: unknown) => {
      stop(error instanceof Error ? `${error}` : "an error", started);
    });
    started.on("exit", () => stop("the handler ended its process", started));
    return started;
  }

  function stop(error: string, stopped = worker): void {
    if (stopped === undefined || stopped !== worker) return;
    worker = undefined;
    for (const reply of pending.values()) reply({ error });
    void stopped.terminate();
  }

  async function handler(request: Request): Promise<Response> {
    const { method, url, headers, signal } = request;
    const body = request.body ? await request.text() : undefined;
    signal.addEventListener("abort", () => stop("no response in time"));
    worker ??= start();
    const id = ++count;
    worker.postMessage([id, url, { method, headers: [...headers], body }]);
    const reply = await new Promise<Reply>((resolve) => {
      pending.set(id, resolve);
    });
    pending.delete(id);
    if ("error" in reply) throw new Error(reply.error);
    return new Response(reply.body, reply.init);
  }

  return { handler, close: () => stop("closed") };
}
