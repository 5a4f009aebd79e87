import type { Socket } from "node:net";
import { createMemoryStore, type PlantStore } from "../../mod.ts";
import type { Server } from "../../src/server/serve.ts";
import { openWire, type Wire } from "../contract/wire.ts";
import { createGate } from "./gate.ts";

/** The body of the plants of the stores here. */
export const BODY = '[{"name":"a"},{"name":"b"}]';

/** A user with the token `t`, who can see all plants. */
export const users = { u: { plants: "all", tokens: ["t"] } } as const;

export const store: PlantStore = createMemoryStore({
  plants: [{ name: "a" }, { name: "b" }],
  users,
});

/** A request with these headers, without its last line. */
export const OPEN =
  "GET /plants HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer t\r\n";
export const GET: string = `${OPEN}\r\n`;
export const CLOSING: string = `${OPEN}Connection: close\r\n\r\n`;
export const withHeaders = (...headers: readonly string[]): string =>
  `${OPEN}${headers.join("\r\n")}\r\n\r\n`;
/** A request whose response waits if the store is held. */
export const SLOW: string = GET.replace("Bearer t", "Bearer slow");

/** A store in which requests with the token `slow` wait. */
export interface SlowStore extends PlantStore {
  /** Makes requests wait. `reached` resolves when one does. */
  hold(): { readonly reached: Promise<void>; release(): void };
}

export function createSlowStore(): SlowStore {
  let reached = createGate();
  let released = createGate();
  return {
    hold() {
      reached = createGate();
      released = createGate();
      return { reached: reached.opened, release: released.open };
    },
    async authenticate(token) {
      if (token !== "slow") return store.authenticate(token);
      reached.open();
      await released.opened;
      return store.authenticate("t");
    },
  };
}

/**
 * Opens connections without an in-flight request: a silent one, one with a part of
 * a request, and one that has received a response.
 */
export async function openIdleWires(port: number): Promise<readonly Wire[]> {
  const silent = openWire(port);
  const partial = openWire(port);
  partial.write("GET /plants HTTP/1.1\r\nHos");
  const idle = openWire(port);
  idle.write("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n");
  await idle.until(/"ok"\}$/);
  return [silent, partial, idle];
}

/** Returns the port that a server listens on. */
export function portOf({ url }: Server): number {
  return Number(new URL(url).port);
}

/**
 * Returns the code of the error if a server has reset a connection. It writes, because
 * Node.js can report a reset to a reader as the end.
 */
export function findReset(socket: Socket): Promise<string | undefined> {
  socket.on("error", () => {});
  return new Promise((resolve) => {
    socket.write("x", (error?: NodeJS.ErrnoException | null) => {
      resolve(error?.code);
    });
  });
}
