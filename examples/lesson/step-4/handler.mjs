const MAX_LIMIT = 2147483647; // the largest signed 32-bit integer

export function handler(request, plants, users) {
  const url = new URL(request.url);
  if (url.pathname !== "/plants") return fail(404, "Not found; try /plants");
  if (request.method !== "GET" && request.method !== "HEAD") {
    return fail(405, "Use GET or HEAD", { Allow: "GET, HEAD" });
  }
  const token = readToken(request.headers.get("Authorization"));
  if (token === undefined) return unauthorized("Missing bearer token");
  const user = authenticate(token, users);
  if (!user) {
    return unauthorized("Invalid bearer token", ', error="invalid_token"');
  }
  const limits = url.searchParams.getAll("limit");
  const limit = limits.length === 0 ? `${MAX_LIMIT}` : limits.join(", ");
  if (!/^\d+$/.test(limit) || Number(limit) > MAX_LIMIT) {
    const range = `an integer from 0 to ${MAX_LIMIT}`;
    return fail(400, `limit must be ${range}, got ${JSON.stringify(limit)}`);
  }
  const visible = plants.filter((plant) => canSee(user, plant));
  return Response.json(visible.slice(0, Number(limit)));
}

/** Returns the bearer token, or undefined for another scheme. */
function readToken(authorization) {
  // `i` ignores case, and `(?!\S)` rejects longer schemes, such as Bearer-x.
  return /^bearer(?!\S) *(.*)/i.exec(authorization ?? "")?.[1];
}

function authenticate(token, users) {
  return Object.values(users).find(({ tokens = [] }) =>
    tokens.some((entry) => (entry.token ?? entry) === token && isValid(entry))
  );
}

function isValid({ expires }) {
  return expires === undefined || Date.now() < Date.parse(expires);
}

function canSee({ plants }, { name, tag }) {
  const { tags = [], names = [] } = plants;
  return plants === "all" || tags.includes(tag) || names.includes(name);
}

function unauthorized(message, error = "") {
  const challenge = `Bearer realm="plant-store"${error}`;
  return fail(401, message, { "WWW-Authenticate": challenge });
}

export function fail(status, message, headers) {
  return Response.json({ error: status, message }, {
    status,
    headers: { "Cache-Control": "no-store", ...headers },
  });
}
