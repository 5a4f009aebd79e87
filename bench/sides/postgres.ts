import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import process from "node:process";
import pg from "pg";
import {
  findPlants,
  SETTINGS,
  toPlant,
} from "../../src/stores/postgres/queries.ts";

// A node:http server that runs the store's SELECT for each request, through the
// same client with the same number of connections. It does not check tokens.

const [connectionString, access] = process.argv.slice(2);
const pool = new pg.Pool({
  connectionString: connectionString!,
  max: 10,
  onConnect: (client) => client.query(SETTINGS),
});
const { rows: [row] } = await pool.query<{ id: string }>(
  "select id from plant_store.current_import",
);
const query = {
  importId: row!.id,
  access: JSON.parse(access!),
  limit: 20,
  after: -1,
};

createServer(async (_request, response) => {
  const rows = await findPlants(pool, query);
  const body = JSON.stringify(rows!.map(toPlant));
  response.writeHead(200, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  }).end(body);
}).listen(Number(process.env["PORT"]), "127.0.0.1");
