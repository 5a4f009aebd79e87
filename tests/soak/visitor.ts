import { connect, type Socket } from "node:net";
import { STRANGERS } from "../fuzz/data.ts";
import type { Dice } from "../fuzz/dice.ts";
import type { WireRequest } from "../fuzz/head.ts";
import { toText } from "../fuzz/plan.ts";
import { readResponse } from "../fuzz/response.ts";
import type { Judge } from "./judge.ts";
import type { ChangingShop } from "./shop.ts";

/** A normal user: one request at a time on a connection that stays. */
export interface Visitor {
  stop(): void;
}

/** What a visitor needs. */
export interface VisitorOptions {
  readonly port: number;
  readonly shop: ChangingShop;
  readonly judge: Judge;
  readonly dice: Dice;
  /** How many milliseconds lie between two requests, where answers come in time. */
  readonly pause: number;
  /** Is told how long each answer took. */
  answered(milliseconds: number): void;
  violated(request: WireRequest, problem: string): void;
}

/** How long, in milliseconds, an answer may take. */
const PATIENCE = 20_000;

/** Sends a normal user to the server. */
export function sendVisitor(options: VisitorOptions): Visitor {
  const { port, shop, judge, dice, pause, answered, violated } = options;
  let socket: Socket | undefined;
  let request: WireRequest | undefined;
  let sent = 0, start = 0;
  let rest = "";
  let isOver = false;

  function open(): Socket {
    const opened = connect(port, "127.0.0.1").setNoDelay(true);
    opened.on("data", (data: Buffer) => {
      rest += data.toString("latin1");
      receive();
    });
    opened.on("error", () => {});
    opened.on("close", () => {
      socket = undefined;
      if (request && !isOver) {
        fail("the connection was closed without an answer");
      }
    });
    rest = "";
    return opened;
  }
  function receive(): void {
    if (!request) return fail("more came than was asked for");
    const method = request.start.startsWith("HEAD ") ? "HEAD" : "";
    const response = readResponse(rest, method);
    if (!response) return;
    answered(performance.now() - start);
    const problem = judge.problem(request, response, sent);
    if (problem !== undefined) return fail(problem);
    rest = rest.slice(response.size);
    if (rest !== "") return fail("more came than was asked for");
    request = undefined;
  }
  function fail(problem: string): void {
    violated(
      request ?? { kind: "none", start: "", lines: [], body: "" },
      problem,
    );
    request = undefined;
    socket?.destroy();
  }

  const timer = setInterval(() => {
    if (request) {
      if (performance.now() - start > PATIENCE) fail("no answer came in time");
      return;
    }
    socket ??= open();
    request = ask(shop, dice);
    sent = Date.now();
    start = performance.now();
    socket.write(toText(request), "latin1");
  }, pause);
  return {
    stop() {
      isOver = true;
      clearInterval(timer);
      socket?.destroy();
    },
  };
}

/** What a normal user asks for. */
function ask({ state, valid, invalid }: ChangingShop, dice: Dice): WireRequest {
  const isStranger = dice.chance(0.05);
  const token = dice.pick(isStranger ? [...invalid, ...STRANGERS] : valid);
  const limit = dice.pick(["1", "2", "3", "10", "20", "50", "100", "x"]);
  const isWhole = dice.chance(0.02);
  const query = isWhole ? "" : `?limit=${limit}`;
  const path = dice.chance(0.03) ? "/healthz" : `/plants${query}`;
  const user = state.holders.get(token)?.user;
  const known = user === undefined || limit === "x" || !dice.chance(0.3)
    ? undefined
    : state.list(user, isWhole ? 2n ** 31n : BigInt(limit)).tag;
  return {
    kind: "visitor",
    start: `${dice.chance(0.05) ? "HEAD" : "GET"} ${path} HTTP/1.1`,
    lines: [
      "Host: 127.0.0.1",
      `Authorization: Bearer ${token}`,
      ...known ? [`If-None-Match: ${known}`] : [],
    ],
    body: "",
  };
}
