import assert from "node:assert/strict";
import { test } from "node:test";
import { replaceNetwork } from "./network.ts";

/** What is under test: it knows nothing of the store. */
async function listNames(token: string): Promise<string[]> {
  const response = await fetch("https://plants.example/api/plants", {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error((await response.json()).message);
  const plants: { name: string }[] = await response.json();
  return plants.map(({ name }) => name);
}

test("it lists the names of the plants that the user may see", async (t) => {
  replaceNetwork(t);
  assert.deepEqual(await listNames("demo-florist"), ["Rosa canina"]);
});

test("it says why it can't", async (t) => {
  replaceNetwork(t);
  await assert.rejects(listNames("nobody"), /token/);
});
