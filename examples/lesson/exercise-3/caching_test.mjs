import { equal, match } from "node:assert/strict";
import { test } from "node:test";
import { handler } from "./handler.mjs";

const users = { curator: { plants: "all", tokens: ["a"] } };
const ROSES = [{ name: "Rosa canina", tag: "flower" }];

function list(plants, headers) {
  const request = new Request("http://localhost/plants", {
    headers: { Authorization: "Bearer a", ...headers },
  });
  return handler(request, plants, users);
}

test("a list has an ETag, and only the client can cache it", async () => {
  const { status, headers } = await list(ROSES);
  equal(status, 200);
  match(headers.get("ETag") ?? "", /^(W\/)?"[^"]+"$/);
  const control = headers.get("Cache-Control") ?? "";
  match(control, /\bprivate\b/i);
  match(control, /\bno-cache\b/i);
  match(headers.get("Vary") ?? "", /\bauthorization\b/i);
});

test("an unchanged list returns 304 with the same headers", async () => {
  const { headers } = await list(ROSES);
  const again = await list(ROSES, { "If-None-Match": headers.get("ETag") });
  equal(again.status, 304);
  equal(again.body, null);
  for (const name of ["ETag", "Cache-Control", "Vary"]) {
    equal(again.headers.get(name), headers.get(name));
  }
});

test("a changed list returns 200", async () => {
  const { headers } = await list(ROSES);
  const changed = await list([], { "If-None-Match": headers.get("ETag") });
  equal(changed.status, 200);
});
