import { Buffer } from "node:buffer";
import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { excerpt } from "../../tools/excerpt.ts";
import type { CaseRequest, CaseResponse } from "./all_cases.ts";

/** The time in milliseconds after which a test fails if a server hangs. */
const PATIENCE = 60_000;

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

/** A request as its bytes are sent, one character per byte. */
export interface WireRequest {
  /** The request line and the header lines. */
  readonly lines: readonly string[];
  readonly body: string;
}

/** Returns the bytes of a request. */
export function toText({ lines, body }: WireRequest): string {
  return [...lines, "", body].join("\r\n");
}

/** Returns a request of the contract as it is sent to a host. */
export function toWire(request: CaseRequest, host: string): WireRequest {
  const { method, target, headers, content = "", ...rest } = request;
  const { connection, withoutHost, trailer } = rest;
  const hasHost = withoutHost || headers.some(([name]) => name === "Host");
  const has = (expected: string) => headers.some(([name]) => name === expected);
  const isChunked = has("Transfer-Encoding");
  const needsLength = content !== "" && !isChunked && !has("Content-Length");
  const chunk = content && `${content.length.toString(16)}\r\n${content}\r\n`;
  return {
    lines: [
      `${method} ${target} HTTP/1.1`,
      ...hasHost ? [] : [`Host: ${host}`],
      `Connection: ${connection === "keep" ? "keep-alive" : "close"}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      ...needsLength ? [`Content-Length: ${content.length}`] : [],
    ],
    body: isChunked
      ? `${chunk}0\r\n${trailer ? "X-Trailer: 1\r\n" : ""}\r\n`
      : content,
  };
}

/** Sends the request of a case over a new connection, together with the one before it. */
export async function sendOverWire(
  port: number,
  { before, ...request }: CaseRequest & { readonly before?: CaseRequest },
): Promise<CaseResponse> {
  const requests = [...before ? [before] : [], request];
  const text = requests
    .map((each) => toText(toWire(each, `127.0.0.1:${port}`))).join("");
  const received = await exchange(port, text);
  const responses = parseResponses(
    received.replace("HTTP/1.1 100 Continue\r\n\r\n", ""),
    requests.map(({ method }) => method),
  );
  // A server can close the connection instead of reading a body.
  if (before && responses.length === 1) return sendOverWire(port, request);
  if (responses.length !== requests.length) {
    throw new Error(`${responses.length} responses`);
  }
  return responses.at(-1)!;
}

/**
 * Parses the responses to requests with these methods. The end of a connection
 * delimits no body.
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
    const response = readResponse(rest, methods[responses.length] === "HEAD");
    if (!response) throw new Error(`not a response: ${excerpt(rest)}`);
    const { size, ...others } = response;
    responses.push(others);
    rest = rest.slice(size);
  }
  return responses;
}

/** Reads the first response of a text; returns `undefined` if it is not complete. */
export function readResponse(
  text: string,
  isHead: boolean,
): CaseResponse & { readonly size: number } | undefined {
  const end = text.indexOf("\r\n\r\n");
  const [start = "", ...fields] = text.slice(0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1]);
  if (end === -1 || Number.isNaN(status)) return undefined;
  const headers = new Headers();
  for (const field of fields) {
    const colon = field.indexOf(":");
    headers.append(field.slice(0, colon), field.slice(colon + 1).trim());
  }
  const isEmpty = isHead || status < 200 || status === 204 || status === 304;
  const head = text.slice(0, end + 4);
  if (!isEmpty && headers.get("transfer-encoding") === "chunked") {
    const found = readChunks(text.slice(head.length));
    return found &&
      { status, headers, ...found, size: head.length + found.size };
  }
  const length = isEmpty ? 0 : Number(headers.get("content-length") ?? 0);
  const size = head.length + length;
  if (text.length < size) return undefined;
  return { status, headers, body: decode(text.slice(head.length, size)), size };
}

/** Reads a chunked body; returns `undefined` if it is not complete. */
function readChunks(text: string) {
  const chunks: string[] = [];
  for (let at = 0;;) {
    const start = text.indexOf("\r\n", at) + 2;
    const end = start + parseInt(text.slice(at, start), 16) + 2;
    if (start === 1 || text.length < end) return undefined;
    if (end === start + 2) return { body: decode(chunks.join("")), size: end };
    chunks.push(text.slice(start, end - 2));
    at = end;
  }
}

function decode(latin1: string): string {
  return Buffer.from(latin1, "latin1").toString();
}
