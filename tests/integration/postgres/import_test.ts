import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals } from "@std/assert";
import type { EncodedList, Plant } from "../../../mod.ts";
import { openPostgresStore } from "../../../src/stores/postgres.ts";
import { digest } from "../../contract/stores.ts";
import { createDatabase } from "./database.ts";

/** Plants, a user who sees about half of them, and what that user gets. */
function createRound(round: 0 | 1) {
  const plants: Plant[] = Array.from({ length: 400 }, (_, at) => ({
    name: `Plant ${at} of ${round}`,
    tag: at % 2 === round ? "seen" : "hidden",
  }));
  const hidden = plants[1 - round]!.name;
  const seen = plants.filter(({ name, tag }) =>
    tag === "seen" || name === hidden
  );
  const users = {
    curator: {
      plants: { tags: ["seen"], names: [hidden] },
      tokens: [{ sha256: digest("token") }],
    },
  };
  return { plants, users, body: JSON.stringify(seen) };
}

test("imports while plants are listed: no list mixes two, or is cut", async (t) => {
  const database = await createDatabase();
  t.after(() => database.remove());
  const rounds = [createRound(0), createRound(1)] as const;
  const [first] = rounds;
  await database.fill(first.plants, first.users);
  const store = await openPostgresStore({ url: database.url });
  t.after(() => store.close());

  const bodies = new Map<string, number>();
  let isOver = false;
  const readers = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const view = await store.authenticate("token");
      const { body } = await view!.list() as EncodedList;
      const text = new TextDecoder().decode(body as Uint8Array);
      bodies.set(text, (bodies.get(text) ?? 0) + 1);
      await setTimeout(1);
    }
  });
  for (let time = 0; time < 30; time++) {
    const { plants, users } = rounds[(time + 1) % 2]!;
    await database.fill(plants, users);
  }
  isOver = true;
  await Promise.all(readers);
  assertEquals(
    [...bodies.keys()].sort(),
    rounds.map(({ body }) => body).sort(),
  );
  assert([...bodies.values()].every((count) => count > 1));
});
