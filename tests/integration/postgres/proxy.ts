import { connect, createServer, type Socket } from "node:net";
import { listen } from "../../support/port.ts";

/** A TCP proxy that can stop forwarding without closing connections. */
export interface Proxy {
  readonly port: number;
  /** Stops forwarding on the open connections. */
  freeze(): void;
  /** Stops forwarding on open and new connections. */
  block(): void;
  /** Forwards on new connections again; frozen connections stay frozen. */
  unblock(): void;
}

/** Starts a proxy for a local port. */
export async function startProxy(
  t: { after(fn: () => unknown): void },
  target: number,
): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let isBlocked = false;
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (
      const [from, to] of [[client, upstream], [upstream, client]] as const
    ) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      if (!isBlocked) from.pipe(to);
    }
  });
  function freeze(): void {
    for (const socket of sockets) socket.unpipe().pause();
  }
  const port = await listen(t, server);
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  return {
    port,
    freeze,
    block() {
      isBlocked = true;
      freeze();
    },
    unblock() {
      isBlocked = false;
    },
  };
}
