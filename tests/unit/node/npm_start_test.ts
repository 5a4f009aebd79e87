import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { assertEquals } from "@std/assert";
import { startProgramFor } from "../../support/program.ts";
import { list } from "../../support/send.ts";
import { openIdleWires } from "../../support/server.ts";

// A terminal sends SIGINT to npm, its shell, and the server. SIGTERM reaches only
// npm, which exits with its shell; then the server detects that they are gone.
const STOPS = {
  "Ctrl+C": (npm: number) => process.kill(-npm, "SIGINT"),
  "SIGTERM": (npm: number) => process.kill(npm, "SIGTERM"),
};

for (const [name, stop] of Object.entries(STOPS)) {
  test(`${name} stops the server of npm start after its requests`, async (t) => {
    const args = ["start", "--", "--port", "0", "--delay", "1500"];
    const npm = startProgramFor(t, "npm", args);
    const [, url] = await npm.until("stdout", /Listening on (.*)\n/);
    const wires = await openIdleWires(Number(new URL(url!).port));
    const response = list(url!);
    await delay(300);
    stop(npm.process.pid!);
    await Promise.all(wires.map(({ closed }) => closed));
    assertEquals((await response).status, 200);
  });
}
