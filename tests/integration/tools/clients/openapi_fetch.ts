// A client made by openapi-typescript and openapi-fetch: prints what it gets.
import createClient from "openapi-fetch";
import document from "../openapi.json" with { type: "json" };
import type { paths } from "../openapi_typescript.ts";

const { GET } = createClient<paths>({
  baseUrl: document.servers[0]!.url,
  headers: { Authorization: "Bearer demo-florist" },
});

// @ts-expect-error: limit is a number
await GET("/plants", { params: { query: { limit: "3" } } });

const { data } = await GET("/plants", { params: { query: { limit: 3 } } });
const plants: readonly { name: string; tag?: string }[] = data ?? [];
const { error } = await GET("/plants", { params: { query: { limit: -1 } } });
const failure: { error: number; message: string } | undefined = error;

console.log(plants.map(({ name, tag }) => `${name}, ${tag}`).join("; "));
console.log(failure?.error);
