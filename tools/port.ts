import { Server as HttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";

/**
 * Finds a free port for a server that cannot choose one itself. The port is not
 * in the range that the system uses for outgoing connections, so a restarted
 * server can use it again. It is above 10080, the last port that `fetch` blocks.
 */
export async function findPort(): Promise<number> {
  for (;;) {
    const port = 11_000 + Math.floor(Math.random() * 19_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}

/** Listens on a free port until the test ends, and returns the port. */
export async function listen(
  t: { after(fn: () => unknown): void },
  server: Server,
): Promise<number> {
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => {
    server.close();
    if (server instanceof HttpServer) server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}
