import process from "node:process";

/** The bytes that a garbage collection leaves. */
export interface Retained {
  /** On the heap of V8. */
  readonly heapUsed: number;
  /** Outside of it, most of them in buffers. */
  readonly external: number;
}

// Loaded into the server with --expose-gc: each message is answered with what it retains.
if (process.send) {
  process.on("message", () => {
    globalThis.gc!();
    const { heapUsed, external } = process.memoryUsage();
    process.send!({ heapUsed, external } satisfies Retained);
  });
  process.channel!.unref();
}
