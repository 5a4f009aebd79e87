const PLANTS = [
  { name: "Monstera deliciosa", tag: "vine" },
  { name: "Helianthus annuus", tag: "flower" },
  { name: "Nephrolepis exaltata", tag: "fern" },
  { name: "Rosa canina", tag: "flower" },
];

export function answer({ target }) {
  const [path] = target.split("?");
  if (path !== "/plants") return reply(404, "The plants are at /plants");
  return reply(200, PLANTS);
}

function reply(status, value) {
  const body = new TextEncoder().encode(JSON.stringify(value));
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": body.length,
  };
  return { status, headers, body };
}
