// The page in the frame: starts the worker, and passes calls and replies on. Its
// sandbox and its policy keep the learner's code from the site and the network.

/** The code of worker.ts. */
declare const WORKER: string;

// Without the sandbox, the code would have the origin of the site.
if (origin !== "null") throw new Error("this page works only in the lab");

const worker = new Worker(toUrl(WORKER));
/** Calls without a reply. The first reply says that the worker is ready. */
const pending = new Set([0]);
let code = "";

addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  code = data.code ?? code;
  pending.add(data.id);
  worker.postMessage(data);
});

worker.addEventListener("message", async ({ data }) => {
  const [id, reply] = Array.isArray(data) ? data : [];
  // The worker replies once to each call; all else is from the learner's code.
  if (!pending.delete(id)) {
    worker.terminate();
    return parent.postMessage("flood", "*");
  }
  const isSyntaxError = /^SyntaxError\b/.test(reply?.error) && !reply.line;
  const place = isSyntaxError ? await findSyntaxError() : {};
  parent.postMessage([id, { ...reply, ...place }], "*");
});

function toUrl(code: string): string {
  return URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
}

/**
 * Finds the place of a syntax error, which import() does not report. The code never
 * runs here, because a module that it imports does not exist.
 */
function findSyntaxError(): Promise<{ line?: number; column?: number }> {
  const script = document.createElement("script");
  script.type = "module";
  script.src = toUrl(`${code}\n;import "blob:null/none";`);
  return new Promise((resolve) => {
    addEventListener("error", (event) => {
      event.preventDefault();
      resolve({ line: event.lineno, column: event.colno });
    });
    script.onerror = () => resolve({});
    document.head.append(script);
  });
}
