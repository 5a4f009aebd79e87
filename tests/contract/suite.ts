import process from "node:process";
import { test } from "node:test";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import fc from "fast-check";
import * as v from "valibot";
import { ErrorSchema } from "../../mod.ts";
import {
  type Case,
  type CaseRequest,
  type CaseResponse,
  CASES,
  type Setup,
} from "./cases.ts";
import { casesOf, OWN, summarize } from "./own.ts";
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

/** Runs the contract against a service, and checks that {@linkcode OWN} is right. */
export function testContract(
  name: string,
  open: (setup: Setup) => Promise<Service>,
  { cases = CASES, runtime = process.env["RUNTIME"] }: ContractOptions = {},
): void {
  const services = new Map<Setup, Promise<Service>>();
  function find(setup: Setup = "open"): Promise<Service> {
    const service = services.get(setup) ?? open(setup);
    services.set(setup, service);
    return service;
  }

  test(`contract: ${name}`, async (t) => {
    t.after(async () => {
      for (const service of services.values()) await (await service).close();
    });
    if (runtime !== undefined) {
      await t.test(`is on ${runtime}`, async () => {
        const { body } = await (await find()).send({ headers: [RUNTIME_USER] });
        assertEquals(JSON.parse(body), [{ name: runtime }]);
      });
    }
    const ran: string[] = [];
    for (const each of casesOf(name, cases)) {
      await t.test(each.id, async () => {
        await check(await find(each.setup), each);
        ran.push(each.id);
      });
    }
    const ids = cases.map(({ id }) => id);
    assertEquals(new Set(ids).size, ids.length, "duplicate ID");
    const own = Object.keys(OWN[name] ?? {});
    for (const id of own) {
      const each = cases.find((each) => each.id === id);
      if (!each) throw new Error(`unknown case ${id}`);
      await t.test(`${id} does not reach the service`, async () => {
        const service = await find(each.setup);
        await assertRejects(() => check(service, each), Error);
      });
    }
    assertEquals(ran, ids.filter((id) => !own.includes(id)));
    console.log(summarize(name, ran.length, runtime));
  });
}

/**
 * Runs the contract in a random order against one service for each setup, because
 * no response may depend on earlier requests. Starts with rejected requests, so
 * that they precede all valid ones. Set SEED to repeat an order.
 */
export function testShuffled(
  name: string,
  open: (setup: Setup) => Promise<Service>,
): void {
  const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2e9));
  const shuffle = (cases: readonly Case[]) => {
    const whole = { minLength: cases.length };
    const order = fc.shuffledSubarray([...cases], whole);
    return fc.sample(order, { seed, numRuns: 1 }).flat();
  };
  const title = `${name}, shuffled`;
  test(`contract: ${title} with SEED=${seed}`, async (t) => {
    const services = new Map<Setup, Service>();
    t.after(async () => {
      for (const service of services.values()) await service.close();
    });
    const cases = casesOf(name);
    const rejected = cases.filter(({ status }) => status >= 400);
    for (const each of [...shuffle(rejected), ...shuffle(cases)]) {
      const { id, setup = "open" } = each;
      const service = services.get(setup) ?? await open(setup);
      services.set(setup, service);
      await check(service, each).catch((cause) => {
        throw new Error(`${id} with SEED=${seed}`, { cause });
      });
    }
    console.log(summarize(title, cases.length, process.env["RUNTIME"]));
  });
}

async function check(service: Service, each: Case): Promise<void> {
  const response = await service.send(await fillTag(service, each));
  const { status, headers, body } = response;
  assertEquals(status, each.status, body);

  for (const [name, expected] of Object.entries(each.has ?? {})) {
    const value = headers.get(name);
    if (expected instanceof RegExp) assertMatch(value ?? "", expected, name);
    else assertEquals(value, expected, name);
  }
  if (each.body instanceof RegExp) assertMatch(body, each.body);
  else if (each.body === "") assertEquals(body, "");
  else if (each.body !== undefined) assertEquals(JSON.parse(body), each.body);

  await checkAlways(service, each, response);
}

/** Checks the rules that apply to every response. */
async function checkAlways(
  service: Service,
  request: Case,
  { status, headers, body }: CaseResponse,
): Promise<void> {
  assertEquals(headers.get("x-content-type-options"), "nosniff");
  if (status >= 400) {
    assertEquals(headers.get("content-type"), "application/json");
    assertEquals(headers.get("cache-control"), "no-store");
    assertEquals(headers.get("etag"), null);
  }
  if (request.method === "HEAD") {
    const get = await service.send({
      ...await fillTag(service, request),
      method: "GET",
    });
    for (const name of ["content-length", "etag", "content-type"]) {
      assertEquals(headers.get(name), get.headers.get(name), name);
    }
    assertEquals(status, get.status);
  } else if (status !== 204 && status !== 304) {
    const length = new TextEncoder().encode(body).byteLength;
    assertEquals(headers.get("content-length"), `${length}`);
    if (status >= 400) assert(v.is(ErrorSchema, JSON.parse(body)), body);
  }
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
