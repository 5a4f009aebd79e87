import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { withHeaders } from "../../src/http/response.ts";
import { createResponses } from "../../src/http/responses.ts";

const responses = Object.entries(createResponses(withHeaders([]), "/api"));

for (const [id, { status, body }] of responses) {
  if (status < 400) continue;
  test(`the response ${id} has its status and a message`, () => {
    const { error, message, ...rest } = JSON.parse(body as string);
    assertEquals(error, id === "unexpected" ? 500 : status);
    assertMatch(message, /^[A-Z`].{20,}[^.]$/);
    assertEquals(rest, {});
  });
}
