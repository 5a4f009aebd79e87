export function handler(request, plants, users) {
  const url = new URL(request.url);
  if (url.pathname !== "/plants") return fail(404, "Not found; try /plants");
  const token = readToken(request.headers.get("Authorization"));
  if (token === undefined) return unauthorized("Missing bearer token");
  const user = authenticate(token, users);
  if (!user) {
    return unauthorized("Invalid bearer token", ', error="invalid_token"');
  }
  const visible = plants.filter((plant) => canSee(user, plant));
  return Response.json(visible);
}

/** Returns the bearer token, or undefined for another scheme. */
function readToken(authorization) {
  // `i` ignores case, and `(?!\S)` rejects longer schemes, such as Bearer-x.
  return /^bearer(?!\S) *(.*)/i.exec(authorization ?? "")?.[1];
}

function authenticate(token, users) {
  return Object.values(users).find(({ tokens = [] }) =>
    tokens.some((entry) => (entry.token ?? entry) === token)
  );
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
