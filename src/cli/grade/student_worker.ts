import { Worker } from "node:worker_threads";
import { type FetchHandler, PLANTS } from "../../verify/verify.ts";
import { EXERCISE_USERS } from "../../verify/exercises.ts";

const MODULE = new URL("./handler_worker.js", import.meta.url);

/** The code of a worker. Workers load no modules from JSR, but code that imports one. */
const WORKER = MODULE.protocol === "file:" ? MODULE : new URL(
  `data:text/javascript,${encodeURIComponent(`import "${MODULE}"`)}`,
);

/** A handler that runs in a worker. */
export interface IsolatedHandler {
  /** Calls the handler in the worker. */
  readonly handler: FetchHandler;
  /** Ends the worker. */
  close(): void;
}

/** What a worker replies: a response, or an error. */
type Reply =
  | { readonly body: string | null; readonly init: ResponseInit }
  | { readonly error: string };

/**
 * Runs the handler of a module in a worker, which restarts if it ends or does not respond
 * in time, unless it has never responded.
 */
export function isolate(url: string): IsolatedHandler {
  const pending = new Map<number, (reply: Reply) => void>();
  let count = 0;
  let worker: Worker | undefined;
  let hasReplied = false;
  /** Why the handler cannot respond. */
  let failure: string | undefined;

  function start(): Worker {
    const started = startWorker(url);
    started.on("message", (sent: unknown) => {
      // The handler's own code can also send messages.
      if (Array.isArray(sent) && Object(sent[1]) === sent[1]) {
        hasReplied = true;
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
    if (!hasReplied) failure = error;
    for (const reply of pending.values()) reply({ error });
    void stopped.terminate();
  }

  async function handler(request: Request): Promise<Response> {
    const { method, url, headers, signal } = request;
    const body = request.body ? await request.text() : undefined;
    signal.addEventListener("abort", () => stop("no response in time"));
    if (failure !== undefined) throw new Error(failure);
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

/** Starts a worker that imports a module. What it prints is not part of the report. */
function startWorker(url: string): Worker {
  const worker = new Worker(WORKER, {
    workerData: [url, PLANTS, EXERCISE_USERS],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    stdout: true,
    stderr: true,
  });
  // Deno has no such streams.
  for (const output of [worker.stdout, worker.stderr]) output?.resume();
  return worker;
}
