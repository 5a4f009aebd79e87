import { CASES } from "./all_cases.ts";

/** The IDs of cases that get another response, with the reason. */
type Failures = Readonly<Record<string, string>>;

const BUN: Failures = {
  "options.asterisk": "Bun does not accept an asterisk as the target",
};

const ROUTER: Failures = {
  "options.asterisk": "the asterisk is outside the base path",
  "path.found.above": "the router does not resolve dots",
};

const HONO_HOSTS: Failures = Object.fromEntries(
  CASES.map(({ id }) => id)
    .filter((id) => /^host\.(?:bad\..|route|space)/.test(id))
    .concat("host.good.escaped", "host.good.empty-port")
    .map((id) => [id, "@hono/node-server rejects this Host itself"]),
);

/** The cases to which a runtime or a framework does not respond as the contract requires. */
export const EXPECTED_FAILURES: Readonly<Record<string, Failures>> = {
  "Bun.serve over a socket": {
    ...BUN,
    "openapi.absolute": "the runtime builds the URL from the Host header",
  },
  "express.ts": ROUTER,
  "fastify.ts": ROUTER,
  "hono.ts": {
    ...HONO_HOSTS,
    "options.asterisk": "@hono/node-server rejects an asterisk target",
    "path.found.backslash": "@hono/node-server rejects a backslash itself",
  },
  "bun_serve.ts": BUN,
  "cloudflare_worker.ts": {
    "credentials.empty-first":
      "workerd drops an empty header before one of the same name",
    "host.bad.": "workerd drops an empty Host",
    ...Object.fromEntries(
      ["root", "absolute-root", "absolute-other", "page", "openapi"].map((
        id,
      ) => [
        `path.missing.${id}`,
        "the example has an API explorer and an OpenAPI document",
      ]),
    ),
  },
};
