import { readFile, utimes } from "node:fs/promises";
import { constants } from "node:os";
import process from "node:process";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { start, stopAfter } from "../../support/command.ts";
import { writeFiles } from "../../support/files.ts";
import { until } from "../../support/until.ts";

/** Returns whether a process has a handler for a signal. */
async function hasHandler(pid: number, signal: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const [, caught] = /^SigCgt:\s*([0-9a-f]+)$/m.exec(status)!;
  return (BigInt(`0x${caught}`) >> BigInt(signal - 1) & 1n) === 1n;
}

// Process 1 of a container receives only signals that it handles, so SIGTERM must
// not end the process without a handler.
test("serve handles SIGHUP and SIGTERM before it listens", async (t) => {
  // The server rereads a file that changes during a read, for at least half a second.
  const content = { plants: `[${" ".repeat(50_000_000)}]` };
  const { plants, tokens } = await writeFiles(t, content);
  const timer = setInterval(() => {
    // The test may have removed the file.
    utimes(plants, 0, Math.random() * 1e9).catch(() => {});
  }, 1);
  t.after(() => clearInterval(timer));
  const args = ["--port", "0", "--plants", plants, "--tokens", tokens];
  const server = start(args);
  stopAfter(t, server);
  const { SIGHUP, SIGTERM } = constants.signals;
  await until(async () =>
    await hasHandler(server.process.pid!, SIGHUP) &&
    await hasHandler(server.process.pid!, SIGTERM)
  );
  process.kill(server.process.pid!, "SIGHUP");
  process.kill(server.process.pid!, "SIGTERM");
  const { status, signal, stdout, stderr } = await server.ended;
  assertEquals([status, signal, stdout, stderr], [0, null, "", ""]);
});
