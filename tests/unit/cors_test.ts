import { test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import { createHandler } from "../../mod.ts";

const INVALID: readonly (string | readonly string[])[] = [
  ...["", "on", "a.example", "https://a.example/", "https://A.example"],
  ...["*,https://a.example", "https://a.example:443", "https://a.example,"],
  "https://u@a.example",
  ["https://a.example", "off"],
];

// The contract covers the valid values.
for (const cors of INVALID) {
  test(`createHandler() rejects cors ${JSON.stringify(cors)}`, () => {
    const store = { authenticate: () => undefined };
    assertThrows(() => createHandler(store, { cors }), RangeError, "origin");
  });
}

test("createHandler() accepts spaces between the origins of cors", async () => {
  const origin = "https://b.example";
  const cors = `https://a.example, ${origin}`;
  const handler = createHandler({ authenticate: () => undefined }, { cors });
  // Browsers and Deno do not allow scripts to set Origin in a Request.
  const request = { method: "GET", url: "/", headers: new Headers({ origin }) };
  const { headers } = await handler(request as Request);
  assertEquals(headers.get("access-control-allow-origin"), origin);
});
