import { createServer } from "node:http";
import { createMemoryStore } from "plant-store";
import { createNodeListener, type NodeListener } from "plant-store/node";

const listener: NodeListener = createNodeListener(
  createMemoryStore({ plants: [], users: {} }),
);
const server = createServer(listener);
server.listen(0, "127.0.0.1", async () => {
  const address = server.address();
  if (typeof address !== "object" || address === null) return;
  const response = await fetch(`http://127.0.0.1:${address.port}/healthz`);
  console.log(await response.text());
  server.close();
  server.closeAllConnections();
});
