import { createDice, type Dice } from "./dice.ts";
import { makeRequest, type World } from "./grammar.ts";
import type { WireRequest } from "./head.ts";
import type { Outcome } from "./model.ts";

/** What is sent over one connection, and how. */
export interface Plan {
  readonly requests: readonly WireRequest[];
  /** All at once, each after the answer to the one before, or in pieces cut anywhere. */
  readonly delivery: "at once" | "in turn" | "in pieces";
  /** After how many bytes the client leaves, and how; it stays unless given. */
  readonly cut?: number;
  readonly leave?: "reset" | "close" | "half";
  /** What is sent after a request with which the connection ends. */
  readonly tail: string;
}

/** The bytes of a request. */
export function toText({ start, lines, body }: WireRequest): string {
  return `${[start, ...lines].join("\r\n")}\r\n\r\n${body}`;
}

/** What nobody may answer on a connection that has ended. */
const TAIL = "GET /healthz HTTP/1.1\r\nHost: behind\r\n\r\n";

/** The request by which a connection proves to be of use still. */
const PROBE: WireRequest = {
  kind: "probe",
  start: "GET /healthz HTTP/1.1",
  lines: ["Host: probe"],
  body: "",
};

/** Makes the `index`th plan of a seed. What may end the connection comes last. */
export function makePlan(
  seed: number,
  index: number,
  choose: (dice: Dice) => World,
  judge: (request: WireRequest, world: World) => readonly Outcome[],
): Plan & { readonly world: World } {
  const dice = createDice(seed, index);
  const world = choose(dice);
  const wanted = 1 + dice.roll(32);
  const requests: WireRequest[] = [];
  let isOpen = true;
  while (isOpen && requests.length < wanted) {
    const request = makeRequest(dice, world);
    const ends = judge(request, world).map(({ end }) => end);
    isOpen = ends.includes("open") && !ends.includes("either");
    requests.push(request);
  }
  const tail = dice.chance(0.3) ? TAIL : "";
  const delivery = dice.chance(0.7)
    ? "at once"
    : dice.pick(["in turn", "in pieces"] as const);
  if (isOpen) {
    requests.push({
      ...PROBE,
      start: PROBE.start.replace("/", `${world.service.basePath}/`),
    });
  }
  if (!dice.chance(0.04)) return { requests, delivery, tail, world };
  const length = requests.reduce((sum, each) => sum + toText(each).length, 0);
  const leave = dice.pick(["reset", "close", "half"] as const);
  return {
    requests,
    delivery,
    tail: "",
    cut: 1 + dice.roll(length),
    leave,
    world,
  };
}
