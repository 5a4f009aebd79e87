import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createCatalogue } from "../../src/domain/catalogue.ts";
import { encodePlants } from "../../src/domain/encoded_plants.ts";
import { runSteps } from "../../src/domain/steps.ts";

test("createCatalogue() lists the limit after millions of selections", async () => {
  const plants = ["a", "b", "c"].map((name) => ({ name }));
  const catalogue = runSteps(createCatalogue(encodePlants(plants)));
  for (let count = 0; count < 2 ** 21 + 2 ** 10; count++) {
    catalogue.select("all");
  }
  const selection = catalogue.select("all");
  for (const limit of [0, 1, 2, 1, 3, 0]) {
    const { body } = await selection.list(limit);
    const text = new TextDecoder().decode(body as Uint8Array);
    assertEquals(JSON.parse(text), plants.slice(0, limit));
  }
});
