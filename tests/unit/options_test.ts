import { test } from "node:test";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  createHandler,
  createMemoryStore,
  type PlantStore,
  withBehavior,
} from "../../mod.ts";
import { createStaticExplorer } from "../../src/explorer/explorer.ts";
import { createNodeListener } from "../../src/server/node.ts";
import { serve } from "../../src/server/serve.ts";
import { openFileStore } from "../../src/stores/files.ts";
import { listCases, verify } from "../../src/verify/verify.ts";

// What callers in plain JavaScript pass to public functions.

const store = createMemoryStore({ plants: [], users: {} });
const handler = createHandler(store);

/** Every public function that has options, called with options of any type. */
const FUNCTIONS = {
  createHandler: (options: never) => createHandler(store, options),
  createNodeListener: (options: never) => createNodeListener(store, options),
  serve: (options: never) => serve(store, options),
  createMemoryStore,
  replace: store.replace,
  createStaticExplorer: (options: never) =>
    createStaticExplorer(store, options),
  openFileStore,
  listCases,
  verify: (options: never) => verify(handler, options).next(),
  withBehavior: (users: never) => withBehavior(store, users),
};

/** Calls, options, and the message about these. */
const WRONG: readonly (readonly [
  name: keyof typeof FUNCTIONS,
  options: unknown,
  message: string,
])[] = [
  ...([
    ["createHandler", "bsePath"],
    ["createNodeListener", "openApi"],
    ["serve", "prot"],
    ["createMemoryStore", "plant"],
    ["replace", "user"],
    ["createStaticExplorer", "scripts"],
    ["openFileStore", "wach"],
    ["listCases", "levl"],
    ["verify", "timout"],
  ] as const).map(([name, wrong]) => {
    const message = `unknown property "${wrong}"; use `;
    return [name, { [wrong]: "s3cret" }, message] as const;
  }),
  ["createHandler", null, "object, got null"],
  ["createHandler", "s3cret", "object, got string"],
  ["createHandler", { explorer: true }, "explorer must be of type function"],
  ["createHandler", { basePath: 1 }, "basePath must be of type string"],
  ["createHandler", { cors: [1] }, "cors must be a string or an array"],
  ["openFileStore", undefined, "options must be an object, got undefined"],
  ["openFileStore", { plants: "p" }, "tokens must be of type string"],
  ["createMemoryStore", { plants: [] }, "users must be an object"],
  ["withBehavior", [], 'such as {"florist": {"delay": "200-800"}}'],
  ["verify", { level: "all" }, "options: level must be core or http"],
  ["verify", { only: [1] }, "options: only must be an array of strings"],
  [
    "verify",
    { only: ["x"] },
    'no test case of level http has an ID that starts with the words "x"',
  ],
  [
    "verify",
    { skip: ["x"] },
    'no test case of level http has an ID that starts with the words "x"',
  ],
  ...["5", 0, Infinity].map((timeout) =>
    ["verify", { timeout }, "timeout must be a number of milliseconds"] as const
  ),
  ...[
    ...["/", "api", "/api/", "//api", "/a//b", "/a?b", "/a#b", "/a b"],
    ...["/a/../b", "/%2e", "/a\\b", "/a\n", "/\uD800"],
  ].map((basePath) => {
    const message = `, got ${JSON.stringify(basePath)}`;
    return ["createHandler", { basePath }, message] as const;
  }),
  ...[
    ...["", "on", "a.example", "https://a.example/", "https://A.example"],
    ...["*,https://a.example", "https://a.example:443", "https://a.example,"],
    ...["https://u@a.example", ["https://a.example", "off"]],
  ].map((cors) => ["createHandler", { cors }, "cors must contain"] as const),
  ...[
    ...["p.example", "ftp://p", "xhttps://p", "", "https://u@p"],
    ...["https://:p@p", "https://p?q", "https://p#", "/api"],
  ].map((publicUrl) =>
    ["createHandler", { publicUrl }, "publicUrl must be a URL"] as const
  ),
];

for (const [name, options, message] of WRONG) {
  test(`${name}() rejects ${JSON.stringify(options)}`, async () => {
    const call: (options: never) => unknown = FUNCTIONS[name];
    const error = await assertRejects(
      async () => void await call(options as never),
      Error,
    );
    assertEquals(/^(?:Type|Range)Error$/.test(error.name), true, error.name);
    assertStringIncludes(error.message, message);
    assertEquals(error.message.includes("s3cret"), false, error.message);
  });
}

for (const start of [createHandler, createNodeListener, serve, withBehavior]) {
  test(`${start.name}() requires a store`, async () => {
    for (
      const [store, got] of [
        [undefined, "undefined"],
        [null, "null"],
        [{}, "object"],
        [Promise.resolve(), "a promise; await it"],
      ] as const
    ) {
      const call = async () => await start(store as unknown as PlantStore, {});
      const { message } = await assertRejects(call, TypeError);
      assertEquals(
        message,
        `store must be an object with a method "authenticate", got ${got}`,
      );
    }
  });
}

const notFound = (message: string) => JSON.stringify({ error: 404, message });

/** The explorer contains the URL of the service. */
const explorer = ({ baseUrl }: { readonly baseUrl: string }) => (
  { headers: {}, text: baseUrl }
);

for (
  const [basePath, publicUrl, target, body] of [
    [
      "/caf\u00E9/%61",
      "https://p.example/x//",
      "/caf%C3%A9/a/",
      "https://p.example/x",
    ],
    ["", undefined, "/", "http://localhost"],
    [
      "",
      "https://p.example/api/",
      "/api",
      notFound("Not found; try /api/plants"),
    ],
    [
      "/v1",
      "https://p.example/v1",
      "/api/plants",
      notFound("Not found; try /v1/plants"),
    ],
    ["/v1", undefined, "/plants", notFound("Not found; try /v1/plants")],
  ] as const
) {
  test(`createHandler() returns ${body} for ${target} with "${basePath}" and ${publicUrl}`, async () => {
    const options = { basePath, ...publicUrl && { publicUrl }, explorer };
    const response = await createHandler(store, options)(target);
    assertEquals(await response.text(), body);
  });
}
