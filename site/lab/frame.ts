// The page in the frame: starts the worker, and passes calls on. Its sandbox and its
// policy keep the learner's code from the site and the network.

/** The code of worker.ts. */
declare const WORKER: string;

// Without the sandbox, the code would have the origin of the site.
if (origin !== "null") throw new Error("this page works only in the lab");

const url = toUrl(WORKER);
let worker: Worker | undefined;

addEventListener("message", async ({ source, data, ports: [port] }) => {
  if (source !== parent || !port) return;
  if (data.broken !== undefined) {
    return port.postMessage(await findSyntaxError(data.broken));
  }
  if (data.code !== undefined) start();
  worker?.postMessage(data, [port]);
});

/** Ends the previous code with its worker. */
function start(): void {
  worker?.terminate();
  const started = worker = new Worker(url);
  // The worker replies through the port of a call; all else is from the learner's code.
  started.onmessage = () => started.terminate();
}

function toUrl(code: string): string {
  return URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
}

/**
 * Finds the place of a syntax error, which import() does not report. The code never
 * runs here, because a module that it imports does not exist.
 */
function findSyntaxError(code: string): Promise<object> {
  const script = document.createElement("script");
  script.type = "module";
  script.src = toUrl(`${code}\n;import "blob:null/none";`);
  return new Promise((resolve) => {
    onerror = (_, __, line, column) => {
      resolve({ line, column });
      return true; // handled
    };
    script.onerror = () => resolve({});
    document.head.append(script);
  });
}
