import { test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import { parseBlock } from "../../../site/commands.ts";
import { createConfig } from "../../../site/config.ts";
import { diff } from "../../../site/elements/printed.ts";

const U = "http://127.0.0.1:8000/plants";

/** Returns the request of a command, or why a page cannot send it. */
const parse = (command: string) =>
  parseBlock(`$ ${command}\noutput\n`, undefined)[0]?.request;

test("parseBlock() returns the request and what curl prints", () => {
  assertEquals(
    parseBlock(
      `$ npm test\nok\n$ curl -i -H "A: b c" -H 'D: "e"' \\\n  "${U}?limit=1"\nHTTP\n\n$ curl -sI ${U}\n`,
      undefined,
    ),
    [
      {
        line: `curl -i -H "A: b c" -H 'D: "e"' \\\n  "${U}?limit=1"`,
        shown: "HTTP\n\n",
        request: {
          method: "GET",
          target: "/plants?limit=1",
          headers: [["A", "b c"], ["D", '"e"']],
          prints: { head: true, body: true, status: false },
        },
      },
      {
        line: `curl -sI ${U}`,
        shown: "",
        request: {
          method: "HEAD",
          target: "/plants",
          headers: [],
          prints: { head: true, body: false, status: false },
        },
      },
    ],
  );
  assertEquals(
    parse(`curl -s -o /dev/null -w "%{http_code}\\n" -X DELETE ${U}`),
    {
      method: "DELETE",
      target: "/plants",
      headers: [],
      prints: { head: false, body: false, status: true },
    },
  );
});

for (
  const [command, reason] of [
    [`curl ${U} | grep x`, "it needs a shell and other programs"],
    [`curl "${U}?$(head x)"`, "it needs a shell and other programs"],
    [`curl "${U}?\`x\`"`, "it needs a shell and other programs"],
    ["printf x | curl telnet://h", "it needs a shell and other programs"],
    [`curl -H "Host: a" ${U}`, "browsers don't let pages set Host"],
    [`curl -X "A B" ${U}`, "browsers don't send this method"],
    [`curl -X TRACE ${U}`, "browsers don't send this method"],
    [`curl -X CONNECT ${U}`, "browsers don't send this method"],
    [`curl --max-time 1 ${U}`, "curl stops waiting for the response"],
    [`curl --etag-save a ${U}`, "curl saves the ETag to a file"],
  ] as const
) {
  test(`parseBlock() gives a reason: ${command}`, () => {
    assertEquals(parse(command), reason);
  });
}

test("parseBlock() accepts CRLF", () => {
  const text = `$ curl -i \\\n  ${U}\nHTTP\n\n$ curl ${U}\n[]\n`;
  assertEquals(
    parseBlock(text.replaceAll("\n", "\r\n"), undefined),
    parseBlock(text, undefined),
  );
  assertEquals(parseBlock(text, undefined).length, 2);
});

test("parseBlock() prefers the reason why there is no server", () => {
  const commands = parseBlock(`$ curl ${U}\n$ curl ${U} | a\n`, "none");
  assertEquals(commands.map(({ request }) => request), ["none", "none"]);
});

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

test("createConfig() throws if a page is missing", () => {
  assertThrows(
    () => createConfig({ Learn: ["tutorial"] }),
    Error,
    "docs/.vitepress/config.ts must list ",
  );
});

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
