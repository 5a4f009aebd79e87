import { readReply } from "./reply.ts";

// The page in the frame: starts the worker, and passes calls and replies on. Its
// sandbox and its policy let the code of the learner reach nothing.

/** The code of worker.ts. */
declare const WORKER: string;

// Without the sandbox, the code would have the origin of the site.
if (origin !== "null") throw new Error("this page works only in the lab");

const url = URL.createObjectURL(
  new Blob([WORKER], { type: "text/javascript" }),
);
const pending = new Set<number>();
let worker: Worker | undefined;
let code = "";

addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  if (data.restart) restart();
  if (data.code !== undefined) code = data.code;
  pending.add(data.id);
  if (worker) worker.postMessage(data);
  else end();
});

function restart(): void {
  worker?.terminate();
  pending.clear();
  const started = worker = new Worker(url);
  started.addEventListener("message", async ({ data }) => {
    if (started !== worker) return;
    const [id, value] = Array.isArray(data) ? data : [];
    // The worker replies once to each call; all else is the code of the learner.
    if (!pending.delete(id)) return end();
    const reply = readReply(value);
    const isSyntaxError = /^SyntaxError\b/.test(reply.error) && !reply.line;
    const place = isSyntaxError ? await findSyntaxError() : {};
    parent.postMessage([id, { ...reply, ...place }], "*");
  });
}

/** Ends the worker, and reports it to all calls. */
function end(): void {
  worker?.terminate();
  worker = undefined;
  const error = "handler.mjs called postMessage, so the lab ended it";
  for (const id of pending) parent.postMessage([id, { error }], "*");
  pending.clear();
}

/**
 * Finds the place of a syntax error, which import() does not report. The code never
 * runs here, because a module that it imports does not exist.
 */
function findSyntaxError(): Promise<{ line?: number; column?: number }> {
  const text = `${code}\n;import "blob:null/none";`;
  const blob = new Blob([text], { type: "text/javascript" });
  const script = document.createElement("script");
  script.type = "module";
  script.src = URL.createObjectURL(blob);
  return new Promise((resolve) => {
    const found = (event: ErrorEvent) => {
      event.preventDefault();
      resolve({ line: event.lineno, column: event.colno });
    };
    addEventListener("error", found, { once: true });
    script.onerror = () => {
      removeEventListener("error", found);
      resolve({});
    };
    document.head.append(script);
  });
}
