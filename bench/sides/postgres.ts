import { createServer } from "node:http";
import process from "node:process";
import postgres from "postgres";
import { selectPlants } from "../../src/stores/postgres/queries.ts";

// A node:http server that runs the store's SELECT for each request, through the
// same client with the same number of connections. It does not check tokens.

const [url, access] = process.argv.slice(2);
const query = { access: JSON.parse(access!), limit: 20, after: -1 };
const sql = postgres(url!, {
  max: 10,
  fetch_types: false,
  connection: {
    plan_cache_mode: "force_generic_plan",
    enable_seqscan: "off",
    enable_bitmapscan: "off",
    jit: "off",
  },
});

createServer(async (_request, response) => {
  const [row] = await selectPlants(sql, query, 0);
  const body = `[${row!["string_agg"]}]`;
  response.writeHead(200, {
    "Content-Type": "application/json",
    "Content-Length": body.length,
  }).end(body);
}).listen(Number(process.env["PORT"]), "127.0.0.1");
