import { connect } from "node:net";
import type { CaseRequest, CaseResponse } from "./cases.ts";

/** How long a server may take to answer and close before a test fails. */
const PATIENCE = 20_000;

/** A connection on which a test writes bytes and reads what comes. */
export interface Wire {
  /** Writes text, a character a byte. */
  write(text: string): void;
  /** Stops and starts to read. */
  pause(): void;
  resume(): void;
  /** Ends this side of the connection; the other may go on. */
  end(): void;
  /** Resolves once all that came so far matches, and gives it. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves with all that came once the server has closed. */
  readonly closed: Promise<string>;
  destroy(): void;
}

/** Opens a connection to a server on this machine. */
export function openWire(port: number): Wire {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let received = "";
  const waiting = new Set<() => void>();
  let isClosed = false;

  const wait = (isDone: () => boolean, what: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(check);
        reject(new Error(`${what} did not come; so far: ${received}`));
      }, PATIENCE);
      function check(): void {
        if (!isDone() && !isClosed) return;
        waiting.delete(check);
        clearTimeout(timer);
        if (isDone()) resolve(received);
        else {reject(
            new Error(`${what} did not come before the end: ${received}`),
          );}
      }
      waiting.add(check);
      check();
    });

  socket.on("data", (data) => {
    received += data.toString("latin1");
    for (const check of waiting) check();
  });
  // A reset ends the connection as a close does: what came counts.
  socket.on("error", () => {});
  socket.on("end", () => socket.end());
  const closed = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`the server did not close; so far: ${received}`));
      socket.destroy();
    }, PATIENCE);
    socket.on("close", () => {
      isClosed = true;
      clearTimeout(timer);
      for (const check of waiting) check();
      resolve(received);
    });
  });
  closed.catch(() => {});
  return {
    write: (text) => void socket.write(text, "latin1"),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    end: () => void socket.end(),
    until: (pattern) => wait(() => pattern.test(received), String(pattern)),
    closed,
    destroy: () => void socket.destroy(),
  };
}

/** Writes bytes, and gives what came until the server closed. */
export function exchange(port: number, text: string): Promise<string> {
  const wire = openWire(port);
  wire.write(text);
  return wire.closed;
}

/** Sends a case's request over a connection of its own. */
export async function sendOverWire(
  port: number,
  { method = "GET", target = "/plants", headers = [] }: CaseRequest,
): Promise<CaseResponse> {
  const hasHost = headers.some(([name]) => name === "Host");
  const fields = [
    ...hasHost ? [] : [["Host", `127.0.0.1:${port}`]],
    ["Connection", "close"],
    ...headers,
  ];
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const [response, ...rest] = parseResponses(
    await exchange(port, `${method} ${target} HTTP/1.1\r\n${head}\r\n`),
    [method],
  );
  if (!response || rest.length > 0) throw new Error("not one response");
  return response;
}

/**
 * Takes apart what a server sent in answer to requests with these methods.
 * Bodies are found by Content-Length alone; bytes that are left over are an
 * error.
 */
export function parseResponses(
  received: string,
  methods: readonly string[],
): CaseResponse[] {
  const responses: CaseResponse[] = [];
  let rest = received;
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n");
    const [start = "", ...fields] = rest.slice(0, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1]);
    if (end === -1 || Number.isNaN(status)) {
      throw new Error(`no response: ${JSON.stringify(rest)}`);
    }
    const headers = new Headers();
    for (const field of fields) {
      const colon = field.indexOf(":");
      headers.append(field.slice(0, colon), field.slice(colon + 1).trim());
    }
    const hasBody = methods[responses.length] !== "HEAD" && status >= 200 &&
      status !== 204 && status !== 304;
    const length = hasBody ? Number(headers.get("content-length") ?? 0) : 0;
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) throw new Error(`cut short: ${body}`);
    rest = rest.slice(end + 4 + length);
    responses.push({
      status,
      headers,
      body: new TextDecoder().decode(
        Uint8Array.from(body, (character) => character.charCodeAt(0)),
      ),
    });
  }
  return responses;
}
