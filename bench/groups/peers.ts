import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compare } from "../lib/compare.ts";
import { FLORIST } from "../lib/data.ts";
import { ask } from "../lib/http.ts";
import { type Comparison, judge, type Target } from "../lib/result.ts";
import { BENCH, type Side, startSide, type Workshop } from "../lib/sides.ts";
import { PATH, type Query } from "../lib/wrk.ts";
import { type Group, ROUNDS, say } from "./group.ts";

/** A library, its variants under `sides/`, and how far ahead of the fastest we want to be. */
interface Peer {
  readonly name: string;
  readonly variants: readonly string[];
  readonly atLeast: number;
  /** How it names the limit. Default: as we do. */
  readonly path?: string;
  /** Whether it has no check of the limit. */
  readonly takesAnyLimit?: boolean;
}

const PEERS: readonly Peer[] = [
  { name: "Fastify", variants: variants("fastify"), atLeast: 1.3 },
  { name: "Hono", variants: variants("hono"), atLeast: 1.6 },
  { name: "H3", variants: variants("h3"), atLeast: 1.6 },
  { name: "Express", variants: variants("express"), atLeast: 6 },
  {
    name: "json-server",
    variants: variants("json_server"),
    atLeast: 15,
    path: "/plants?_limit=20",
    takesAnyLimit: true,
  },
  {
    name: "Prism",
    variants: ["prism"],
    atLeast: 25,
    takesAnyLimit: true, // it answers 422
  },
];

function variants(name: string): readonly string[] {
  return [`${name}_documented`, `${name}_fast`];
}

/** The product against other libraries on Node. */
export const peers: Group = {
  title: "Against peers on Node",
  about:
    "100 plants and 3 users, limit=20, the user who sees four kinds of plants. Each peer checks the token, reads the limit, filters and encodes: as its documentation would have it, and as fast as we could write it with the library's own means. Prism answers with the example of an OpenAPI document and knows no users.",
  rounds: ROUNDS,
  async run(workshop, settings) {
    const ours = await workshop.ours("node");
    const shop = await workshop.data.shop(3, 100);
    const query: Query = { user: FLORIST };
    const comparisons: Comparison[] = [];
    const targets: Target[] = [];
    for (const { name, atLeast, path = PATH, ...peer } of PEERS) {
      const found: Comparison[] = [];
      for (const variant of peer.variants) {
        const side = variant === "prism"
          ? await prism(workshop, ours, query)
          : library(variant, shop);
        say(`  ${side.name}`);
        found.push(
          await compare("limit=20", [
            { side: ours, query },
            { side, query: { ...query, path } },
          ], {
            ...settings,
            equal: "json",
            refusals: [
              { status: 401, path: PATH },
              ...peer.takesAnyLimit
                ? []
                : [{ ...query, path: "/plants?limit=x", status: 400 }],
            ],
          }),
        );
      }
      comparisons.push(...found);
      // The fastest is the one that we are ahead of least.
      const fastest = found.toSorted((a, b) =>
        a.throughput.median - b.throughput.median
      )[0]!;
      targets.push(
        judge(
          `${name}, its fastest variant: throughput`,
          { atLeast },
          fastest.throughput,
        ),
      );
    }
    return { comparisons, targets };
  },
};

function library(variant: string, shop: string): Side {
  return {
    name: variant.replace(/_(?=documented|fast)/, ", ").replace("_", "-")
      .replace("documented", "as documented"),
    command: (port) => [
      process.execPath,
      join(BENCH, `sides/${variant}.mjs`),
      `${port}`,
    ],
    env: { SHOP: shop },
  };
}

/** Prism's mock of a document whose example is what we answer. */
async function prism(
  workshop: Workshop,
  ours: Side,
  query: Query,
): Promise<Side> {
  const server = await startSide(ours);
  const { body } = await ask(server.port, query);
  await server.stop();
  const document = JSON.parse(
    await readFile(join(BENCH, "sides/openapi.json"), "utf8"),
  );
  const { content } = document.paths["/plants"].get.responses["200"];
  content["application/json"].example = JSON.parse(body.toString());
  const path = join(workshop.folder, "openapi.json");
  await writeFile(path, JSON.stringify(document));
  return {
    name: "Prism's mock",
    command: (port) => [
      process.execPath,
      join(BENCH, "node_modules/@stoplight/prism-cli/dist/index.js"),
      "mock",
      `--port=${port}`,
      "--host=127.0.0.1",
      "--multiprocess=false", // a second process would be of no use to one CPU
      "--verboseLevel=silent",
      path,
    ],
    ready: "unsaid",
  };
}
