import process from "node:process";
import { test, type TestContext } from "node:test";
import { assert, assertEquals, assertRejects } from "@std/assert";
import fc, { SEED } from "../support/fast_check.ts";
import { fillEtag } from "../../src/contract/client.ts";
import { compare, compareHead } from "../../src/contract/compare.ts";
import {
  ACCESS,
  type Case,
  type CaseRequest,
  type CaseResponse,
  CASES,
  PLANTS,
  type Setup,
} from "./cases.ts";
import {
  compareResponse,
  DOCUMENTS,
  expect,
  type Service as Model,
} from "../fuzz/model.ts";
import { casesOf, OWN, sentTo } from "./own.ts";
import { RUNTIME_USER } from "./runtime.ts";
import { FAILING, OPTIONS } from "./setups.ts";
import { toWire } from "./wire.ts";

/** A request, and the one before it on the same connection. */
export interface SentRequest extends CaseRequest {
  readonly before?: CaseRequest;
}

/** The service in one setup. */
export interface Service {
  send(request: SentRequest): Promise<CaseResponse>;
  close(): Promise<void>;
}

/** Options for {@linkcode testContract}. */
export interface ContractOptions {
  /** The cases to run. Default: all. */
  readonly cases?: readonly Case[];
  /** The runtime that the service must run on. Default: the variable RUNTIME. */
  readonly runtime?: string | undefined;
}

/** Returns a function that opens each setup once; the test closes them. */
function openOnce(
  t: TestContext,
  open: (setup: Setup) => Promise<Service>,
): (setup: Setup | undefined) => Promise<Service> {
  const services = new Map<Setup, Promise<Service>>();
  t.after(async () => {
    for (const service of services.values()) await (await service).close();
  });
  return (setup = "open") => {
    const service = services.get(setup) ?? open(setup);
    services.set(setup, service);
    return service;
  };
}

/** Runs the contract against a service, and checks that {@linkcode OWN} is right. */
export function testContract(
  name: string,
  open: (setup: Setup) => Promise<Service>,
  { cases = CASES, runtime = process.env["RUNTIME"] }: ContractOptions = {},
): void {
  test(`contract: ${name}`, async (t) => {
    const find = openOnce(t, open);
    if (runtime !== undefined) {
      await t.test(`is on ${runtime}`, async () => {
        const { body } = await (await find("open")).send({
          headers: [RUNTIME_USER],
        });
        assertEquals(JSON.parse(body), [{ name: runtime }]);
      });
    }
    const ids = new Set(cases.map(({ id }) => id));
    assertEquals(ids.size, cases.length, "duplicate ID");
    const own = OWN[name] ?? {};
    assertEquals(Object.keys(own).filter((id) => !ids.has(id)), []);
    for (const each of sentTo(name, cases)) {
      const service = await find(each.setup);
      if (Object.hasOwn(own, each.id)) {
        await t.test(`${each.id} does not reach the service`, async () => {
          await assertRejects(() => check(service, each), Error);
        });
      } else await t.test(each.id, () => check(service, each));
    }
  });
}

/**
 * Runs the contract in a random order against one service for each setup, because
 * no response may depend on earlier requests. Starts with rejected requests, so
 * that they precede all valid ones. `SEED` determines the order.
 */
export function testShuffled(
  name: string,
  open: (setup: Setup) => Promise<Service>,
): void {
  const shuffle = (cases: readonly Case[]) => {
    const whole = { minLength: cases.length };
    const order = fc.shuffledSubarray([...cases], whole);
    return fc.sample(order, { numRuns: 1 }).flat();
  };
  const title = `${name}, shuffled`;
  test(`contract: ${title} with SEED=${SEED}`, async (t) => {
    const find = openOnce(t, open);
    const cases = casesOf(name);
    const rejected = cases.filter(({ status }) => Number(status) >= 400);
    for (const each of [...shuffle(rejected), ...shuffle(cases)]) {
      await check(await find(each.setup), each).catch((cause) => {
        throw new Error(`${each.id} with SEED=${SEED}`, { cause });
      });
    }
  });
}

/** The model of each setup. */
function modelOf(setup: Setup): Model {
  const { basePath = "", cors = "*", openapi } = OPTIONS[setup];
  const documents = [...DOCUMENTS].filter(([path]) =>
    path !== "/" && (openapi || path !== "/openapi.json")
  );
  return {
    basePath,
    cors: cors as Model["cors"],
    documents: new Map(documents),
    plants: PLANTS,
    users: new Map(Object.entries({ ...ACCESS, later: "all" })),
    failure: FAILING[setup] && setup,
  };
}

/**
 * Sends a case, and checks the response by the contract, and by the model, which knows
 * what this implementation promises in addition, such as the exact headers and ETags.
 */
async function check(service: Service, each: Case): Promise<void> {
  const request = await prepare(service, each);
  const response = await service.send(request);
  assertEquals(compare(each, response), [], response.body);
  const expected = expect(toWire(request, "h"), modelOf(each.setup ?? "open"));
  const isHead = request.method === "HEAD";
  const problems = expected.map((each) =>
    compareResponse({ ...each, closes: undefined }, response, isHead)
  );
  assert(problems.includes(undefined), problems[0]);
  if (isHead) {
    const get = await service.send({ ...request, method: "GET" });
    assertEquals(compareHead(response, get), []);
  }
}

/** Replaces ETAG with the ETag of the response before it. */
async function prepare(
  { send }: Pick<Service, "send">,
  each: Case,
): Promise<SentRequest> {
  const { method, target, headers = [], content, withoutHost, before } = each;
  const request = {
    ...{ method, target, headers, content, withoutHost },
    ...before?.keep && { before },
  } as SentRequest;
  if (!headers.some(([, value]) => value.includes("ETAG"))) return request;
  const headersOfAll = [["Authorization", "Bearer all"]] as const;
  const plain = await send(before ?? { headers: headersOfAll });
  return fillEtag(request, plain.headers.get("etag") ?? "");
}
