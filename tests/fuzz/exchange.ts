import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate, setTimeout } from "node:timers/promises";
import { readResponse, toText, type WireRequest } from "../contract/wire.ts";
import { compareResponse, type Expected } from "./model.ts";

/** Requests for one connection. When the server closes it, the others are sent on the next one. */
export interface Exchange {
  readonly requests: readonly WireRequest[];
  /** Whether each request waits for the response to the previous one. */
  readonly inTurn?: boolean;
  /** How many bytes are written at a time. Default: all. */
  readonly writeSize?: number;
  /** How the client leaves after a part of the bytes. By default, it stays. */
  readonly leaves?: "half-close" | "reset" | undefined;
  /** The part of the bytes that is sent before the client leaves. Default: 1. */
  readonly share?: number;
  /** How long the client waits before it reads or resets, in milliseconds. */
  readonly delay?: number;
}

export interface Target {
  readonly port: number;
  /** Returns the correct responses to a request. */
  expect(request: WireRequest): readonly Expected[];
  /** Whether the server can close a connection at any time. */
  readonly canClose?: boolean;
  /** Called for each correct response. */
  count?(status: number): void;
}

/** How long a response can take, in milliseconds. */
const PATIENCE = 30_000;

/** How many writes a text takes at most; otherwise, they are larger. */
const MAX_WRITES = 500;

/**
 * Sends requests and compares the responses with the expected ones.
 *
 * @throws {Error} If a response is wrong or missing.
 */
export async function carryOut(
  exchange: Exchange,
  target: Target,
): Promise<void> {
  let { requests } = exchange;
  while (requests.length > 0) {
    const count = await send({ ...exchange, requests }, target);
    if (exchange.leaves) return;
    requests = requests.slice(target.canClose ? Math.max(count, 1) : count);
  }
}

/** Returns how many requests had a response when the server closed the connection. */
async function send(exchange: Exchange, target: Target): Promise<number> {
  const { requests, inTurn, writeSize = Infinity, leaves } = exchange;
  const socket = connect(target.port, "127.0.0.1");
  socket.allowHalfOpen = true;
  socket.setNoDelay().setEncoding("latin1").setTimeout(PATIENCE, () => {
    socket.destroy(new Error(`no response in ${PATIENCE} ms`));
  });
  await once(socket, "connect");
  socket.on("error", () => {}); // ends the loop
  async function write(text: string): Promise<void> {
    const size = Math.max(writeSize, text.length / MAX_WRITES);
    for (let at = 0; at < text.length && socket.writable; at += size) {
      if (at > 0) await setImmediate();
      socket.write(text.slice(at, at + size), "latin1");
    }
  }
  const all = requests.map(toText).join("");
  const part = leaves ? all.slice(0, all.length * (exchange.share ?? 1)) : all;
  let writing = write(inTurn && !leaves ? toText(requests[0]!) : part);
  if (leaves === "half-close") writing = writing.then(() => void socket.end());
  if (leaves === "reset") {
    await writing;
    await setTimeout(exchange.delay);
    socket.resetAndDestroy();
    return requests.length;
  }
  if (exchange.delay) await setTimeout(exchange.delay);

  let rest = "", count = 0;
  let last: Expected | undefined;
  for await (const chunk of readUntilReset(socket, target.canClose)) {
    rest += chunk;
    while (count < requests.length && !last?.closes) {
      const request = requests[count]!;
      const isHead = /^\s*HEAD /.test(request.lines[0]!);
      const response = readResponse(rest, isHead);
      if (!response) break;
      const expected = target.expect(request);
      const problems = expected.map((each) =>
        compareResponse(each, response, isHead)
      );
      last = expected[problems.indexOf(undefined)];
      if (!last) {
        // A request that the client did not send completely is malformed.
        if (leaves && response.status === 400) return count;
        throw new Error(`${describe(request)}: ${problems[0]}`);
      }
      rest = rest.slice(response.size);
      if (last.status === 100) continue;
      target.count?.(last.status);
      count++;
      // The server does not always know that a request was HEAD when it rejects it.
      if (isHead && last.closes) rest = rest.replace(last.content, "");
      const next = requests[count];
      if (inTurn && next) writing = writing.then(() => write(toText(next)));
    }
  }
  await writing;
  const isCut = target.canClose && rest.startsWith("HTTP/1.1 ");
  if (rest !== "" && !isCut) {
    throw new Error(`unexpected bytes: ${rest.slice(0, 1_000)}`);
  }
  const canClose = last && last.closes !== false || leaves || target.canClose;
  if (count < requests.length && !canClose) {
    throw new Error(`${describe(requests[count]!)}: closed without a response`);
  }
  return count;
}

function describe(request: WireRequest): string {
  return JSON.stringify(toText(request).slice(0, 1_000));
}

/** Yields what a socket receives. */
async function* readUntilReset(
  socket: Socket,
  canReset = false,
): AsyncGenerator<string, void, undefined> {
  try {
    yield* socket as AsyncIterable<string>;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!canReset || !/^(?:EPIPE|ECONNRESET)$/.test(`${code}`)) throw error;
  }
}
