import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { excerpt } from "../../tools/excerpt.ts";
import type { Client } from "../../src/verify/client.ts";
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

/** Returns a function that sends requests to a server on this machine, exactly as they are. */
export function createSender(port: number): Client["send"] {
  return async ({ method, target, headers }) => {
    const lines = headers.map((header) => header.join(": "));
    if (!headers.some(([name]) => name === "Host")) {
      lines.unshift(`Host: 127.0.0.1:${port}`);
    }
    if (/^P[OUA]/.test(method)) lines.push("Content-Length: 0");
    const text = [
      ...[`${method} ${target} HTTP/1.1`, ...lines, "Connection: close"],
      ...["", ""],
    ].join("\r\n");
    const received = await exchange(port, text);
    const [response, ...others] = parseResponses(received, [method]);
    if (response && others.length === 0) return response;
    throw new Error(`not one response: ${excerpt(received)}`);
  };
}

/**
 * Parses the first response in a text, and returns what follows it, too. Skips interim
 * responses. Returns `undefined` if the response is not complete.
 */
export function parseResponse(
  text: string,
  method = "GET",
): { readonly response: CaseResponse; readonly rest: string } | undefined {
  const [, code, lines, rest] =
    /^HTTP\/1\.[01] (\d{3})[^\r\n]*\r\n((?:[\w-]+:[^\r\n]*\r\n)*)\r\n([^]*)$/
      .exec(text) ?? [];
  if (rest === undefined) return undefined;
  const status = Number(code);
  const headers = new Headers();
  for (const [, name, value] of lines!.matchAll(/(.+?):(.*)\r/g)) {
    headers.append(name!, value!);
  }
  const isEmpty = method === "HEAD" || status < 200 || status === 204 ||
    status === 304;
  const found = isEmpty ? { body: "", rest } : readBody(rest, headers);
  if (!found) return undefined;
  if (status < 200 && status !== 101) return parseResponse(found.rest, method);
  const body = Buffer.from(found.body, "latin1").toString();
  return { response: { status, headers, body }, rest: found.rest };
}

/** Reads the body at the start of a text. Returns `undefined` if it is not complete. */
function readBody(
  text: string,
  headers: Headers,
): { readonly body: string; readonly rest: string } | undefined {
  const length = headers.get("content-length");
  if (length !== null) {
    const size = Number(length);
    if (!(text.length >= size)) return undefined;
    return { body: text.slice(0, size), rest: text.slice(size) };
  }
  if (!headers.has("transfer-encoding")) return { body: text, rest: "" };
  let body = "", rest = text;
  for (;;) {
    const [line, hex] = /^([\da-f]+)\r\n/i.exec(rest) ?? [];
    if (!line) return undefined;
    const end = line.length + parseInt(hex!, 16);
    body += rest.slice(line.length, end);
    if (!rest.startsWith("\r\n", end)) return undefined;
    rest = rest.slice(end + 2);
    if (parseInt(hex!, 16) === 0) return { body, rest };
  }
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
  let left = received;
  while (left !== "") {
    const found = parseResponse(left, methods[responses.length]);
    if (!found) throw new Error(`not a response: ${excerpt(left)}`);
    responses.push(found.response);
    left = found.rest;
  }
  return responses;
}
