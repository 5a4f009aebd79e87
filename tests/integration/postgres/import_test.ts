import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals } from "@std/assert";
import type { Plant } from "../../../mod.ts";
import { digest } from "../../contract/stores.ts";
import { createDatabaseFor, list, openStoreFor } from "./database.ts";

/** Creates plants, a user who can see half of them, and the list of the user. */
function createContent(round: 0 | 1) {
  const plants: Plant[] = Array.from({ length: 400 }, (_, index) => ({
    name: `Plant ${index} of ${round}`,
    tag: index % 2 === round ? "visible" : "hidden",
  }));
  const { name: hidden } = plants[1 - round]!;
  const visible = plants.filter(({ name, tag }) =>
    tag === "visible" || name === hidden
  );
  const users = {
    curator: {
      plants: { tags: ["visible"], names: [hidden] },
      tokens: [{ sha256: digest("token") }],
    },
  };
  return { plants, users, body: JSON.stringify(visible) };
}

test("lists are complete and never mix imports while imports run", async (t) => {
  const database = await createDatabaseFor(t);
  const contents = [createContent(0), createContent(1)] as const;
  await database.fill(contents[0].plants, contents[0].users);
  const store = await openStoreFor(t, { url: database.url });

  const counts = new Map<string, number>();
  let isRunning = true;
  const readers = Array.from({ length: 8 }, async () => {
    while (isRunning) {
      const text = await list(store);
      counts.set(text, (counts.get(text) ?? 0) + 1);
      await setTimeout(1);
    }
  });
  for (let round = 1; round <= 30; round++) {
    const { plants, users } = contents[round % 2]!;
    await database.fill(plants, users);
  }
  isRunning = false;
  await Promise.all(readers);
  const bodies = contents.map(({ body }) => body);
  assertEquals([...counts.keys()].sort(), bodies.sort());
  assert([...counts.values()].every((count) => count > 1));
});
