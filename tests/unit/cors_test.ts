import { test } from "node:test";
import { assertThrows } from "@std/assert";
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
