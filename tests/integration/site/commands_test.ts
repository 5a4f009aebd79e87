import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { parseBlock } from "../../../site/commands.ts";
import { diff } from "../../../site/elements/printed.ts";

// site_test.ts and blocks_test.ts send what they parse, and compare what is equal.

const U = "http://127.0.0.1:8000/plants";

for (
  const command of [
    "node --test",
    "curl",
    "curl http://example.com/",
    `curl --compressed ${U}`,
    `curl ${U} ${U}`,
    `curl ${U} | grep x`,
  ]
) {
  test(`a page does not send the requests of a block with: ${command}`, () => {
    assertEquals(parseBlock(`$ ${command}\n$ curl ${U}\n`), []);
  });
}

for (
  const [name, output, shown, expected] of [
    ["another line", "a\nb", "a\nc", ["- c", "+ b"]],
    ["an additional line", "a\nb", "a", ["+ b"]],
    ["a missing line", "a", "a\nb", ["- b"]],
    ["another order", "a\nb", "b\na", ["the lines are in a different order"]],
    [
      "the order and case of headers",
      "HTTP/1.1 200 OK\nB: 1\nA: 2\nDate: x\n\n[]",
      "HTTP/1.1 200 OK\na: 2\nb: 1\n\n[]",
      [],
    ],
    [
      "a header",
      "HTTP/1.1 200 OK\nA: 2\n\n[]",
      "HTTP/1.1 200 OK\nA: 1\n\n[]",
      ["- a: 1", "+ a: 2"],
    ],
  ] as const
) {
  test(`diff() compares ${name}`, () => {
    assertEquals(diff(output, shown), expected);
  });
}
