export function reply(status, value, fields) {
  const body = new TextEncoder().encode(JSON.stringify(value));
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": body.length,
    "X-Content-Type-Options": "nosniff",
    ...fields,
  };
  return { status, headers, body };
}

export function fail(error, message, fields) {
  const headers = { "Cache-Control": "no-store", ...fields };
  return reply(error, { error, message }, headers);
}

export function unauthorized(message, reason = "") {
  const challenge = `Bearer realm="plant-store"${reason}`;
  return fail(401, message, { "WWW-Authenticate": challenge });
}
