// What Fastify validates requests and writes answers by.

export const querystring = {
  type: "object",
  properties: { limit: { type: "integer", minimum: 0, maximum: 2147483647 } },
};

const plant = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, tag: { type: "string" } },
};

export const response = { 200: { type: "array", items: plant } };
