import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { handler } from "./handler.mjs";

const plants = [
  { name: "Monstera deliciosa", tag: "vine" },
  { name: "Nephrolepis exaltata", tag: "fern" },
  { name: "Rosa canina", tag: "flower" },
];
const [MONSTERA, , ROSE] = plants;
const users = {
  florist: {
    plants: { tags: ["flower"], names: ["Monstera deliciosa"] },
    tokens: ["valid", { token: "expired", expires: "2020-01-01" }],
  },
};

const CASES = [
  ["the user's plants", "/plants", "Bearer valid", 200, [MONSTERA, ROSE]],
  ["a limit", "/plants?limit=1", "Bearer valid", 200, [MONSTERA]],
  ["a tag", "/plants?tag=flower", "Bearer valid", 200, [ROSE]],
  ["a tag that no plant has", "/plants?tag=x", "Bearer valid", 200, []],
  ["an invalid limit", "/plants?limit=x", "Bearer valid", 400],
  ["a repeated limit", "/plants?limit=1&limit=1", "Bearer valid", 400],
  ["no token", "/plants", "", 401],
  ["another scheme", "/plants", "Basic valid", 401],
  ["an unknown token", "/plants", "Bearer unknown", 401],
  ["an expired token", "/plants", "Bearer expired", 401],
  ["an unknown path", "/", "Bearer valid", 404],
];

for (const [name, target, authorization, status, expected] of CASES) {
  test(name, async () => {
    const url = `http://localhost${target}`;
    const request = new Request(url, { headers: { authorization } });
    const response = await handler(request, plants, users);
    equal(response.status, status);
    const body = await response.json();
    if (status === 200) deepEqual(body, expected);
    else equal(body.error, status);
  });
}
