import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { openFileStore } from "plant-store/files";
import { createMemoryStore, type PlantStore } from "../../../mod.ts";
import { createService } from "../../../src/http/service.ts";
import { digest } from "../../../src/stores/digest.ts";
import { writeFiles } from "../../support/files.ts";
import { startVictim } from "./victim.ts";

// Whether the time that a refusal takes tells how near a token came to a valid
// one: tokens that differ from one in their last character alone against tokens
// that differ from all in theirs, in random order, in the manner of dudect
// (Reparaz, Balasch and Verbauwhede, "Dude, is my code constant time?", 2016).
// Both are made in the same way, of as many tokens that are valid as of tokens that
// are not: what a token costs by what it is made of says nothing about others.

/** How many samples there are of each kind, and how many go before that don't count. */
const SAMPLES = 100_000, WARM_UP = 10_000;

/** The t beyond which two kinds are told apart. */
const THRESHOLD = 4.5;

/**
 * Which part of the samples counts, the shortest first: pauses of the machine make
 * a tail that says nothing about the code. The bounds are percentiles of the
 * warm-up, of both kinds together, and are fixed before the first sample that
 * counts.
 */
const CROPS = [0.5, 0.9, 0.99, 1];

const ALPHABET =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** How long tokens are: as long as those that the command line makes. */
const LENGTH = 43;

function pick(characters: string): string {
  return characters[Math.random() * characters.length | 0]!;
}

/** Tokens, so many that what one costs by itself evens out. */
function makeTokens(): readonly string[] {
  return Array.from(
    { length: 10_000 },
    () => Array.from({ length: LENGTH }, () => pick(ALPHABET)).join(""),
  );
}

const VALID = makeTokens(), OTHERS = makeTokens();

/** Misses of both kinds in random order, side by side in one buffer. */
interface Misses {
  readonly bytes: Buffer;
  /** 1 where a valid token is that differs in its last character alone. */
  readonly isNear: Uint8Array;
}

function makeMisses(count: number): Misses {
  const bytes = Buffer.alloc(count * LENGTH);
  const isNear = new Uint8Array(count).fill(1, count / 2);
  for (let at = count - 1; at > 0; at--) {
    const other = Math.random() * (at + 1) | 0;
    [isNear[at], isNear[other]] = [isNear[other]!, isNear[at]!];
  }
  for (let at = 0; at < count; at++) {
    const tokens = isNear[at] === 1 ? VALID : OTHERS;
    const token = tokens[Math.random() * tokens.length | 0]!;
    const last = pick(ALPHABET.replace(token.at(-1)!, ""));
    bytes.write(token.slice(0, -1) + last, at * LENGTH, "latin1");
  }
  return { bytes, isNear };
}

/** Welch's t of two kinds of times, of those up to a bound. */
function welch(times: Float64Array, isNear: Uint8Array, bound: number): number {
  const counts = [0, 0], means = [0, 0], squares = [0, 0];
  for (let at = 0; at < times.length; at++) {
    const time = times[at]!;
    if (time > bound) continue;
    const kind = isNear[at]!;
    counts[kind]!++;
    const delta = time - means[kind]!;
    means[kind]! += delta / counts[kind]!;
    squares[kind]! += delta * (time - means[kind]!);
  }
  const [near, far] = [1, 0].map((kind) =>
    squares[kind]! / (counts[kind]! - 1) / counts[kind]!
  );
  return (means[1]! - means[0]!) / Math.sqrt(near! + far!);
}

/** Tells of each crop how far the two kinds are apart. */
async function compare(
  t: TestContext,
  time: (misses: Misses) => Float64Array | Promise<Float64Array>,
): Promise<readonly number[]> {
  const sorted = (await time(makeMisses(WARM_UP * 2))).sort();
  const bounds = CROPS.map((crop) =>
    crop === 1 ? Infinity : sorted[Math.floor(sorted.length * crop)]!
  );
  const misses = makeMisses(SAMPLES * 2);
  const times = await time(misses);
  const found = bounds.map((bound) => welch(times, misses.isNear, bound));
  const shown = CROPS.map((crop, at) =>
    `${found[at]!.toFixed(2)} of ${crop * 100} %`
  );
  t.diagnostic(
    `t ${shown.join(", ")}; median ${times.sort()[SAMPLES]!.toFixed(1)} us`,
  );
  return found;
}

/** Times the answer to each miss in microseconds, without a socket. */
function timeAnswers(store: PlantStore): (misses: Misses) => Float64Array {
  const { respond } = createService(store);
  let authorization = "";
  const request = {
    method: "GET",
    target: "/plants",
    origin: "",
    header: (name: string) =>
      name === "authorization" ? authorization : undefined,
  } as const;
  return ({ bytes, isNear }) => {
    const times = new Float64Array(isNear.length);
    const field = Buffer.from(`Bearer ${VALID[0]}`);
    for (let at = 0; at < isNear.length; at++) {
      bytes.copy(field, 7, at * LENGTH, (at + 1) * LENGTH);
      // A new string each time, whose hash is not known yet.
      authorization = field.toString("latin1");
      const start = performance.now();
      const reply = respond(request);
      times[at] = (performance.now() - start) * 1000;
      if (!("status" in reply) || reply.status !== 401) throw new Error("401");
    }
    return times;
  };
}

/** Times the answer to each miss in microseconds, one after another on one connection. */
function timeExchanges(
  port: number,
): (misses: Misses) => Promise<Float64Array> {
  return async ({ bytes, isNear }) => {
    const socket: Socket = connect({ port, host: "127.0.0.1" });
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.setNoDelay();
    const head = "GET /plants HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ";
    const request = Buffer.from(`${head}${VALID[0]}\r\n\r\n`);
    const times = new Float64Array(isNear.length);
    let at = 0, start = 0;
    await new Promise<void>((resolve, reject) => {
      function send(): void {
        bytes.copy(
          request,
          head.length,
          at * LENGTH,
          (at + 1) * LENGTH,
        );
        start = performance.now();
        socket.write(request);
      }
      socket.on("data", (data) => {
        times[at] = (performance.now() - start) * 1000;
        if (data.toString("latin1", 9, 12) !== "401") reject(new Error("401"));
        if (++at === isNear.length) resolve();
        else send();
      });
      socket.on("error", reject);
      send();
    });
    socket.destroy();
    return times;
  };
}

const USERS = { u: { plants: "all", tokens: VALID } } as const;

async function assertAlike(
  t: TestContext,
  time: (misses: Misses) => Float64Array | Promise<Float64Array>,
): Promise<void> {
  const found = await compare(t, time);
  assert(found.every((each) => Math.abs(each) < THRESHOLD), found.join(" "));
}

test("timing: near and far misses are alike to the memory store", async (t) => {
  const store = createMemoryStore({ plants: [], users: USERS });
  for (const token of VALID) assertEquals(store.authenticate(token)?.user, "u");
  await assertAlike(t, timeAnswers(store));
});

test("timing: near and far misses are alike to the file store", async (t) => {
  const store = await openFileStore({
    ...await writeFiles(t, { tokens: toFile() }),
    watch: false,
  });
  t.after(() => store.close());
  // They are remembered from now on.
  for (const token of VALID) assertEquals(store.authenticate(token)?.user, "u");
  await assertAlike(t, timeAnswers(store));
});

test("timing: near and far misses are alike over a socket", async (t) => {
  const { tokens } = await writeFiles(t, { tokens: toFile() });
  const { port } = await startVictim(t, ["--tokens", tokens, "--no-watch"]);
  await assertAlike(t, timeExchanges(port));
});

test("timing: a comparison that ends early is found", async (t) => {
  const byStart = new Map(VALID.map((token) => [token.slice(0, 8), token]));
  const found = await compare(
    t,
    timeAnswers({
      authenticate(token) {
        const valid = byStart.get(token.slice(0, 8));
        for (let at = 0; at < LENGTH; at++) {
          if (token[at] !== valid?.[at]) return undefined;
        }
        return { user: "u", list: () => [] };
      },
    }),
  );
  assert(found.some((each) => Math.abs(each) > THRESHOLD), found.join(" "));
});

/** The users of a tokens file. */
function toFile(): unknown {
  const tokens = VALID.map((token) => ({ sha256: digest(token) }));
  return { u: { plants: "all", tokens } };
}
