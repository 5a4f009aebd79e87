import { type Case, CASES } from "./cases.ts";

/** Cases by their id, with the reason why they never reach the service. */
type Own = Readonly<Record<string, string>>;

const BUN: Own = {
  "options.asterisk": "Bun takes an asterisk for no target",
};

const WORKERD: Own = {
  "credentials.empty-first":
    "workerd drops a field without a value that stands before another one",
  "host.bad.empty": "workerd drops a Host without a value",
};

const HOST_OF_URL: Own = {
  "openapi.absolute": "the runtime builds the URL from the Host header",
};

const ROUTER: Own = {
  "options.asterisk": "the asterisk is outside of the base path",
  "path.found.above": "the router takes dots for names",
};

const HONO_HOSTS: Own = Object.fromEntries(
  [
    "host.bad.path",
    "host.bad.query",
    "host.bad.route",
    "host.bad.fragment",
    "host.bad.user",
    "host.bad.space",
    "host.bad.port",
    "host.bad.two",
    "host.bad.comma-port",
    "host.bad.bracket",
    "host.bad.bracket-name",
    "host.bad.bracket-short",
    "host.bad.backslash",
    "host.bad.escape",
    "host.good.escaped",
    "host.route",
    "host.before-preflight",
    "host.before-path",
  ].map((id) => [id, "@hono/node-server gives such a Host a bare 400"]),
);

/** The cases that a runtime or a host answers by itself. */
export const OWN: Readonly<Record<string, Own>> = {
  "Bun.serve over a socket": { ...BUN, ...HOST_OF_URL },
  "workerd over a socket": { ...WORKERD, ...HOST_OF_URL },
  "express.ts": ROUTER,
  "fastify.ts": ROUTER,
  "hono.ts": {
    ...HONO_HOSTS,
    "options.asterisk": "@hono/node-server takes an asterisk for no target",
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

/** The cases of a table that reach the service. */
export function casesOf(
  name: string,
  cases: readonly Case[] = CASES,
): readonly Case[] {
  const own = new Map(Object.entries(OWN[name] ?? {}));
  return cases.filter(({ id }) => !own.has(id));
}

/** What a run of the contract prints at its end. */
export function summarize(
  name: string,
  count: number,
  runtime: string | undefined,
): string {
  const where = runtime === undefined ? "" : ` on ${runtime}`;
  return `${name}: ${count} cases of the contract${where}`;
}
