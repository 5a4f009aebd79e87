import assert from "node:assert/strict";
import { test } from "node:test";
import { replaceNetwork } from "./network.ts";

/** The code under test. It does not use the store. */
async function listNames(token: string): Promise<string[]> {
  const response = await fetch("https://plants.example/api/plants", {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error((await response.json()).message);
  const plants: { name: string }[] = await response.json();
  return plants.map(({ name }) => name);
}

test("listNames() lists the names of the plants that the user can see", async (t) => {
  replaceNetwork(t);
  assert.deepEqual(await listNames("demo-florist"), ["Rosa canina"]);
});

test("listNames() reports why it failed", async (t) => {
  replaceNetwork(t);
  await assert.rejects(listNames("nobody"), /token/);
});
