import { connect } from "node:net";
import { differ } from "./check.ts";
import type { WireRequest } from "./head.ts";
import type { Outcome } from "./model.ts";
import { type Plan, toText } from "./plan.ts";
import { readResponse, type WireResponse } from "./response.ts";
import type { TagBook } from "./state.ts";

/** Where plans are sent, and who judges what comes back. */
export interface Target {
  readonly port: number;
  readonly isNode: boolean;
  readonly tags: TagBook;
  /** The right answers to a request that was under way between two moments. */
  judge(
    request: WireRequest,
    sent: number,
    received: number,
  ): readonly Outcome[];
  /** Is told of each right answer. */
  count(request: WireRequest, response: WireResponse): void;
  /** Called when an idle connection is closed before the next request is read. */
  idleClosed?(): void;
}

/** An answer that is not right. */
export interface Violation {
  /** Which request of the plan it is an answer to. */
  readonly index: number;
  readonly problem: string;
  /** What came, as far as it is not taken for an answer yet. */
  readonly received: string;
  readonly expected: readonly Outcome[];
}

/** How long, in milliseconds, all answers may take, and the end of a connection after the last. */
const PATIENCE = 30_000, UNTIL_CLOSED = 5_000;

/** After how many idle milliseconds the server may close a connection, whatever is on its way (RFC 9112 section 9.5). */
const KEEP_ALIVE = 5_000;

/** Sends what is planned, and holds each answer against the model; undefined where all are right. */
export function carryOut(
  plan: Plan,
  target: Target,
): Promise<Violation | undefined> {
  return new Promise((resolve) => {
    const { requests, cut, leave } = plan;
    const texts = requests.map(toText);
    const socket = connect({
      port: target.port,
      host: "127.0.0.1",
      allowHalfOpen: leave === "half",
    });
    socket.setNoDelay(true);
    let sent = Date.now(), sentBefore = sent;
    let rest = "";
    let answered = 0;
    let last: Outcome | undefined;
    let timer = setTimeout(() => {
      violate(
        answered < requests.length
          ? "no answer came in time"
          : "the end did not come",
      );
    }, PATIENCE);
    let isOver = false;
    let mayHaveBody = false;
    let reason = "";

    function finish(violation?: Violation): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      socket.destroy();
      resolve(violation);
    }
    function violate(problem: string, expected: readonly Outcome[] = []): void {
      const index = Math.min(answered, requests.length - 1);
      finish({ index, problem, received: rest, expected });
    }

    socket.on("connect", () => {
      sent = Date.now();
      const all = texts.join("") + plan.tail;
      if (cut !== undefined) send(all.slice(0, cut), quit);
      else if (plan.delivery === "in turn") {
        socket.write(
          texts[0]! + (texts.length === 1 ? plan.tail : ""),
          "latin1",
        );
      } else send(all);
    });
    function send(text: string, done = () => {}): void {
      if (plan.delivery !== "in pieces") {
        socket.write(text, "latin1", done);
        return;
      }
      // The places are those of this plan each time.
      const size = 1 + text.length % 97 + (text.length >> 3);
      const next = (from: number): void => {
        if (isOver || socket.destroyed) return;
        const to = from + size;
        socket.write(text.slice(from, to), "latin1", () => {
          if (to < text.length) setImmediate(next, to);
          else done();
        });
      };
      next(0);
    }
    function quit(): void {
      if (leave === "reset") socket.resetAndDestroy();
      else if (leave === "close") socket.destroy();
      else socket.end();
    }

    socket.on("data", (data: Buffer) => {
      rest += data.toString("latin1");
      try {
        read();
      } catch (error) {
        violate((error as Error).message);
      }
    });
    function read(): void {
      while (!isOver && rest !== "" && last?.end !== "closed") {
        const request = requests[answered];
        if (!request) return judgeRest();
        const method = /^\s*HEAD\b/.test(request.start) ? "HEAD" : "";
        const response = readResponse(rest, method);
        if (!response) return;
        if (response.status === 100 && !target.isNode) {
          rest = rest.slice(response.size);
          continue;
        }
        judgeResponse(request, response, method === "HEAD");
      }
    }
    function judgeResponse(
      request: WireRequest,
      response: WireResponse,
      isHead: boolean,
    ): void {
      const expected = target.judge(request, sent, Date.now());
      let problem: string | undefined;
      for (const outcome of expected) {
        const each = differ(
          outcome,
          response,
          isHead,
          target.isNode,
          target.tags,
        );
        problem ??= each;
        if (each !== undefined) continue;
        last = outcome;
        break;
      }
      if (!last) return judgeCut(response, problem ?? "", expected);
      rest = rest.slice(response.size);
      // What was refused before its method counted may have been refused with a body.
      mayHaveBody = cut !== undefined || expected.some(
        ({ status, isUnread }) => isUnread && status === response.status,
      );
      target.count(request, response);
      answered++;
      if (last.end === "closed") return awaitEnd();
      if (answered === requests.length) {
        if (cut === undefined) finish();
        return;
      }
      last = undefined;
      if (plan.delivery === "in turn" && cut === undefined) {
        sentBefore = sent;
        sent = Date.now();
        const isLast = answered === requests.length - 1;
        socket.write(texts[answered]! + (isLast ? plan.tail : ""), "latin1");
      }
    }
    /** What was sent in part may be refused: the client has said that no more will come. */
    function judgeCut(
      response: WireResponse,
      problem: string,
      expected: readonly Outcome[],
    ): void {
      const whole = texts.slice(0, answered + 1).reduce(
        (sum, each) => sum + each.length,
        0,
      );
      const isRefusal = response.status === 400 ||
        !target.isNode && response.status === 408;
      if (cut !== undefined && cut < whole && isRefusal) finish();
      else violate(problem, expected);
    }
    /** A refusal may have a body, and Bun refuses one after it has answered. */
    function judgeRest(): void {
      const isLoose = last?.end === "either" && !target.isNode;
      const isBody = mayHaveBody && rest.startsWith("{");
      if (isBody || isLoose && /^HTTP\/1\.1 400 /.test(rest)) finish();
      else violate("more came than was asked for");
    }
    /** Whether an unanswered request may have reset the connection; Node closes in stages instead. */
    function mayReset(): boolean {
      return !target.isNode &&
        requests.slice(answered).some((request) =>
          target.judge(request, sent, Date.now()).some(({ end }) =>
            end !== "open"
          )
        );
    }
    function awaitEnd(): void {
      clearTimeout(timer);
      timer = setTimeout(
        () => violate("the connection was to be closed"),
        UNTIL_CLOSED,
      );
    }

    socket.on("error", ({ message }) => reason = ` (${message})`); // it is closed next
    socket.on("end", () => {
      if (leave === "half") socket.end();
    });
    socket.on("close", () => {
      if (isOver) return;
      if (last?.end === "closed") {
        const isBody = mayHaveBody && rest.startsWith("{");
        if (rest === "" || isBody) finish();
        else violate("more came than was asked for");
      } else if (cut !== undefined) {
        finish();
      } else if (
        answered > 0 && rest === "" && Date.now() - sentBefore >= KEEP_ALIVE
      ) {
        target.idleClosed?.();
        finish();
      } else {
        const expected = answered < requests.length
          ? target.judge(requests[answered]!, sent, Date.now())
          : [];
        const isSilent = expected.some(({ status }) => status === "none");
        if (isSilent && rest === "" || reason !== "" && mayReset()) finish();
        else {violate(
            `the connection was closed without an answer${reason}`,
            expected,
          );}
      }
    });
  });
}
