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
  test(`${name} stops the server of npm start`, async (t) => {
    const npm = startProgramFor(t, "npm", ["start", "--", "--port", "0"]);
    const [, port] = await npm.until("stdout", /Listening on .*:(\d+)\/\n/);
    const wires = await openIdleWires(Number(port));

    stop(npm.process.pid!);
    await Promise.all(wires.map(({ closed }) => closed));
  });
}

test("npm start finishes requests when npm has exited", async (t) => {
  const args = ["start", "--", "--port", "0", "--delay", "2500"];
  const npm = startProgramFor(t, "npm", args);
  const [, url] = await npm.until("stdout", /Listening on (.*)\n/);
  const response = list(url!);
  await delay(500);
  STOPS.SIGTERM(npm.process.pid!);
  assertEquals((await response).status, 200);
});
