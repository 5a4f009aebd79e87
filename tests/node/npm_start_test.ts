import { spawn } from "node:child_process";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { watch } from "../cli/command.ts";
import { exchange, openWire } from "../contract/wire.ts";

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`npm start hands ${signal} on, and no server stays behind`, async (t) => {
    const child = spawn("npm", ["start", "--", "--port", "0"], {
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const running = watch(child);
    t.after(() => {
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch {
        // The whole group has ended: so it should.
      }
    });
    const [, port] = await running.until("stdout", /Listening on .*:(\d+)\/\n/);
    const idle = openWire(Number(port));
    idle.write("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n");
    await idle.until(/"ok"\}$/);

    running.kill(signal);
    const { status, signal: killed } = await running.ended;
    assertEquals([status, killed], [0, null]);
    assertEquals(await exchange(Number(port), "GET / HTTP/1.1\r\n\r\n"), "");
  });
}
