import process from "node:process";
import { test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import fc, { SEED } from "../support/fast_check.ts";
import type { Client } from "../../src/verify/client.ts";
import { runCase } from "../../src/verify/run_case.ts";
import {
  ACCESS,
  type Case,
  CASES,
  FAILING_TOKEN,
  PLANTS,
  type Setup,
} from "./all_cases.ts";
import { DOCUMENTS, type Model, predict, toComparable } from "./model.ts";
import { EXPECTED_FAILURES } from "./expected_failures.ts";
import { RUNTIME_USER } from "./runtime.ts";
import { asksForPlants, OPTIONS } from "./setups.ts";

/** The service in one setup. */
export interface Service {
  /** Whether it receives `Request` objects, without a server. */
  readonly isHandler?: true;
  readonly send: Client["send"];
  close(): Promise<void>;
}

/** Options for {@linkcode testContract}. */
export interface ContractOptions {
  /** The cases to run. Default: all. */
  readonly cases?: readonly Case[];
  /** The runtime that the service must run on. Default: the variable RUNTIME. */
  readonly runtime?: string | undefined;
}

/**
 * Runs the contract against a service, and checks that {@linkcode EXPECTED_FAILURES} is right. The
 * order is random, because no response may depend on earlier requests. A rejected
 * request of each group is also sent before all others. `SEED` determines the order.
 */
export function testContract(
  name: string,
  open: (setup: Setup) => Promise<Service>,
  { cases = CASES, runtime = process.env["RUNTIME"] }: ContractOptions = {},
): void {
  const ids = new Set(cases.map(({ id }) => id));
  const own = new Map(Object.entries(EXPECTED_FAILURES[name] ?? {}));
  const rejected = cases.filter(({ id, expected: { status } }) =>
    Number(status) >= 400 && !own.has(id)
  );
  test(`contract: ${name} with SEED=${SEED}`, async (t) => {
    assertEquals(ids.size, cases.length, "duplicate ID");
    assertEquals([...own.keys()].filter((id) => !ids.has(id)), []);
    const services = new Map<Setup, Service>();
    t.after(async () => {
      for (const service of services.values()) await service.close();
    });
    async function find(setup: Setup = "open"): Promise<Service> {
      const service = services.get(setup) ?? await open(setup);
      services.set(setup, service);
      return service;
    }
    async function testCase(each: Case, when = ""): Promise<void> {
      const service = await find(each.setup);
      // The tests map an asterisk to the path that Deno and Bun use.
      const isSent = !each.needsServer || each.id === "options.asterisk";
      if (service.isHandler && !isSent) return;
      if (own.has(each.id)) {
        await t.test(`${each.id} fails as expected`, async () => {
          await assertRejects(() => check(service, each), Error);
        });
      } else await t.test(each.id + when, () => check(service, each));
    }

    const first = new Map(
      shuffle(rejected).map((each) => [each.id.split(".")[0], each]),
    );
    for (const each of first.values()) await testCase(each, " at first");
    if (runtime !== undefined) {
      await t.test(`is on ${runtime}`, async () => {
        const request = { method: "GET", target: "/plants" };
        const { body } = await (await find())
          .send({ ...request, headers: [RUNTIME_USER] });
        assertEquals(JSON.parse(body), [{ name: runtime }]);
      });
    }
    for (const each of shuffle(cases)) await testCase(each);
  });
}

function shuffle(cases: readonly Case[]): readonly Case[] {
  const all = { minLength: cases.length };
  return fc.sample(fc.shuffledSubarray([...cases], all), { numRuns: 1 }).flat();
}

/** The model for a case. */
function modelFor(each: Case): Model {
  const { setup = "open", request: { headers = [] } } = each;
  const isFailing = asksForPlants(each) &&
    headers.some(([, value]) => value.endsWith(FAILING_TOKEN));
  const { basePath = "", openapi } = OPTIONS[setup];
  const documents = [...DOCUMENTS].filter(([path]) =>
    openapi || path !== "/openapi.json"
  );
  return {
    basePath,
    cors: "*",
    documents: new Map(documents),
    plants: PLANTS,
    users: new Map([...Object.entries(ACCESS), [FAILING_TOKEN, "all"]]),
    failure: isFailing ? "unavailable" : undefined,
  };
}

/**
 * Sends a case, and checks the response by the contract, and by the model, which knows
 * what this implementation promises in addition, such as the exact headers and ETags.
 */
async function check({ send }: Service, each: Case): Promise<void> {
  const outcome = await runCase(each, send);
  const { request, response, differences } = outcome;
  assertEquals(differences, [], response?.body);
  if (each.needsServer) return;
  const expected = predict(request, modelFor(each));
  const isHead = request.method === "HEAD";
  assertEquals(...toComparable(expected, response!, isHead));
}
