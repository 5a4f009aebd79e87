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
import { ASK_RUNTIME } from "./runtime.ts";

/** The service in one set-up, however it is reached. */
export interface Service {
  send(request: CaseRequest): Promise<CaseResponse>;
  close(): Promise<void>;
}

/** What a run of the contract is held to. */
export interface ContractOptions {
  /** The cases. Default: the whole table. */
  readonly cases?: readonly Case[];
  /** The runtime that the service has to be on. Default: what RUNTIME names, if anything. */
  readonly runtime?: string | undefined;
}

/** Runs every case of the contract against a service, and what {@linkcode OWN} says of it. */
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
        const { body } = await (await find()).send({ headers: [ASK_RUNTIME] });
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
    assertEquals(new Set(ids).size, ids.length, "an id stands twice");
    const own = Object.keys(OWN[name] ?? {});
    for (const id of own) {
      const each = cases.find((each) => each.id === id);
      if (!each) throw new Error(`no case has the id ${id}`);
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
 * Runs every case of the contract in a random order against one service of each
 * setup, so that no response depends on the requests before it. Rejected
 * requests come first: nothing valid has arrived by then. Set SEED to repeat an
 * order.
 */
export function testShuffled(
  name: string,
  open: (setup: Setup) => Promise<Service>,
): void {
  const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2e9));
  const shuffle = (cases: readonly Case[]) =>
    fc.sample(
      fc.shuffledSubarray([...cases], { minLength: cases.length }),
      { seed, numRuns: 1 },
    ).flat();
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

/** What holds for every answer. */
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

/** Puts the entity tag of the plain answer in the place of ETAG. */
export async function fillTag(
  service: Pick<Service, "send">,
  { headers = [], ...rest }: Case,
): Promise<CaseRequest> {
  if (!headers.some(([, value]) => value.includes("ETAG"))) {
    return { ...rest, headers };
  }
  const plain = await service.send({
    headers: [["Authorization", "Bearer all"]],
  });
  const tag = plain.headers.get("etag") ?? "";
  return {
    ...rest,
    headers: headers.map((
      [name, value],
    ) => [name, value.replace("ETAG", tag)]),
  };
}
