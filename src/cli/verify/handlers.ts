import { hash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { explainFileError } from "../../stores/files/read_file.ts";
import { TOKENS } from "../../verify/data.ts";
import { type FetchHandler, PLANTS, USERS } from "../../verify/verify.ts";

/** A student's handler. */
export interface Student {
  /** The name of the student's folder. */
  readonly name: string;
  /** Calls the handler in a worker, or throws if there is none. */
  readonly handler: FetchHandler;
  /** Ends the worker. */
  close(): void;
}

/** What a folder of a class contains. */
export interface Class {
  readonly students: readonly Student[];
  /** The names of files outside of the students' folders. */
  readonly ignored: readonly string[];
}

/** The file with a student's handler. */
const FILE = "handler.mjs";

const MODULE = new URL("./handler_worker.js", import.meta.url);

/** The code of a worker. Workers load no modules from JSR, but code that imports one. */
const WORKER = MODULE.protocol === "file:" ? MODULE : new URL(
  `data:text/javascript,${encodeURIComponent(`import "${MODULE}"`)}`,
);

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
 * Opens the file `handler.mjs` in each folder of a folder. Skips hidden folders and
 * `node_modules`.
 *
 * @throws {Error} If there are no folders, or the folder cannot be read.
 */
export async function openClass(folder: string): Promise<Class> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new Error(`cannot read "${folder}": ${explainFileError(error)}`);
  });
  const students: Student[] = [];
  const ignored: string[] = [];
  for (const name of names.sort()) {
    if (name.startsWith(".") || name === "node_modules") continue;
    try {
      const files = await readdir(join(folder, name));
      // Some disks would also open Handler.mjs.
      const opened = files.includes(FILE)
        ? isolate(join(folder, name, FILE))
        : reject(`${FILE} is missing; ${describeFiles(files.sort())}`);
      students.push({ name, ...opened });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOTDIR") ignored.push(name);
      else {
        const why = explainFileError(error as Error);
        students.push({ name, ...reject(`cannot read the folder: ${why}`) });
      }
    }
  }
  if (students.length > 0) return { students, ignored };
  throw new Error(`"${folder}" has no subfolders; create one for each student`);
}

function describeFiles(files: readonly string[]): string {
  if (files.length === 0) return "the folder is empty";
  return `found ${files.slice(0, 3).join(", ")}${
    files.length > 3 ? ", ..." : ""
  }`;
}

/** Returns a handler that fails with a message. */
function reject(message: string): Omit<Student, "name"> {
  return { handler: () => Promise.reject(new Error(message)), close() {} };
}

/** Calls a handler in a worker, which stops if it does not respond in time. */
function isolate(path: string): Omit<Student, "name"> {
  const pending = new Map<number, (reply: Reply) => void>();
  let count = 0;
  let worker: Worker | undefined;

  function start(): Worker {
    const started = new Worker(WORKER, {
      workerData: [pathToFileURL(path).href, PLANTS, users],
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      stdout: true,
      stderr: true,
    });
    // What it prints is not part of the report. Deno has no such streams.
    for (const output of [started.stdout, started.stderr]) output?.resume();
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
