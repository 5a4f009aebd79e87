import { readFile } from "node:fs/promises";
import type { TestContext } from "node:test";
import {
  createMemoryStore,
  type Plant,
  type PlantStore,
  StoreUnavailableError,
} from "../../../mod.ts";
import { openapi } from "../../../src/openapi/openapi.ts";
import { page } from "../../../src/page/page.ts";
import { serve } from "../../../src/server/serve.ts";

/** Tokens whose lists are slow, or fail. */
const createBehaviors = (
  slow: number,
): ReadonlyMap<string, () => Promise<void> | void> =>
  new Map([
    [
      "demo-slow",
      () => new Promise((resolve) => setTimeout(resolve, slow).unref()),
    ],
    ["demo-flaky", failTwice()],
    ["demo-unavailable", fail],
  ]);

function fail(): never {
  throw new StoreUnavailableError();
}

/** Returns a function that fails the first two of every three times. */
function failTwice(): () => void {
  let count = 0;
  return () => {
    if (++count % 3 !== 0) fail();
  };
}

/**
 * Serves the demo data with tokens that are slow, flaky, or unavailable.
 *
 * @param slow How long a slow list takes, in milliseconds.
 */
export async function startDemo(
  t: Pick<TestContext, "after">,
  slow = 2_000,
): Promise<{ readonly url: string }> {
  const store = await createDemoStore(createBehaviors(slow));
  const server = await serve(store, { port: 0, page, openapi });
  t.after(() => server.close({ deadline: 0 }));
  return server;
}

async function createDemoStore(
  behaviors: ReturnType<typeof createBehaviors>,
): Promise<PlantStore> {
  const read = async (name: string) =>
    JSON.parse(await readFile(`data/${name}.json`, "utf8"));
  const plants: readonly Plant[] = await read("plants");
  const users = await read("tokens");
  const store = createMemoryStore({
    plants,
    users: {
      curator: { plants: "all", tokens: ["demo-curator", ...behaviors.keys()] },
      florist: { plants: users.florist.plants, tokens: ["demo-florist"] },
      visitor: { plants: users.visitor.plants, tokens: ["demo-visitor"] },
    },
  });
  return {
    async authenticate(token) {
      const viewer = await store.authenticate(token);
      const behave = behaviors.get(token);
      return viewer && behave
        ? {
          user: viewer.user,
          async list(limit) {
            await behave();
            return await viewer.list(limit);
          },
        }
        : viewer;
    },
  };
}
