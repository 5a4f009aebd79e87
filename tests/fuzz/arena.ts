import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePlants, makeShop, writeShop } from "./data.ts";
import type { Dice } from "./dice.ts";
import { carryOut, type Target, type Violation } from "./exchange.ts";
import type { World } from "./grammar.ts";
import type { WireRequest } from "./head.ts";
import { type Document, judge, type Outcome, type Service } from "./model.ts";
import type { Plan } from "./plan.ts";
import type { WireResponse } from "./response.ts";
import { type ServerProcess, startServer } from "./server.ts";
import { type Content, createState, type State, TagBook } from "./state.ts";

// One place where requests meet servers: their files, processes and documents.

/** How servers are set up, with how often each is asked. */
const SETUPS:
  readonly (readonly [weight: number, Pick<Service, "basePath" | "cors">])[] = [
    [6, { basePath: "", cors: "*" }],
    [2, {
      basePath: "/shop/v1",
      cors: ["https://a.example", "http://localhost:3000"],
    }],
    [2, { basePath: "", cors: "off" }],
  ];

/** The servers under test, with all that is known of them. */
export interface Arena {
  /** Chooses a server for a plan. */
  choose(dice: Dice): World;
  judge(request: WireRequest, world: World): readonly Outcome[];
  /** Sends a plan to its server. */
  send(
    plan: Plan,
    world: World,
    count: Target["count"],
    idleClosed?: () => void,
  ): Promise<Violation | undefined>;
  /** Hides the tokens in a text. */
  mask(text: string): string;
  /** Tells what is wrong with the servers: one has ended, or says something that it should not. */
  close(): Promise<readonly string[]>;
  /** The port of the first server. */
  readonly port: number;
  hasEnded(): boolean;
}

/** Starts the servers of a runtime, with the data of a seed. */
export async function openArena(
  runtime: Service["runtime"],
  seed: number,
): Promise<Arena> {
  const folder = await mkdtemp(join(tmpdir(), "plant-store-fuzz-"));
  const shop = makeShop(seed, makePlants(40));
  const paths = await writeShop(folder, shop);
  const tags = new TagBook();
  const state = createState(shop, 0, tags);
  const valid: string[] = [], expired: string[] = [];
  for (const [token, { expires = Infinity }] of shop.holders) {
    (expires < Date.now() ? expired : valid).push(token);
  }
  const places = await Promise.all(
    SETUPS.map(async ([weight, { basePath, cors }]) => {
      const server = await startServer(runtime, [
        ...["--plants", paths.plants, "--tokens", paths.tokens],
        ...basePath === "" ? [] : ["--base-path", basePath],
        ...["--cors", typeof cors === "string" ? cors : cors.join()],
      ]);
      const documents = await readDocuments(server.port, basePath);
      const service: Service = { runtime, basePath, cors, documents };
      const world: World = { service, state, valid, expired };
      return { weight, server, world };
    }),
  );
  const total = places.reduce((sum, { weight }) => sum + weight, 0);
  const judged = new WeakMap<WireRequest, readonly Outcome[]>();

  function judgeNow(
    request: WireRequest,
    { service }: World,
  ): readonly Outcome[] {
    let outcomes = judged.get(request);
    if (!outcomes) {
      judged.set(
        request,
        outcomes = judge(request, service, state, Date.now()),
      );
    }
    return outcomes;
  }

  const arena: Arena = {
    choose(dice) {
      let at = dice.roll(total);
      return places.find(({ weight }) => (at -= weight) < 0)!.world;
    },
    judge: judgeNow,
    send(plan, world, count, idleClosed = () => {}) {
      const { port } = places.find((place) => place.world === world)!.server;
      // Bun ends a connection on which a request comes before the answer to another.
      const sent: Plan = runtime === "bun"
        ? { ...plan, delivery: "in turn", tail: "" }
        : plan;
      return carryOut(sent, {
        port,
        isNode: runtime === "node",
        tags,
        judge: (request) => judgeNow(request, world),
        count,
        idleClosed,
      });
    },
    mask: (text) => hide(text, shop.holders),
    async close() {
      const problems = await Promise.all(
        places.map(({ server }) => end(server, runtime, shop.holders)),
      );
      await rm(folder, { recursive: true });
      return problems.flat();
    },
    port: places[0]!.server.port,
    hasEnded: () => places.some(({ server }) => server.hasEnded()),
  };
  for (const { world } of places) await learnTags(arena, world);
  return arena;
}

/** Text without the tokens that are in it. */
export function hide(text: string, holders: State["holders"]): string {
  for (const [token, { user }] of holders) {
    text = text.replaceAll(token, `<a token of ${JSON.stringify(user)}>`);
  }
  return text;
}

/** Stops a server, and tells what it should not have done or said. */
async function end(
  server: ServerProcess,
  runtime: Service["runtime"],
  holders: State["holders"],
): Promise<string[]> {
  const problems: string[] = [];
  if (server.hasEnded()) problems.push("a server ended by itself");
  const { status, stdout, stderr } = await server.stop();
  if (runtime === "node" && status !== 0) {
    problems.push(`a server ended with ${status}`);
  }
  const logged = /^\d{4}-.*Z .*$|^\s+at .*$/m.exec(stderr)?.[0];
  if (logged) problems.push(`a server logged ${hide(logged, holders)}`);
  if (hide(stdout + stderr, holders) !== stdout + stderr) {
    problems.push("a server told a token");
  }
  return problems;
}

/** Asks once for each list, so that its tag is known to those who make requests. */
async function learnTags(arena: Arena, world: World): Promise<void> {
  const { state, valid, service } = world;
  const requests = valid.flatMap((token) =>
    [-1, ...state.plants.keys(), state.plants.length].map((limit) => ({
      kind: "tags",
      start: `GET ${service.basePath}/plants${
        limit < 0 ? "" : `?limit=${limit}`
      } HTTP/1.1`,
      lines: ["Host: tags", `Authorization: Bearer ${token}`],
      body: "",
    }))
  );
  const plan: Plan = { requests, delivery: "in turn", tail: "" };
  const violation = await arena.send(plan, world, () => {});
  if (violation) {
    const { start } = requests[violation.index]!;
    throw new Error(
      `${start}: ${violation.problem}: ${arena.mask(violation.received)}`,
    );
  }
}

/** Reads the page and the OpenAPI document, which the model takes as they are. */
export async function readDocuments(
  port: number,
  basePath: string,
): Promise<ReadonlyMap<string, Document>> {
  const page = await fetchContent(port, `${basePath}/`);
  const openapi = await fetchContent(port, `${basePath}/openapi.json`);
  const pageContent: Content = {
    body: page.body,
    tag: page.fields.get("etag")!,
  };
  const address = JSON.stringify(`http://127.0.0.1:${port}${basePath}`);
  const parts = openapi.body.split(address);
  if (parts.length !== 2) {
    throw new Error("the document was to name its address once");
  }
  const kept = new Map<string, Content>();
  return new Map<string, Document>([
    ["/", { type: page.fields.get("content-type")!, at: () => pageContent }],
    ["/openapi.json", {
      type: "application/json",
      at(baseUrl) {
        let content = kept.get(baseUrl);
        if (!content) {
          if (kept.size === 200) kept.clear();
          content = { body: parts.join(JSON.stringify(baseUrl || "/")) };
          kept.set(baseUrl, content);
        }
        return content;
      },
    }],
  ]);
}

async function fetchContent(port: number, path: string): Promise<WireResponse> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    fields: new Map(response.headers),
    body: bytes.toString("latin1"),
    size: bytes.length,
  };
}
