import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assertEquals, assertNotMatch, assertThrows } from "@std/assert";
import {
  createHandler,
  createMemoryStore,
  type MemoryStoreContent,
} from "../../../../mod.ts";
import { digest } from "../../../contract/stores.ts";
import { collect } from "../../../support/collect.ts";

const DIGEST = digest("hashed");

const CONTENT: MemoryStoreContent = {
  plants: [{ name: "a", tag: "x" }, { name: "b" }],
  users: { u: { plants: "all", tokens: ["s3cret"] } },
};

const withPlants = (...plants: unknown[]) => ({ plants });
const withUser = (u: unknown, more = {}) => ({ users: { u, ...more } });
const TOKENS = 'users["u"]["tokens"]';
const withTokens = (tokens: unknown) => withUser({ plants: "all", tokens });
const TOKEN = { plants: "all", tokens: ["s3cret"] };

for (
  const [message, content] of [
    [
      'plants[1]["name"]: name must be a non-empty string',
      withPlants({ name: "a" }, { name: "" }),
    ],
    ["plants: expected an array of plants", { plants: {} }],
    ["users must be an object", { users: null }],
    ["users must be an object", { users: new Map() }],
    ['users["u"]: expected a user object', withUser(1)],
    [`${TOKENS}[0]: a token must consist of letters`, withTokens(["s3cret s"])],
    [
      'users["u"]["behavior"]["fail"]: fail must be a pattern',
      withUser({ ...TOKEN, behavior: { fail: "2" } }),
    ],
    [
      'users["v"]["tokens"][0]: duplicate token; remove one of the duplicates',
      withUser(TOKEN, { v: TOKEN }),
    ],
    ["users: a user name must not be empty", { users: { "": TOKEN } }],
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

test("a property that is undefined is absent", async () => {
  const token = { token: "s3cret", sha256: undefined, expires: undefined };
  const store = createMemoryStore({
    plants: [{ name: "a", tag: undefined }, { name: "b", tag: "x" }],
    users: {
      u: {
        plants: { tags: undefined, names: ["a"] },
        behavior: undefined,
        tokens: [token],
      },
    },
  } as unknown as MemoryStoreContent);
  const response = await createHandler(store)("/plants", {
    headers: { authorization: "Bearer s3cret" },
  });
  assertEquals(await response.json(), [{ name: "a" }]);
});

test("MemoryStore.replace() replaces plants and users, unless they are invalid", async () => {
  const store = createMemoryStore(CONTENT);
  const invalid = { ...CONTENT, plants: [{ name: "" }] };
  assertThrows(() => store.replace(invalid), TypeError);
  const before = await store.authenticate("s3cret");
  const plants = [{ name: "c" }];
  const users = { u: { plants: "all", tokens: ["new"] } } as const;
  store.replace({ plants, users });
  plants[0]!.name = "d"; // the store has a copy
  assertEquals(await collect(await before!.list()), CONTENT.plants);
  assertEquals(await store.authenticate("s3cret"), undefined);
  const after = await store.authenticate("new");
  assertEquals(await collect(await after!.list()), [{ name: "c" }]);
});

test("createMemoryStore() accepts the content of the two files", async () => {
  const read = async (name: string) =>
    JSON.parse(await readFile(`data/${name}.json`, "utf8"));
  const plants = await read("plants"), users = await read("tokens");
  const store = createMemoryStore({
    plants,
    users: { ...users, hashed: { plants: {}, tokens: [{ sha256: DIGEST }] } },
  });
  const userOf = async (token: string) =>
    (await store.authenticate(token))?.name;
  assertEquals(await userOf("demo-florist"), "florist");
  assertEquals(await userOf("demo-expired"), undefined);
  assertEquals(await userOf("hashed"), "hashed");
  assertEquals(await userOf(DIGEST), undefined);
});
