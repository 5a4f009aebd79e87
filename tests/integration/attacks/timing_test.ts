import { test } from "node:test";
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

/** The number of samples, and of samples before them. */
const SAMPLES = 200_000, WARM_UP = 20_000;

/** The absolute value of t that shows a difference. */
const THRESHOLD = 4.5;

/**
 * The fractions of samples to compare, shortest first, because pauses of the
 * machine say nothing about the code. The warm-up determines the bounds.
 */
const CROPS = [0.5, 0.9, 0.99, 1];

const ALPHABET =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function pick<T>(values: ArrayLike<T>): T {
  return values[Math.random() * values.length | 0]!;
}

/** Creates so many tokens that the costs of single tokens even out. */
function createTokens(): readonly string[] {
  return Array.from(
    { length: 10_000 },
    () => Array.from({ length: 43 }, () => pick(ALPHABET)).join(""),
  );
}

const VALID = createTokens(), OTHERS = createTokens();

/** Creates the header of an invalid token. */
function createMiss() {
  const isNear = Math.random() < 0.5;
  const token = pick(isNear ? VALID : OTHERS);
  const last = pick(ALPHABET.replace(token.at(-1)!, ""));
  const authorization = Buffer.from(`Bearer ${token.slice(0, -1)}${last}`);
  return { isNear, authorization };
}

/** Measures how long each miss takes. */
function measure(
  store: PlantStore,
  misses: readonly ReturnType<typeof createMiss>[],
): Float64Array {
  const { respond } = createService(store);
  let value = "";
  const request = {
    method: "GET",
    target: "/plants",
    origin: "",
    header: (name: string) => name === "authorization" ? value : undefined,
  } as const;
  return Float64Array.from(misses, ({ authorization }) => {
    // A new string, whose hash V8 has not computed yet.
    value = authorization.toString("latin1");
    const start = performance.now();
    const response = respond(request);
    const time = performance.now() - start;
    assert("status" in response && response.status === 401);
    return time;
  });
}

/** Returns the absolute value of Welch's t. */
function welch(near: Float64Array, far: Float64Array): number {
  const sum = (values: Float64Array) =>
    values.reduce((total, value) => total + value, 0);
  const mean = (values: Float64Array) => sum(values) / values.length;
  const error = (values: Float64Array) => {
    const center = mean(values);
    const variance = mean(values.map((value) => (value - center) ** 2));
    return variance / (values.length - 1);
  };
  const difference = Math.abs(mean(near) - mean(far));
  return difference / Math.sqrt(error(near) + error(far));
}

/** Returns the largest value of Welch's t for a store. */
function compare(store: PlantStore): number {
  const create = (length: number) => Array.from({ length }, createMiss);
  const warmUp = measure(store, create(WARM_UP)).sort();
  const misses = create(SAMPLES);
  const times = measure(store, misses);
  return Math.max(...CROPS.map((crop) => {
    const bound = warmUp[Math.floor(WARM_UP * crop)] ?? Infinity;
    const select = (isNear: boolean) =>
      times.filter((time, index) =>
        time <= bound && misses[index]!.isNear === isNear
      );
    return welch(select(true), select(false));
  }));
}

test("timing: near and far misses take the same time with the memory store", () => {
  const users = { curator: { plants: "all", tokens: VALID } } as const;
  const store = createMemoryStore({ plants: [], users });
  for (const token of VALID) assert(store.authenticate(token));
  const value = compare(store);
  assert(value < THRESHOLD, `t: ${value}`);
});

test("timing: near and far misses take the same time with the file store", async (t) => {
  const tokens = VALID.map((token) => ({ sha256: digest(token) }));
  const files = await writeFiles(t, {
    tokens: { curator: { plants: "all", tokens } },
  });
  const store = await openFileStore({ ...files, watch: false });
  t.after(() => store.close());
  for (const token of VALID) assert(store.authenticate(token)); // caches it
  const value = compare(store);
  assert(value < THRESHOLD, `t: ${value}`);
});

test("timing: the test detects a comparison that ends at the first difference", () => {
  const byStart = new Map(VALID.map((token) => [token.slice(0, 8), token]));
  const value = compare({
    authenticate(token) {
      const valid = byStart.get(token.slice(0, 8));
      for (let index = 0; index < token.length; index++) {
        if (token[index] !== valid?.[index]) return undefined;
      }
      return { user: "curator", list: () => [] };
    },
  });
  assert(value > THRESHOLD, `t: ${value}`);
});
