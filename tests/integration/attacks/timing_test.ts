import { test, type TestContext } from "node:test";
import { assert } from "@std/assert";
import { openFileStore } from "plant-store/files";
import { createMemoryStore, type PlantStore } from "../../../mod.ts";
import { createService } from "../../../src/http/service.ts";
import { digest } from "../../contract/stores.ts";
import { writeFiles } from "../../support/files.ts";

// Tests that the time to reject a token does not reveal how close it is to a
// valid one. Near misses differ from a valid token only in the last character;
// far misses differ likewise from a token that is not valid. Both are sent in
// random order and compared as by dudect (Reparaz, Balasch and Verbauwhede,
// "Dude, is my code constant time?", 2016).

/** The number of samples of each kind, and of samples before them. */
const SAMPLES = 100_000, WARM_UP = 10_000;

/** The absolute value of t that shows a difference. */
const THRESHOLD = 4.5;

/**
 * The fractions of samples to compare, shortest first, because pauses of the
 * machine say nothing about the code. The warm-up determines the bounds.
 */
const CROPS = [0.5, 0.9, 0.99, 1];

const ALPHABET =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The length of generated tokens. */
const LENGTH = 43;

function pick<T>(values: ArrayLike<T>): T {
  return values[Math.random() * values.length | 0]!;
}

/** Creates so many tokens that the costs of single tokens even out. */
function createTokens(): readonly string[] {
  return Array.from(
    { length: 10_000 },
    () => Array.from({ length: LENGTH }, () => pick(ALPHABET)).join(""),
  );
}

const VALID = createTokens(), OTHERS = createTokens();

/** Invalid tokens in random order, one after another in a buffer. */
interface Misses {
  readonly bytes: Buffer;
  /** 1 for each near miss, 0 for each far miss. */
  readonly isNear: Uint8Array;
}

function createMisses(count: number): Misses {
  const bytes = Buffer.alloc(count * LENGTH);
  const isNear = new Uint8Array(count);
  let near = count / 2;
  for (let index = 0; index < count; index++) {
    isNear[index] = Math.random() * (count - index) < near ? 1 : 0;
    near -= isNear[index]!;
    const token = pick(isNear[index] === 1 ? VALID : OTHERS);
    const last = pick(ALPHABET.replace(token.at(-1)!, ""));
    bytes.write(token.slice(0, -1) + last, index * LENGTH, "latin1");
  }
  return { bytes, isNear };
}

/** Returns Welch's t of the times of both kinds, without times over a bound. */
function welch(times: Float64Array, isNear: Uint8Array, bound: number): number {
  const counts = [0, 0], means = [0, 0], squares = [0, 0];
  for (const [index, time] of times.entries()) {
    if (time > bound) continue;
    const kind = isNear[index]!;
    counts[kind]!++;
    const delta = time - means[kind]!;
    means[kind]! += delta / counts[kind]!;
    squares[kind]! += delta * (time - means[kind]!);
  }
  const [far, near] = [0, 1].map((kind) =>
    squares[kind]! / (counts[kind]! - 1) / counts[kind]!
  );
  return (means[1]! - means[0]!) / Math.sqrt(near! + far!);
}

/** Returns a function that measures how long each miss takes. */
function measureWith(store: PlantStore): (misses: Misses) => Float64Array {
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
    const value = Buffer.from(`Bearer ${VALID[0]}`);
    for (let index = 0; index < isNear.length; index++) {
      bytes.copy(value, 7, index * LENGTH, (index + 1) * LENGTH);
      // A new string, whose hash V8 has not computed yet.
      authorization = value.toString("latin1");
      const start = performance.now();
      const response = respond(request);
      times[index] = performance.now() - start;
      assert("status" in response && response.status === 401);
    }
    return times;
  };
}

/** Returns the largest absolute value of t for a store. */
function compare(t: TestContext, store: PlantStore): number {
  const measure = measureWith(store);
  const warmUp = measure(createMisses(WARM_UP * 2)).sort();
  const misses = createMisses(SAMPLES * 2);
  const times = measure(misses);
  const values = CROPS.map((crop) => {
    const bound = warmUp[Math.floor(warmUp.length * crop)] ?? Infinity;
    return Math.abs(welch(times, misses.isNear, bound));
  });
  t.diagnostic(`t: ${values.map((value) => value.toFixed(2)).join(", ")}`);
  return Math.max(...values);
}

test("timing: near and far misses take the same time with the memory store", (t) => {
  const store = createMemoryStore({
    plants: [],
    users: { curator: { plants: "all", tokens: VALID } },
  });
  for (const token of VALID) assert(store.authenticate(token));
  assert(compare(t, store) < THRESHOLD);
});

test("timing: near and far misses take the same time with the file store", async (t) => {
  const tokens = VALID.map((token) => ({ sha256: digest(token) }));
  const files = await writeFiles(t, {
    tokens: { curator: { plants: "all", tokens } },
  });
  const store = await openFileStore({ ...files, watch: false });
  t.after(() => store.close());
  for (const token of VALID) assert(store.authenticate(token)); // caches it
  assert(compare(t, store) < THRESHOLD);
});

test("timing: the test detects a comparison that ends at the first difference", (t) => {
  const byStart = new Map(VALID.map((token) => [token.slice(0, 8), token]));
  const value = compare(t, {
    authenticate(token) {
      const valid = byStart.get(token.slice(0, 8));
      for (let index = 0; index < LENGTH; index++) {
        if (token[index] !== valid?.[index]) return undefined;
      }
      return { user: "curator", list: () => [] };
    },
  });
  assert(value > THRESHOLD);
});
