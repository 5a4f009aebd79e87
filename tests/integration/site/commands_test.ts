import { test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import { parseBlock } from "../../../site/commands.ts";
import { diff } from "../../../site/elements/printed.ts";

const U = "http://127.0.0.1:8000/plants";
const SHELL = "it needs a shell and other programs";
const METHOD = "browsers don't send this method";

/** Returns the request of a command, or why a page cannot send it. */
const parse = (command: string) =>
  parseBlock(`$ ${command}\noutput\n`, undefined)[0]?.request;

for (
  const [command, reason] of [
    [`curl ${U} | grep x`, SHELL],
    [`curl "${U}?$(head x)"`, SHELL],
    [`curl "${U}?\`x\`"`, SHELL],
    [`curl -H "Host: a" ${U}`, "browsers don't let pages set Host"],
    [`curl -X "A B" ${U}`, METHOD],
    [`curl -X TRACE ${U}`, METHOD],
    [`curl --max-time 1 ${U}`, "curl stops waiting for the response"],
    [`curl --etag-save a ${U}`, "curl saves the ETag to a file"],
  ] as const
) {
  test(`parseBlock() gives a reason: ${command}`, () => {
    assertEquals(parse(command), reason);
  });
}

for (
  const command of [
    `curl --compressed ${U}`,
    `curl ${U} ${U}`,
    "curl http://example.com/",
    "curl",
    `curl -o file ${U}`,
    `curl -w "%{url}" ${U}`,
    `curl -H A ${U}`,
  ]
) {
  test(`parseBlock() throws: ${command}`, () => {
    assertThrows(() => parse(command), Error);
  });
}

for (
  const [name, output, shown, expected] of [
    ["equal", "a\n", "a", []],
    ["text within a line", "ab-c", "a...c", []],
    ["lines", "a\nb\nc", "a\n...\nc", []],
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
