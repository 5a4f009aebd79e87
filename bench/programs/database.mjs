import process from "node:process";
import postgres from "postgres";
import { startDatabaseServer } from "../../tests/integration/postgres/server.ts";

// Starts a PostgreSQL server with databases of these names, says where it is,
// and removes it at the end of standard input.

const server = await startDatabaseServer();
const sql = postgres(server.url, { max: 1 });
for (const name of process.argv.slice(2)) {
  await sql.unsafe(`create database ${name}`);
}
await sql.end();
console.log(`ready ${server.url}`);
process.stdin.resume().on("end", async () => {
  await server.remove();
  process.exit();
});
