import { connect, createServer, type Socket } from "node:net";

/** A way to a server that can be blocked. */
export interface Proxy {
  readonly port: number;
  /** Lets nothing through on the connections that there are, and says nothing about it. */
  freeze(): void;
  /** Lets nothing through on those that come either. */
  block(): void;
  /** Lets new connections through again; those that were frozen stay so. */
  unblock(): void;
  close(): void;
}

/** Creates a proxy in front of a port of this machine. */
export async function createProxy(target: number): Promise<Proxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isBlocked = false;
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [[near, far], [far, near]] as const) {
      from.on("error", () => {});
      from.on("close", () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
    if (isBlocked) return;
    near.pipe(far);
    far.pipe(near);
  });
  function freeze(): void {
    for (const pair of pairs) {
      for (const socket of pair) {
        socket.unpipe();
        socket.pause();
      }
    }
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    freeze,
    block() {
      isBlocked = true;
      freeze();
    },
    unblock() {
      isBlocked = false;
    },
    close() {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
  };
}
