import { test } from "node:test";
import { assertEquals, assertNotMatch } from "@std/assert";
import fc from "../support/fast_check.ts";
import { createHandler, createMemoryStore } from "../../mod.ts";
import { findCommand } from "../../src/cli/commands.ts";
import { parseOptions } from "../../src/cli/options.ts";
import { SERVE_OPTIONS } from "../../src/cli/serve_options.ts";
import { tokenAdd } from "../../src/cli/token.ts";
import { quote } from "../../src/domain/quote.ts";
import { resolveDelay } from "../../src/http/delay.ts";
import { parseLimits, resolveLimits } from "../../src/server/serve/limits.ts";
import { anyText } from "../support/text.ts";

const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/u;

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
  fc.assert(property, { numRuns: 1_000 });
});

const store = { authenticate: () => undefined };
const memory = (users: unknown, plants: unknown = []) =>
  createMemoryStore(
    { plants, users } as Parameters<
      typeof createMemoryStore
    >[0],
  );

/** The functions that reject text with a message that contains it. */
const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  cors: (text) => createHandler(store, { cors: text }),
  basePath: (text) => createHandler(store, { basePath: text }),
  "a limit": (text) => resolveLimits({ [text]: 1 }),
  "the value of a limit": (text) =>
    resolveLimits({ connections: text as unknown as number }),
  "limits as text": (text) => parseLimits(text, "limits"),
  "a limit as text": (text) => parseLimits(`connections=${text}`, "limits"),
  "a delay": (text) => resolveDelay(text, "delay"),
  "a user": (text) => memory({ [text]: 1 }),
  "a token": (text) => memory({ u: { plants: "all", tokens: [1], [text]: 1 } }),
  "a plant": (text) => memory({}, [{ name: "a", [text]: 1 }]),
  "a command": (text) => findCommand([text]),
  "a group of commands": (text) => findCommand(["user", text]),
  "an argument": (text) => parseOptions({}, ["--", text], {}),
  "an unknown option": (text) => parseOptions({}, [`--x${text}`], {}),
  "an unknown short option": (text) => parseOptions({}, [`-x${text}`], {}),
  ...Object.fromEntries(
    Object.keys(SERVE_OPTIONS).map((name) => [
      `--${name}`,
      (text) => parseOptions(SERVE_OPTIONS, [`--${name}=${text}`], {}),
    ]),
  ),
  "--expires": (text) =>
    parseOptions(tokenAdd.options, ["u", `--expires=${text}`], {}, ["USER"]),
};

for (const [name, call] of Object.entries(FUNCTIONS)) {
  test(`the message about ${name} is one printable line`, () => {
    const texts = fc.oneof(
      anyText,
      fc.constantFrom("\u009b31mb", "\u0085", "\u2028x", "a\u009b\n"),
    );
    const property = fc.property(texts, (text) => {
      try {
        call(text);
      } catch (error) {
        assertNotMatch((error as Error).message, UNPRINTABLE);
      }
    });
    fc.assert(property, { numRuns: 200 });
  });
}
