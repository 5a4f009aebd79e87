import { test } from "node:test";
import { assertEquals, assertNotMatch, assertThrows } from "@std/assert";
import { createMemoryStore } from "../../../../mod.ts";
import { findCommand } from "../../../../src/cli/dispatch.ts";
import { parseOptions } from "../../../../src/cli/parse_options.ts";
import { SERVE_OPTIONS } from "../../../../src/cli/serve_options.ts";
import { quote } from "../../../../src/core/internal/quote.ts";
import fc from "../../../support/fast_check.ts";
import { anyText } from "../../../support/text.ts";

// Messages that quote text are one line, in which all characters are visible.

const UNPRINTABLE = /(?! )[\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

test("quote() returns one printable line, which JSON.parse() reads", () => {
  const property = fc.property(anyText, (text) => {
    const quoted = quote(text);
    assertNotMatch(quoted, UNPRINTABLE);
    const characters = [...text];
    assertEquals(quoted.endsWith('"...'), characters.length > 64);
    assertEquals(
      JSON.parse(quoted.replace(/\.\.\.$/, "")),
      characters.slice(0, 64).join(""),
    );
  });
  fc.assert(property, { numRuns: 500 });
});

const TEXT = "x\u009b31m\u0085\u2028\n\u00a0\u200b\u00ad\u202e\u{e0041}";
const plant = { name: "a", [TEXT]: 1 };

for (
  const [name, run] of [
    ...Object.keys(SERVE_OPTIONS)
      .filter((name) => !/^(?:plants|tokens|demo|host|database)/.test(name))
      .map((name) =>
        [
          `--${name}`,
          () =>
            parseOptions({ options: SERVE_OPTIONS }, [`--${name}=${TEXT}`], {}),
        ] as const
      ),
    ["a command", () => findCommand([TEXT])],
    ["an argument", () => parseOptions({ options: {} }, ["--", TEXT], {})],
    [
      "an unknown option",
      () => parseOptions({ options: {} }, [`--${TEXT}`], {}),
    ],
    ["a property", () => createMemoryStore({ plants: [plant], users: {} })],
  ] as const
) {
  test(`the message about ${name} is one printable line`, () => {
    const { message } = assertThrows(() => run(), Error, "x");
    assertNotMatch(message, UNPRINTABLE);
  });
}
