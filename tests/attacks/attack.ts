import { connect, type Socket } from "node:net";

/** An attack that has begun. */
export interface Attack {
  /** Ends it: resolves once all of its connections are closed. */
  stop(): Promise<void>;
}

/** What an attack is made of. */
export interface Means {
  /** Opens a connection. */
  open(): Socket;
  /** Calls `act` so many times a second, as evenly as timers do. */
  repeat(rate: number, act: () => void): void;
}

/** Makes an attack; what it opens and repeats ends with it. */
export function createAttack(
  run: (means: Means) => void,
): (port: number) => Attack {
  return (port) => {
    const sockets = new Set<Socket>();
    const timers: ReturnType<typeof setInterval>[] = [];
    let isOver = false;
    let closed = () => {};
    run({
      open() {
        const socket = connect({ port, host: "127.0.0.1" });
        if (isOver) return socket.destroy();
        sockets.add(socket);
        socket.on("error", () => {}); // to be cut is what it is there for
        socket.on("close", () => {
          sockets.delete(socket);
          closed();
        });
        return socket;
      },
      repeat(rate, act) {
        const start = performance.now();
        let done = 0;
        timers.push(setInterval(() => {
          const due = (performance.now() - start) * rate / 1000;
          for (; done < due; done++) act();
        }, 5));
      },
    });
    return {
      async stop() {
        isOver = true;
        for (const timer of timers) clearInterval(timer);
        for (const socket of sockets) socket.destroy();
        await new Promise<void>((resolve) => {
          closed = () => sockets.size === 0 && resolve();
          closed();
        });
      },
    };
  };
}

/** A request that is answered with plants. */
export function get(target: string, fields = ""): string {
  return `GET ${target} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer demo-curator\r\n${fields}\r\n`;
}
