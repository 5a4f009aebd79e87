// A client made by @hey-api/openapi-ts: prints what it gets.
import { client } from "../hey_api/client.gen.ts";
import { listPlants } from "../hey_api/index.ts";

client.setConfig({ auth: "demo-florist" });

// @ts-expect-error: limit is a number
await listPlants({ query: { limit: "3" } });

const { data } = await listPlants({ query: { limit: 3 } });
const plants: readonly { name: string; tag?: string }[] = data ?? [];
const { error } = await listPlants({ query: { limit: -1 } });
const failure: { error: number; message: string } | undefined = error;

console.log(plants.map(({ name, tag }) => `${name}, ${tag}`).join("; "));
console.log(failure?.error);
