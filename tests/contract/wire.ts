import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { excerpt } from "../../tools/excerpt.ts";
import type { Client } from "../../src/verify/client.ts";
import { parseResponse } from "../../src/verify/parse_response.ts";
import { createUrlSender } from "../../src/verify/send_to_url.ts";
import type { CaseResponse } from "./all_cases.ts";
import { PATIENCE } from "../../tools/until.ts";

/** A connection that sends and receives raw bytes. */
export interface Wire {
  /** Writes text as Latin-1. */
  write(text: string): void;
  /** Stops or resumes reading. */
  pause(): void;
  resume(): void;
  /** Closes the sending side. */
  end(): void;
  /** Resolves to everything received, once it matches. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves to everything received, once the server has closed the connection. */
  readonly closed: Promise<string>;
  destroy(): void;
}

/** Opens a connection to a server on this machine. */
export function openWire(port: number): Wire {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const changes = new EventEmitter();
  let received = "";
  let isClosed = false;

  async function wait(isDone: () => boolean, what: string): Promise<string> {
    const signal = AbortSignal.timeout(PATIENCE);
    while (!isDone()) {
      if (isClosed) {
        throw new Error(`closed before ${what}: ${excerpt(received)}`);
      }
      await once(changes, "change", { signal }).catch((cause) => {
        socket.destroy();
        const message = `no ${what} in ${PATIENCE} ms: ${excerpt(received)}`;
        throw new Error(message, { cause });
      });
    }
    return received;
  }

  socket.on("data", (data) => {
    received += data.toString("latin1");
    changes.emit("change");
  });
  // A reset counts as a close.
  socket.on("error", () => {});
  socket.on("end", () => socket.end());
  socket.on("close", () => {
    isClosed = true;
    changes.emit("change");
  });
  return {
    write: (text) => void socket.write(text, "latin1"),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    end: () => void socket.end(),
    until: (pattern) => wait(() => pattern.test(received), String(pattern)),
    get closed() {
      return wait(() => isClosed, "close");
    },
    destroy: () => void socket.destroy(),
  };
}

/** Sends text and resolves to everything received until the server closes. */
export function exchange(port: number, text: string): Promise<string> {
  const wire = openWire(port);
  wire.write(text);
  return wire.closed;
}

/** Returns a function that sends requests to a server on this machine, as `verify` does. */
export function createSender(port: number): Client["send"] {
  const sender = createUrlSender(new URL(`http://127.0.0.1:${port}`));
  return async (request, before) =>
    (await sender)(request, AbortSignal.timeout(PATIENCE), before);
}

/**
 * Parses the responses to requests with these methods.
 *
 * @throws {Error} If bytes are missing or left over.
 */
export function parseResponses(
  received: string,
  methods: readonly string[],
): CaseResponse[] {
  const responses: CaseResponse[] = [];
  let rest = received;
  while (rest !== "") {
    const method = methods[responses.length] ?? "GET";
    const response = parseResponse(rest, { method }, true);
    if (!response || response.problem !== undefined) {
      throw new Error(`not a response: ${excerpt(rest)}`);
    }
    const { size, isInterim, ...others } = response;
    if (!isInterim) responses.push(others);
    rest = rest.slice(size);
  }
  return responses;
}
