import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { toText } from "../fuzz/plan.ts";
import type { WireRequest } from "../fuzz/head.ts";
import { readResponse } from "../fuzz/response.ts";
import type { Judge } from "./judge.ts";
import type { ChangingShop } from "./shop.ts";

// Those who keep a server busy without wanting much: each function is one
// connection from its start to its end, and gives what was wrong, if anything.

/** Says nothing, or no more after one request, until the server has enough of it. */
export function idle(
  port: number,
  isSilent: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    const leave = () => void socket.destroy();
    signal.addEventListener("abort", leave);
    if (!isSilent) socket.write("GET /healthz HTTP/1.1\r\nHost: idle\r\n\r\n");
    socket.on("data", (data) => received += data.toString("latin1"));
    socket.on("error", () => {});
    socket.on("close", () => {
      signal.removeEventListener("abort", leave);
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1];
      if (signal.aborted || status === (isSilent ? "408" : "200")) {
        resolve(undefined);
      } else resolve(`an idle connection ended with ${status ?? "nothing"}`);
    });
  });
}

/** How much a slow reader takes, how often, in milliseconds, and for how long. */
const SIP = 4_096, EVERY = 100, FOR = 15_000;

/** How many lists it asks for: more than the system keeps for it. */
const MANY = 200;

/** Asks for long lists, and reads them slowly; goes before it has them all. */
export async function readSlowly(
  port: number,
  shop: ChangingShop,
  judge: Judge,
  signal: AbortSignal,
): Promise<string | undefined> {
  const request: WireRequest = {
    kind: "slow reader",
    start: "GET /plants HTTP/1.1",
    lines: ["Host: slow", `Authorization: Bearer ${shop.valid[0]}`],
    body: "",
  };
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  socket.on("readable", () => {}); // what comes waits to be read
  const sent = Date.now();
  socket.write(toText(request).repeat(MANY), "latin1");
  let rest = "";
  let problem: string | undefined;
  while (
    !problem && !signal.aborted && !socket.destroyed && Date.now() < sent + FOR
  ) {
    await setTimeout(EVERY);
    const chunk: Buffer | null = socket.read(SIP) ?? socket.read();
    rest += chunk?.toString("latin1") ?? "";
    const response = readResponse(rest, "");
    if (!response) continue;
    problem = judge.problem(request, response, sent);
    rest = rest.slice(response.size);
  }
  socket.destroy();
  return problem;
}
