import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import process from "node:process";
import { handler } from "./handler.mjs";

const plants = readJson("plants.json");
const users = existsSync("tokens.json") ? readJson("tokens.json") : {};

const server = createServer(async ({ method, url, headers }, res) => {
  try {
    const request = new Request(`http://localhost${url}`, { method, headers });
    await send(await handler(request, plants, users), res);
  } catch (error) {
    const [line, ...places] = String(error?.stack ?? error).split(/\n\s*/);
    const place = places.find((each) => each.includes("handler.mjs"));
    console.error(line, place ?? places[0] ?? "");
    const message = "The handler failed; see the server's terminal";
    await send(Response.json({ error: 500, message }, { status: 500 }), res);
  }
});
server.on("error", ({ message }) => stop(message));
server.listen(process.env.PORT ?? 8000, "127.0.0.1", () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}/plants`);
});

async function send(response, res) {
  const body = new Uint8Array(await response.arrayBuffer());
  if (response.body) response.headers.set("Content-Length", body.length);
  response.headers.set("X-Content-Type-Options", "nosniff");
  res.writeHead(response.status, Object.fromEntries(response.headers));
  res.end(body);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    stop(`${file}: ${error.message}`);
  }
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
