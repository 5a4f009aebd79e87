const PLANTS = [
  { name: "Monstera deliciosa", tag: "vine" },
  { name: "Helianthus annuus", tag: "flower" },
  { name: "Nephrolepis exaltata", tag: "fern" },
  { name: "Rosa canina", tag: "flower" },
];

// A Map, since an object would know the token `constructor` too.
const TAGS_BY_TOKEN = new Map([
  ["demo-florist", ["flower", "orchid"]],
  ["demo-visitor", []],
]);

const ALLOW = "GET, HEAD", CHALLENGE = 'Bearer realm="plant-store"';

export function answer({ method, target, authorization = "" }) {
  const [path, query] = target.split(/\?(.*)/s);
  if (path !== "/plants") return fail(404, "The plants are at /plants");
  if (!ALLOW.split(", ").includes(method)) {
    return fail(405, `Only ${ALLOW} are answered`, { Allow: ALLOW });
  }
  if (!/^bearer(?:\s|$)/i.test(authorization)) {
    return fail(401, "Send a bearer token", { "WWW-Authenticate": CHALLENGE });
  }
  const token = /^bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
  const tags = TAGS_BY_TOKEN.get(token);
  if (!tags) {
    const challenge = `${CHALLENGE}, error="invalid_token"`;
    return fail(401, "Send another token", { "WWW-Authenticate": challenge });
  }
  const limits = new URLSearchParams(query).getAll("limit");
  const [text = "2147483647"] = limits;
  const limit = /^(0|[1-9]\d*)$/.test(text) ? Number(text) : NaN;
  if (!(limit <= 2147483647) || limits.length > 1) {
    const shown = JSON.stringify(limits.join(", "));
    return fail(400, `limit must be one whole number, not ${shown}`);
  }
  const seen = PLANTS.filter(({ tag }) => tags.includes(tag));
  return reply(200, seen.slice(0, limit));
}

function fail(error, message, fields) {
  const headers = { "Cache-Control": "no-store", ...fields };
  return reply(error, { error, message }, headers);
}

function reply(status, value, fields) {
  const body = new TextEncoder().encode(JSON.stringify(value));
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": body.length,
    "X-Content-Type-Options": "nosniff",
    ...fields,
  };
  return { status, headers, body };
}
