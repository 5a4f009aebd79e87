import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createCatalog } from "../../src/domain/catalog.ts";
import { encodePlants } from "../../src/domain/encoded_plants.ts";
import { STEP } from "../../src/domain/steps.ts";

test("createCatalog() yields once for each step", () => {
  const plants = Array.from({ length: 2 * STEP }, () => ({ name: "a" }));
  assertEquals([...createCatalog(encodePlants(plants))].length, 2);
});
