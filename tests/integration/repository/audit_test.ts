import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { watch } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";

const VALIBOT = {
  id: 1,
  url: "https://advisories.example/1",
  title: "An example",
  severity: "low",
  vulnerable_versions: "<99.0.0",
};

for (
  const [id, advisories, status, line] of [
    ["nothing is known of the packages", {}, 0, /^audit: 0 packages .*\n$/],
    [
      "one has an advisory",
      { valibot: [VALIBOT] },
      1,
      /^audit: valibot: low: An example https:\/\/advisories\.example\/1$/m,
    ],
    [
      "the registry has no advisories to give",
      undefined,
      3,
      /^audit: advisories could not be reached: 405 .*\n$/,
    ],
  ] as const
) {
  test(`npm run audit ends with ${status} when ${id}`, async (t) => {
    const registry = createServer((request, response) => {
      const isAsked = request.url!.endsWith("/advisories/bulk");
      if (isAsked && advisories) response.end(JSON.stringify(advisories));
      else response.writeHead(isAsked ? 405 : 404).end();
    });
    await new Promise<void>((resolve) =>
      registry.listen(0, "127.0.0.1", resolve)
    );
    t.after(() => registry.close());
    const { port } = registry.address() as AddressInfo;
    const { ended } = watch(spawn("npm", ["run", "-s", "audit"], {
      env: {
        ...process.env,
        npm_config_registry: `http://127.0.0.1:${port}`,
        npm_config_cache: await makeFolder(t),
        npm_config_loglevel: "error",
      },
      stdio: ["ignore", "pipe", "pipe"],
    }));
    const { stdout, stderr, status: found } = await ended;
    assertMatch(stderr + stdout, line);
    assertEquals(found, status);
  });
}
