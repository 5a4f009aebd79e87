import { type Case, CASES } from "./cases.ts";

/** The IDs of cases that never reach the service, with the reason. */
type Own = Readonly<Record<string, string>>;

const BUN: Own = {
  "options.asterisk": "Bun does not accept an asterisk as the target",
};

const WORKERD: Own = {
  "credentials.empty-first":
    "workerd drops an empty header before one of the same name",
  "host.bad.empty": "workerd drops an empty Host",
};

const HOST_OF_URL: Own = {
  "openapi.absolute": "the runtime builds the URL from the Host header",
};

const ROUTER: Own = {
  "options.asterisk": "the asterisk is outside the base path",
  "path.found.above": "the router does not resolve dots",
};

const HONO_HOSTS: Own = Object.fromEntries(
  CASES.map(({ id }) => id)
    .filter((id) => /^host\.(?:bad|route|before)/.test(id))
    .filter((id) => id !== "host.bad.empty")
    .concat("host.good.escaped")
    .map((id) => [id, "@hono/node-server rejects this Host itself"]),
);

/** The cases that a runtime or a framework responds to itself. */
export const OWN: Readonly<Record<string, Own>> = {
  "Bun.serve over a socket": { ...BUN, ...HOST_OF_URL },
  "workerd over a socket": { ...WORKERD, ...HOST_OF_URL },
  "express.ts": ROUTER,
  "fastify.ts": ROUTER,
  "hono.ts": {
    ...HONO_HOSTS,
    "options.asterisk": "@hono/node-server rejects an asterisk target",
  },
  "bun_serve.ts": BUN,
  "cloudflare_worker.ts": {
    ...WORKERD,
    ...Object.fromEntries(
      ["root", "page", "openapi", "absolute-other"].map((id) => [
        `path.missing.${id}`,
        "the example has an API explorer and an OpenAPI document",
      ]),
    ),
  },
};

/** Returns the cases that reach the service. */
export function casesOf(name: string): readonly Case[] {
  const own = new Map(Object.entries(OWN[name] ?? {}));
  return CASES.filter(({ id }) => !own.has(id));
}
