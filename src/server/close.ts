import type { Socket } from "node:net";

/** How long to discard data from a client after the last response. */
const CLOSE_DELAY_MS = 1_000;

/**
 * Makes a connection close in stages (RFC 9112 section 9.6). Closing it at once
 * while the client is still sending would reset it, and the client could lose the
 * last response.
 */
export function closeInStages(socket: Socket): void {
  // Node.js calls this method after the last response.
  socket.destroySoon = () => {
    socket.end();
    socket.removeAllListeners("data").on("data", () => {}).resume(); // discards without parsing
    const timer = setTimeout(() => socket.destroy(), CLOSE_DELAY_MS).unref();
    socket.on("close", () => clearTimeout(timer));
  };
}
