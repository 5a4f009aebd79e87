import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import createClient from "openapi-fetch";
import type { ErrorBody, Plant } from "plant-store";
import { CONTENT, failing, handler, store, unavailable } from "./plants.ts";

/** Some of the types that openapi-typescript generates from the OpenAPI document. */
interface paths {
  readonly "/plants": {
    readonly get: {
      readonly parameters: { readonly query?: { readonly limit?: number } };
      readonly responses: {
        readonly 200: {
          readonly content: { readonly "application/json": Plant[] };
        };
        readonly default: {
          readonly content: { readonly "application/json": ErrorBody };
        };
      };
    };
  };
}

/** Creates the client under test. */
function openClient(fetch: typeof handler) {
  return createClient<paths>({
    baseUrl: "https://plants.example",
    headers: { authorization: "Bearer p3tal" },
    fetch,
  });
}

beforeEach(() => store.replace(CONTENT));

test("openapi-fetch: lists the plants of the user", async () => {
  const client = openClient(handler);
  const { data } = await client.GET("/plants");
  assert.deepEqual(data, [CONTENT.plants[0]]);
  const query = { limit: 0 };
  assert.deepEqual(
    (await client.GET("/plants", { params: { query } })).data,
    [],
  );
});

test("openapi-fetch: lists other plants", async () => {
  store.replace({ ...CONTENT, plants: [] });
  assert.deepEqual((await openClient(handler).GET("/plants")).data, []);
});

test("openapi-fetch: reports an unavailable service", async () => {
  const { error } = await openClient(unavailable).GET("/plants");
  assert.equal(error?.error, 503);
});

test("openapi-fetch: reports a failing service", async () => {
  const { error } = await openClient(failing).GET("/plants");
  assert.equal(error?.error, 500);
});
