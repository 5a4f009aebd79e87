import { createServer } from "node:http";
import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { makeFolder } from "../../support/files.ts";
import { listen } from "../../support/port.ts";
import { startProgram } from "../../support/program.ts";

const ADVISORY = {
  id: 1,
  url: "https://advisories.example/1",
  title: "An example",
  severity: "low",
  vulnerable_versions: "<99.0.0",
};

for (
  const [description, advisories, expected, line] of [
    ["there are no advisories", {}, 0, /^audit: 0 packages/m],
    ["there is an advisory", { valibot: [ADVISORY] }, 1, /\bvalibot(?:,|$)/m],
    ["there is no registry", undefined, 3, /^audit: cannot retrieve/m],
  ] as const
) {
  test(`npm run audit exits with status ${expected} if ${description}`, async (t) => {
    const registry = createServer(({ url }, response) => {
      const isKnown = url!.endsWith("/advisories/bulk");
      if (isKnown && advisories) response.end(JSON.stringify(advisories));
      else response.writeHead(isKnown ? 405 : 404).end();
    });
    const port = await listen(t, registry);
    const { ended } = startProgram("npm", ["run", "-s", "audit"], {
      env: {
        npm_config_registry: `http://127.0.0.1:${port}`,
        npm_config_cache: await makeFolder(t),
      },
    });
    const { status, stdout } = await ended;
    assertMatch(stdout, line);
    assertEquals(status, expected);
  });
}
