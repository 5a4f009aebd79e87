import { createHash } from "node:crypto";
import process from "node:process";
import { test, type TestContext } from "node:test";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import fc, { SEED } from "../support/fast_check.ts";
import * as v from "valibot";
import { ErrorSchema } from "../../mod.ts";
import {
  type Case,
  type CaseRequest,
  type CaseResponse,
  CASES,
  type Setup,
} from "./cases.ts";
import { casesOf, OWN } from "./own.ts";
import { RUNTIME_USER } from "./runtime.ts";

/** The service in one setup. */
export interface Service {
  send(request: CaseRequest): Promise<CaseResponse>;
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
    for (const each of cases) {
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
    const rejected = cases.filter(({ status }) => status >= 400);
    for (const each of [...shuffle(rejected), ...shuffle(cases)]) {
      await check(await find(each.setup), each).catch((cause) => {
        throw new Error(`${each.id} with SEED=${SEED}`, { cause });
      });
    }
  });
}

async function check(service: Service, each: Case): Promise<void> {
  const request = await fillTag(service, each);
  const { status, headers, body } = await service.send(request);
  assertEquals(status, each.status, body);

  for (const [name, expected] of Object.entries(each.has ?? {})) {
    const value = headers.get(name);
    if (expected instanceof RegExp) assertMatch(value ?? "", expected, name);
    else assertEquals(value, expected, name);
  }
  if (each.body instanceof RegExp) assertMatch(body, each.body);
  else if (each.body === "") assertEquals(body, "");
  else if (each.body !== undefined) assertEquals(JSON.parse(body), each.body);

  // The rules that apply to every response.
  assertEquals(headers.get("x-content-type-options"), "nosniff");
  if (status >= 400) {
    assertEquals(headers.get("content-type"), "application/json");
    assertEquals(headers.get("cache-control"), "no-store");
    assertEquals(headers.get("etag"), null);
  }
  if (request.method === "HEAD") {
    const get = await service.send({ ...request, method: "GET" });
    for (const name of ["content-length", "etag", "content-type"]) {
      assertEquals(headers.get(name), get.headers.get(name), name);
    }
    assertEquals(status, get.status);
  } else if (status !== 204 && status !== 304) {
    const length = new TextEncoder().encode(body).byteLength;
    assertEquals(headers.get("content-length"), `${length}`);
    if (status >= 400) assert(v.is(ErrorSchema, JSON.parse(body)), body);
    const etag = headers.get("etag");
    if (etag !== null) assertEquals(etag, etagOf(body));
  }
}

function etagOf(body: string): string {
  const digest = createHash("sha256").update(body).digest("hex");
  return `"${digest.slice(0, 32)}"`;
}

/** Replaces ETAG with the ETag of the plain response. */
export async function fillTag(
  service: Pick<Service, "send">,
  { headers = [], ...rest }: Case,
): Promise<CaseRequest> {
  if (!headers.some(([, value]) => value.includes("ETAG"))) {
    return { ...rest, headers };
  }
  const headersOfAll = [["Authorization", "Bearer all"]] as const;
  const plain = await service.send({ headers: headersOfAll });
  const etag = plain.headers.get("etag") ?? "";
  return {
    ...rest,
    headers: headers.map(([name, value]) =>
      [name, value.replace("ETAG", etag)] as const
    ),
  };
}
