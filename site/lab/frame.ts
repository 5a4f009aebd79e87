// The page in the frame: starts the worker, and passes calls and replies on. Its
// sandbox and its policy keep the learner's code from the site and the network.

/** The code of worker.ts. */
declare const WORKER: string;

// Without the sandbox, the code would have the origin of the site.
if (origin !== "null") throw new Error("this page works only in the lab");

const url = toUrl(WORKER);
let worker: Worker | undefined;
/** Calls without a reply. The first reply of a worker says that it is ready. */
let pending = new Set<number>();

addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  if (data.code !== undefined) start(data.code);
  pending.add(data.id);
  worker?.postMessage(data);
});
parent.postMessage([0, {}], "*"); // ready

/** Ends the previous code with its worker. */
function start(code: string): void {
  worker?.terminate();
  const started = worker = new Worker(url);
  pending = new Set([0]);
  worker.addEventListener("message", async ({ data }) => {
    const [id, reply] = Array.isArray(data) ? data : [];
    if (started !== worker) return;
    // The worker replies once to each call; all else is from the learner's code.
    if (!pending.delete(id)) {
      worker.terminate();
      return parent.postMessage("flood", "*");
    }
    if (id === 0) return;
    const isSyntaxError = /^SyntaxError\b/.test(reply?.error) && !reply.line;
    const place = isSyntaxError ? await findSyntaxError(code) : {};
    if (started !== worker) return;
    parent.postMessage([id, { ...reply, ...place }], "*");
  });
}

function toUrl(code: string): string {
  return URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
}

/**
 * Finds the place of a syntax error, which import() does not report. The code never
 * runs here, because a module that it imports does not exist.
 */
function findSyntaxError(
  code: string,
): Promise<{ line?: number; column?: number }> {
  const script = document.createElement("script");
  script.type = "module";
  script.src = toUrl(`${code}\n;import "blob:null/none";`);
  return new Promise((resolve) => {
    onerror = (_, __, line, column) => {
      resolve({ line: line!, column: column! });
      return true; // handled
    };
    script.onerror = () => resolve({});
    document.head.append(script);
  });
}
