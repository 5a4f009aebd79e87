import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import process from "node:process";
import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { exchange, openWire } from "../../contract/wire.ts";
import { startProgramFor } from "../../../tools/start_program.ts";
import { listen } from "../../../tools/port.ts";
import { CLOSING, openIdleWires } from "../../support/server.ts";

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
    const port = Number(new URL(url!).port);
    const wires = await openIdleWires(port);
    const wire = openWire(port);
    wire.write(CLOSING.replace("Bearer t", "Bearer demo-visitor"));
    await exchange(port, CLOSING); // by now, the request has been read
    stop(npm.process.pid!);
    await Promise.all(wires.map(({ closed }) => closed));
    assertMatch(await wire.closed, /^HTTP\/1\.1 200 /);
    await npm.ended; // the server, too, because it shares the output
  });
}

test("npm start exits if the server cannot start", async (t) => {
  const port = await listen(t, createServer());
  const env = { npm_lifecycle_event: "start" };
  const args = ["tools/start.mjs", "--port", `${port}`];
  const { ended } = startProgramFor(t, process.execPath, args, { env });
  assertEquals((await ended).status, 1);
});

test("npm start prints one line without a usable temporary folder", () => {
  const env = { ...process.env, TMPDIR: "/dev/null" };
  const args = ["tools/start.mjs", "--help"];
  const { status, stderr } = spawnSync(process.execPath, args, { env });
  assertEquals(status, 1);
  assertMatch(`${stderr}`, /^plant-store: .* ENOTDIR.*; .* set TMPDIR .*\n$/);
});
