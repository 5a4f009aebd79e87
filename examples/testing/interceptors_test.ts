import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { BatchInterceptor } from "@mswjs/interceptors";
import nodeInterceptors from "@mswjs/interceptors/presets/node";
import axios from "axios";
import got from "got";
import { CONTENT, failing, handler, store, unavailable } from "./plants.ts";

let respond = handler;
const network = new BatchInterceptor({
  name: "plants",
  interceptors: nodeInterceptors,
});
network.on("request", async ({ request, controller }) => {
  controller.respondWith(await respond(request));
});

before(() => network.apply());
beforeEach(() => {
  respond = handler;
  store.replace(CONTENT);
});
after(() => network.dispose());

const URL = "https://plants.example/plants";
const headers = { authorization: "Bearer p3tal" };

/** The clients under test: each returns the status and the body. */
const CLIENTS = {
  async axios() {
    const { status, data } = await axios.get(URL, {
      headers,
      validateStatus: null,
    });
    return [status, data];
  },
  async got() {
    const { statusCode, body } = await got(URL, {
      headers,
      responseType: "json",
      retry: { limit: 0 },
      throwHttpErrors: false,
    });
    return [statusCode, body];
  },
};

for (const [name, list] of Object.entries(CLIENTS)) {
  test(`${name}: lists the plants of the user`, async () => {
    assert.deepEqual(await list(), [200, [CONTENT.plants[0]]]);
  });

  test(`${name}: lists other plants`, async () => {
    store.replace({ ...CONTENT, plants: [] });
    assert.deepEqual(await list(), [200, []]);
  });

  test(`${name}: reports an unavailable service`, async () => {
    respond = unavailable;
    const [status, { error }] = await list();
    assert.deepEqual([status, error], [503, 503]);
  });

  test(`${name}: reports a failing service`, async () => {
    respond = failing;
    const [status, { error }] = await list();
    assert.deepEqual([status, error], [400, 500]);
  });
}
