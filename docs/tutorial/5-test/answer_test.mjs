import { deepEqual, equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { createAnswer } from "./answer.mjs";
import plants from "./plants.json" with { type: "json" };
import users from "./tokens.json" with { type: "json" };

const sha256 = createHash("sha256").update("typo").digest("hex");
const typo = { plants: "all", tokens: [{ sha256, expires: "2020-13-01" }] };
const answer = createAnswer(plants, { ...users, typo });
const florist = "Bearer demo-florist";
const [MONSTERA, SUNFLOWER, , ROSE] = plants;

const CASES = [
  ["sees her own", { authorization: florist }, 200, [
    MONSTERA,
    SUNFLOWER,
    ROSE,
  ]],
  ["limit", { query: "?limit=1", authorization: florist }, 200, [MONSTERA]],
  ["limit=0", { query: "?limit=0", authorization: florist }, 200, []],
  ["limit=x", { query: "?limit=x", authorization: florist }, 400],
  ["limit=1?x", { query: "?limit=1?x", authorization: florist }, 400],
  ["two limits", { query: "?limit=1&limit=1", authorization: florist }, 400],
  ["no token", {}, 401],
  ["a longer scheme", { authorization: "Bearer-x demo-florist" }, 401],
  ["another scheme", { authorization: "Basic demo-florist" }, 401],
  ["unknown token", { authorization: "Bearer constructor" }, 401],
  ["expired token", { authorization: "Bearer demo-expired" }, 401],
  ["wrong date", { authorization: "Bearer typo" }, 401],
  ["another method", { method: "POST", authorization: florist }, 405],
  ["another path", { query: "/", authorization: florist }, 404],
];

for (const [name, request, status, body] of CASES) {
  test(name, () => {
    const { method = "GET", query = "", authorization } = request;
    const target = `/plants${query}`;
    const reply = answer({ method, target, authorization });
    equal(reply.status, status);
    const found = JSON.parse(new TextDecoder().decode(reply.body));
    if (body) deepEqual(found, body);
    else equal(found.error, status);
  });
}
