import { test } from "node:test";
import { assertEquals, assertNotMatch, assertThrows } from "@std/assert";
import { createMemoryStore, type MemoryStoreContent } from "../../mod.ts";
import { listNames } from "../support/names.ts";

const CONTENT: MemoryStoreContent = {
  plants: [{ name: "a", tag: "x" }, { name: "b" }],
  users: { u: { plants: "all", tokens: ["s3cret"] } },
};

const withPlants = (...plants: unknown[]) => ({ plants });
const withUser = (u: unknown, more = {}) => ({ users: { u, ...more } });
const ILL_FORMED = 'plants[0]["name"]: name must be well-formed Unicode';
const TOKEN = { plants: "all", tokens: ["s3cret"] };

for (
  const [message, content] of [
    [
      'plants[1]["name"]: name must be a non-empty string',
      withPlants({ name: "a" }, { name: "" }),
    ],
    ['plants[0]: missing required property "name"', withPlants({})],
    [
      'plants[0]["tag"]: tag must be a non-empty string',
      withPlants({ name: "a", tag: 1 }),
    ],
    [
      'plants[0]: unknown property "id"; allowed: name, tag',
      withPlants({ name: "a", id: 1 }),
    ],
    [
      'plants[0]: unknown property "constructor"',
      withPlants({ name: "a", constructor: 1 }),
    ],
    [ILL_FORMED, withPlants({ name: "\uD800" })],
    [ILL_FORMED, withPlants({ name: "a\0" })],
    ["plants: expected an array of plants", { plants: {} }],
    ["users must be an object", { users: [] }],
    ["users must be an object", { users: new Map() }],
    ["users must be an object", { users: undefined }],
    ['users["u"]: expected a user object', withUser(1)],
    [
      'users["u"]["plants"]: expected "all"',
      withUser({ plants: "some", tokens: [] }),
    ],
    [
      'users["u"]["plants"]["tags"][0]: a tag must be a non-empty string',
      withUser({ plants: { tags: [1] }, tokens: [] }),
    ],
    [
      'users["u"]["tokens"][0]: a token must be a string',
      withUser({ plants: "all", tokens: [1] }),
    ],
    [
      'users["u"]["tokens"][0]: a token must consist of letters',
      withUser({ plants: "all", tokens: ["s3cret s3cret"] }),
    ],
    [
      'users["v"].tokens contains a duplicate token',
      withUser(TOKEN, { v: TOKEN }),
    ],
  ] as const
) {
  test(`createMemoryStore() rejects ${JSON.stringify(content)}`, () => {
    const error = assertThrows(
      () => createMemoryStore({ ...CONTENT, ...content } as MemoryStoreContent),
      TypeError,
      message,
    );
    assertNotMatch(error.message, /s3cret/);
  });
}

test("createMemoryStore() copies its content", async () => {
  const plants = [{ name: "a" }];
  const names = ["a"];
  const store = createMemoryStore({
    plants,
    users: { u: { plants: { names }, tokens: ["t"] } },
  });
  plants[0]!.name = "b";
  names[0] = "b";
  assertEquals(await listNames(store.authenticate("t")), ["a"]);
});

test("MemoryStore.replace() replaces plants and users", async () => {
  const store = createMemoryStore(CONTENT);
  const before = store.authenticate("s3cret");
  store.replace({
    plants: [{ name: "c" }],
    users: { u: { plants: "all", tokens: ["new"] } },
  });
  assertEquals(await listNames(before), ["a", "b"]);
  assertEquals(store.authenticate("s3cret"), undefined);
  assertEquals(await listNames(store.authenticate("new")), ["c"]);
});

test("MemoryStore.replace() changes nothing if the content is invalid", async () => {
  const store = createMemoryStore(CONTENT);
  const content = { ...CONTENT, plants: [{ name: "" }] };
  assertThrows(() => store.replace(content), TypeError);
  assertEquals(await listNames(store.authenticate("s3cret")), ["a", "b"]);
});
