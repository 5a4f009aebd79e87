import { spawn } from "node:child_process";
import { connect } from "node:net";
import { test } from "node:test";
import { watch } from "../support/command.ts";
import { openIdleWires } from "../support/server.ts";
import { until } from "../support/until.ts";

// A terminal sends SIGINT to npm, its shell, and the server. SIGTERM reaches only
// npm, which exits with its shell; then the server detects that they are gone.
const STOPS = {
  "Ctrl+C": (npm: number) => process.kill(-npm, "SIGINT"),
  "SIGTERM": (npm: number) => process.kill(npm, "SIGTERM"),
};

for (const [name, stop] of Object.entries(STOPS)) {
  test(`${name} stops the server of npm start`, async (t) => {
    const child = spawn("npm", ["start", "--", "--port", "0"], {
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    t.after(() => {
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch {
        // The whole group has exited, as it should.
      }
    });
    const npm = watch(child);
    const [, port] = await npm.until("stdout", /Listening on .*:(\d+)\/\n/);
    await openIdleWires(Number(port));

    stop(child.pid!);
    await until(() => isFree(Number(port)));
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.on("error", () => resolve(true));
  });
}
