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

const CHALLENGE = 'Bearer realm="plant-store"';

export function answer({ target, authorization = "" }) {
  const [path] = target.split("?");
  if (path !== "/plants") return reply(404, "The plants are at /plants");
  if (!/^bearer(?:\s|$)/i.test(authorization)) {
    return reply(401, "Send a bearer token", { "WWW-Authenticate": CHALLENGE });
  }
  const token = /^bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
  const tags = TAGS_BY_TOKEN.get(token);
  if (!tags) {
    const challenge = `${CHALLENGE}, error="invalid_token"`;
    return reply(401, "Send another token", { "WWW-Authenticate": challenge });
  }
  return reply(200, PLANTS.filter(({ tag }) => tags.includes(tag)));
}

function reply(status, value, fields) {
  const body = new TextEncoder().encode(JSON.stringify(value));
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": body.length,
    ...fields,
  };
  return { status, headers, body };
}
