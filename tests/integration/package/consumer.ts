import {
  createHandler,
  createMemoryStore,
  type Handler,
  type Plant,
  type PlantStore,
  StoreUnavailableError,
} from "plant-store";
import { explorer } from "plant-store/explorer";
import { openFileStore, StoreFileError } from "plant-store/files";
import { openapi } from "plant-store/openapi";
import { serve } from "plant-store/serve";
import { listCases } from "plant-store/verify";
import samples from "../../../data/plants.json" with { type: "json" };
import users from "../../../data/tokens.json" with { type: "json" };

// A program without the types of Node.js.

const PLANTS: readonly Plant[] = [{ name: "Monstera deliciosa", tag: "vine" }];

const store = createMemoryStore({
  plants: PLANTS,
  users: { curator: { plants: "all", tokens: ["s3cret"] } },
});
const files = createMemoryStore({ plants: samples, users });
console.log(typeof files.authenticate("demo-limited"));

const headers = { authorization: "Bearer s3cret" };
const options = { basePath: "/api", explorer, openapi };
const handler: Handler = createHandler(store, options);
const response = await handler(
  new Request("http://localhost/api/plants", { headers }),
);
const plants = await response.json() as readonly Plant[];
console.log(plants[0]?.name);

const document = await handler(
  new Request("http://localhost/api/openapi.json"),
);
console.log(document.status);

// Modules share the class of the error.
const unavailable: PlantStore = {
  authenticate() {
    throw new StoreUnavailableError("The database is unavailable");
  },
};
const server = await serve(unavailable, { port: 0 });
console.log((await fetch(new URL("plants", server.url), { headers })).status);
await server.close();

const error: unknown = await openFileStore({ plants: "no", tokens: "no" })
  .catch((error: unknown) => error);
console.log(error instanceof StoreFileError && error.problems.length);
console.log(listCases().length > 100);
