import { createServer } from "node:net";

/**
 * Finds a free port for a server that cannot choose one itself. The port is not
 * in the range that the system uses for outgoing connections, so a restarted
 * server can use it again.
 */
export async function findPort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}
