import { test } from "node:test";
import { assertEquals, assertNotMatch, assertThrows } from "@std/assert";
import {
  createMemoryStore,
  type EncodedList,
  type MemoryStoreContent,
  type Viewer,
} from "../../mod.ts";

const CONTENT: MemoryStoreContent = {
  plants: [{ name: "a", tag: "x" }, { name: "b" }],
  users: { u: { plants: "all", tokens: ["s3cret"] } },
};

async function names(view: Viewer | undefined): Promise<string[]> {
  const { body } = await view!.list() as EncodedList;
  const plants = JSON.parse(new TextDecoder().decode(body as Uint8Array));
  return plants.map(({ name }: { name: string }) => name);
}

for (
  const [message, content] of [
    ['plants[1]["name"]: name must be a non-empty string', {
      plants: [{ name: "a" }, { name: "" }],
    }],
    ['plants[0]: missing required property "name"', { plants: [{}] }],
    ['plants[0]["tag"]: tag must be a non-empty string', {
      plants: [{ name: "a", tag: 1 }],
    }],
    ['plants[0]: unknown property "id"; allowed: name, tag', {
      plants: [{ name: "a", id: 1 }],
    }],
    ['plants[0]: unknown property "constructor"', {
      plants: [{ name: "a", constructor: 1 }],
    }],
    ['plants[0]["name"]: name must be well-formed Unicode', {
      plants: [{ name: "\uD800" }],
    }],
    ['plants[0]["name"]: name must be well-formed Unicode', {
      plants: [{ name: "a\0" }],
    }],
    ["plants: expected an array of plants", { plants: {} }],
    ["users must be an object", { users: [] }],
    ["users must be an object", { users: new Map() }],
    ["users must be an object", { users: undefined }],
    ['users["u"]: expected a user object', { users: { u: 1 } }],
    ['users["u"]["plants"]: expected "all"', {
      users: { u: { plants: "some", tokens: [] } },
    }],
    ['users["u"]["plants"]["tags"][0]: a tag must be a non-empty string', {
      users: { u: { plants: { tags: [1] }, tokens: [] } },
    }],
    ['users["u"]["tokens"][0]: a token must consist of letters', {
      users: { u: { plants: "all", tokens: ["s3cret s3cret"] } },
    }],
    ['users["v"].tokens contains a duplicate token', {
      users: {
        u: { plants: "all", tokens: ["s3cret"] },
        v: { plants: "all", tokens: ["s3cret"] },
      },
    }],
  ] as const
) {
  test(`createMemoryStore() refuses: ${message}`, () => {
    const error = assertThrows(
      () => createMemoryStore({ ...CONTENT, ...content } as MemoryStoreContent),
      TypeError,
      message,
    );
    assertNotMatch(error.message, /s3cret/);
  });
}

test("createMemoryStore() keeps a copy of its content", async () => {
  const plants = [{ name: "a" }];
  const names_ = ["a"];
  const store = createMemoryStore({
    plants,
    users: { u: { plants: { names: names_ }, tokens: ["t"] } },
  });
  plants[0]!.name = "b";
  names_[0] = "b";
  assertEquals(await names(store.authenticate("t")), ["a"]);
});

test("MemoryStore.replace() puts other content in the place of this", async () => {
  const store = createMemoryStore(CONTENT);
  const before = store.authenticate("s3cret");
  store.replace({
    plants: [{ name: "c" }],
    users: { u: { plants: "all", tokens: ["new"] } },
  });
  assertEquals(await names(before), ["a", "b"]);
  assertEquals(store.authenticate("s3cret"), undefined);
  assertEquals(await names(store.authenticate("new")), ["c"]);
});

test("MemoryStore.replace() changes nothing when the content is not valid", async () => {
  const store = createMemoryStore(CONTENT);
  assertThrows(
    () => store.replace({ ...CONTENT, plants: [{ name: "" }] }),
    TypeError,
  );
  assertEquals(await names(store.authenticate("s3cret")), ["a", "b"]);
});

test("createMemoryStore() takes users by any name", () => {
  const users = Object.fromEntries(
    ["__proto__", "constructor", "42", "$schema"].map((
      name,
    ) => [name, {
      plants: "all" as const,
      tokens: [`t-${name}`.replace("$", "")],
    }]),
  );
  const store = createMemoryStore({ plants: [], users });
  for (const name of Object.keys(users)) {
    assertEquals(store.authenticate(`t-${name}`.replace("$", ""))?.user, name);
  }
});
