import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { ACCESS, type Case, CASES, PLANTS } from "../contract/cases.ts";
import { OPTIONS } from "../contract/setups.ts";
import { digest } from "../contract/stores.ts";
import { judge, type Service } from "./model.ts";
import { type Content, createState, type Holder } from "./state.ts";

const state = createState({
  plants: PLANTS,
  users: new Map(Object.entries(ACCESS)),
  holders: new Map<string, Holder>([
    ...Object.keys(ACCESS).map((user) => [user, { user }] as const),
    ["expired", { user: "all", expires: 1 }],
  ]),
}, 0);

/** The contract's lists, each with a tag that tells it from others. */
function list(user: string, limit: bigint): Content {
  const content = state.list(user, limit);
  content.tag = `"${digest(content.body)}"`;
  return content;
}

const document: Content = { body: "{}", tag: '"document"' };

function toService({ setup = "open" }: Case): Service {
  const { basePath = "", cors = "*", openapi } = OPTIONS[setup];
  return {
    runtime: "node",
    basePath,
    cors: cors as Service["cors"],
    documents: new Map(
      openapi
        ? [["/openapi.json", { type: "application/json", at: () => document }]]
        : [],
    ),
  };
}

test("the model says of each case of the contract what the contract says", () => {
  const cases = CASES.filter(({ setup }) =>
    setup !== "broken" && setup !== "unavailable"
  );
  assert(cases.length > 200);
  const { tag } = list("all", 9n);
  for (const each of cases) {
    const { id, method = "GET", target = "/plants", headers = [] } = each;
    const hosts = headers.some(([name]) => name === "Host") ? [] : ["Host: h"];
    const lines = headers.map(([name, value]) =>
      `${name}: ${value.replace("ETAG", tag!)}`
    );
    const [outcome] = judge(
      {
        kind: id,
        start: `${method} ${target} HTTP/1.1`,
        lines: [...hosts, ...lines],
        body: "",
      },
      toService(each),
      { ...state, list },
      Date.now(),
    );
    assertEquals(outcome?.status, each.status, id);
    for (const [name, value] of Object.entries(each.has ?? {})) {
      const said = outcome!.fields[name];
      if (said !== undefined && !(value instanceof RegExp)) {
        assertEquals(said, value, `${id}: ${name}`);
      }
    }
    if (Array.isArray(each.body)) {
      const body = Buffer.from(outcome!.content!.body, "latin1").toString();
      assertEquals(JSON.parse(body), each.body, id);
    }
    if (each.status >= 400) assertEquals(outcome!.error, each.status, id);
  }
});
