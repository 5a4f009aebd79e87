// A client made by @hey-api/openapi-ts: prints what it gets.
import { client } from "../hey_api/client.gen.ts";
import {
  type Error as Failure,
  listPlants,
  type Plant,
} from "../hey_api/index.ts";

client.setConfig({ auth: "demo-florist" });

// @ts-expect-error: limit is a number
await listPlants({ query: { limit: "3" } });

const { data } = await listPlants({ query: { limit: 3 } });
const plants: readonly Plant[] = data ?? [];
const { error } = await listPlants({ query: { limit: -1 } });
const failure: Failure | undefined = error;

console.log(plants.map(({ name, tag }) => `${name}, ${tag}`).join("; "));
console.log(failure?.error);
