import { createHash } from "node:crypto";
import { fail, reply, unauthorized } from "./reply.mjs";

const ALLOW = "GET, HEAD";

export function createAnswer(plants, users) {
  const grants = new Map();
  for (const { plants, tokens = [] } of Object.values(users)) {
    for (const { sha256, expires } of tokens) {
      const end = expires === undefined ? Infinity : Date.parse(expires);
      grants.set(sha256, { plants, end });
    }
  }

  return ({ method, target, authorization = "" }) => {
    const [path, query] = target.split(/\?(.*)/s);
    if (path !== "/plants") return fail(404, "The plants are at /plants");
    if (!ALLOW.split(", ").includes(method)) {
      return fail(405, `Only ${ALLOW} are answered`, { Allow: ALLOW });
    }
    if (!/^bearer(?:\s|$)/i.test(authorization)) {
      return unauthorized("Send a bearer token");
    }
    const token = /^bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1] ?? "";
    const digest = createHash("sha256").update(token).digest("hex");
    const grant = grants.get(digest);
    if (!grant || !(Date.now() < grant.end)) { // a wrong date is NaN: refused
      return unauthorized("Send another token", ', error="invalid_token"');
    }
    const limits = new URLSearchParams(query).getAll("limit");
    const [text = "2147483647"] = limits;
    const limit = /^(0|[1-9]\d*)$/.test(text) ? Number(text) : NaN;
    if (!(limit <= 2147483647) || limits.length > 1) {
      const shown = JSON.stringify(limits.join(", "));
      return fail(400, `limit must be one whole number, not ${shown}`);
    }
    const { tags = [], names = [] } = grant.plants;
    const seen = plants.filter(({ name, tag }) =>
      grant.plants === "all" || tags.includes(tag) || names.includes(name)
    );
    return reply(200, seen.slice(0, limit));
  };
}
