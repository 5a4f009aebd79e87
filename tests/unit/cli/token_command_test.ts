import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { createMemoryStore } from "../../../mod.ts";
import { digest } from "../../contract/stores.ts";
import { call } from "../../support/cli.ts";

/** Runs the command, and returns the token and the record. */
async function create(...args: string[]) {
  const { stdout, stderr } = await call(["token", ...args]);
  const [record = ""] = /^\{.*\}$/m.exec(stderr) ?? [];
  return { token: stdout.trim(), record: JSON.parse(record) };
}

test("token prints a token, and a record with its digest", async () => {
  const { stdout, stderr } = await call(["token"]);
  const token = stdout.trim();
  assertMatch(token, /^ps_[A-Za-z0-9_-]{43}$/);
  const record = JSON.stringify({ sha256: digest(token) });
  const add =
    "add this to the tokens of a user in the tokens file (never expires)";
  assertEquals(
    stderr,
    `plant-store: ${add}:\n${record}\nplant-store: token (shown only once):\n`,
  );
});

const NOW = Date.parse("2030-01-01T00:00:00.999Z");

for (
  const [value, expected] of [
    ["2031-01-31", "2031-01-31"],
    ["2031-01-31T12:00:00+01:00", "2031-01-31T12:00:00+01:00"],
    ["30d", "2030-01-31T00:00:00Z"],
    ["2w", "2030-01-15T00:00:00Z"],
    ["12h", "2030-01-01T12:00:00Z"],
    ["90m", "2030-01-01T01:30:00Z"],
  ] as const
) {
  test(`token --expires ${value} creates a token that expires at ${expected}`, async (t) => {
    const now = t.mock.method(Date, "now", () => NOW);
    t.after(() => now.mock.restore()); // Deno does not restore it
    const { record } = await create("--expires", value);
    assertEquals(record.expires, expected);
  });
}

test("token prints a user and a token for each name", async () => {
  const names = ["ada", 'Ben "B" K.'];
  const args = [...names, "--expires", "2999-01-01"];
  const { stdout, status } = await call(["token", ...args]);
  assertEquals(status, 0);
  const lines = stdout.match(/^".*,$/gm) ?? [];
  const users = JSON.parse(`{${lines.join("").slice(0, -1)}}`);
  const tokens = Array.from(
    stdout.matchAll(/^ {2}(.+?) {2,}(ps_\S+)$/gm),
    ([, name = "", token = ""]) => [name, token] as const,
  );
  assertEquals(tokens.map(([name]) => name), names);
  const expected = tokens.map(([name, token]) => [name, {
    plants: "all",
    tokens: [{ sha256: digest(token), expires: "2999-01-01" }],
  }]);
  assertEquals(users, Object.fromEntries(expected));
  createMemoryStore({ plants: [], users }); // they are valid
});
