export function handler(request, plants) {
  const url = new URL(request.url);
  if (url.pathname !== "/plants") return fail(404, "Not found; try /plants");
  return Response.json(plants);
}

export function fail(status, message, headers) {
  return Response.json({ error: status, message }, {
    status,
    headers: { "Cache-Control": "no-store", ...headers },
  });
}
