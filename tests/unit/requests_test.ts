import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { createDemoStore, createHandler } from "../../mod.ts";
import users from "../../data/tokens.json" with { type: "json" };

const text = await readFile("examples/requests.http", "utf8");
const handler = createHandler(createDemoStore());

/** Matches a request: its status, method, URL, and token. */
const REQUEST =
  /^### (\d+): .+\n(\S+) \{\{url\}\}(\S+)(?:\nAuthorization: (.+))?\n(?:\n|$)/gm;

test("examples/requests.http has the status of each request, and all demo tokens", async () => {
  const requests = [...text.matchAll(REQUEST)];
  assertEquals(requests.length, text.match(/^###/gm)!.length);
  for (const [title, status, method, path, authorization] of requests) {
    const headers: HeadersInit = authorization ? { authorization } : {};
    const response = await handler(path!, { method: method!, headers });
    assertEquals(response.status, Number(status), title);
  }
  const tokens = JSON.stringify(users).match(/\bdemo-\w+/g)!;
  assert(tokens.length > 5);
  assertEquals(tokens.filter((token) => !text.includes(`${token}\n`)), []);
});
