import { afterEach, expect, jest, test } from "@jest/globals";
import { createDemoStore, createHandler } from "plant-store";

const handler = createHandler(createDemoStore());

/** The code under test. */
async function countPlants(token) {
  const response = await fetch("https://plants.example/plants", {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`${response.status}`);
  return (await response.json()).length;
}

afterEach(() => jest.restoreAllMocks());

test("Jest: counts the plants of the user", async () => {
  jest.spyOn(globalThis, "fetch").mockImplementation(handler);
  expect(await countPlants("demo-florist")).toBe(37);
  await expect(countPlants("demo-expired")).rejects.toThrow("401");
});
