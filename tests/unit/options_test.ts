import { test } from "node:test";
import {
  assertEquals,
  assertMatch,
  assertRejects,
  assertThrows,
} from "@std/assert";
import {
  createHandler,
  createMemoryStore,
  type PlantStore,
  withBehavior,
} from "../../mod.ts";
import { listCases, verify } from "../../src/verify/verify.ts";
import { createNodeListener } from "../../src/server/node.ts";
import { createStaticExplorer } from "../../src/explorer/explorer.ts";
import { serve } from "../../src/server/serve.ts";
import { openFileStore } from "../../src/stores/files.ts";

// What callers in plain JavaScript pass to public functions.

const store = createMemoryStore({ plants: [], users: {} });
const handler = createHandler(store);

/** Calls a public function with options that have no type. */
type Call = (options: never) => unknown;

/** Every public function that has options, a misspelled option, and the right one. */
const FUNCTIONS: Readonly<
  Record<string, readonly [call: Call, wrong: string, right: string]>
> = {
  createHandler: [
    (options) => createHandler(store, options),
    "bsePath",
    "basePath",
  ],
  createNodeListener: [
    (options) => createNodeListener(store, options),
    "openApi",
    "openapi",
  ],
  serve: [(options) => serve(store, options), "prot", "port"],
  createMemoryStore: [createMemoryStore, "plant", "plants"],
  "MemoryStore.replace": [store.replace, "user", "users"],
  createStaticExplorer: [
    (options) => createStaticExplorer(store, options),
    "scripts",
    "script",
  ],
  openFileStore: [openFileStore, "wach", "watch"],
  listCases: [listCases, "levl", "level"],
  verify: [(options) => verify(handler, options).next(), "timout", "timeout"],
};

const call = async (task: () => unknown) => void await task();

for (const [name, [start, wrong, right]] of Object.entries(FUNCTIONS)) {
  const hint = `unknown property "${wrong}"; did you mean "${right}"`;
  for (
    const [given, message, type = Error] of [
      [{ [wrong]: "s3cret" }, new RegExp(`^\\w+: ${hint}\\?$`)],
      [null, /object, got null$/, TypeError],
      ["s3cret", /object, got string$/, TypeError],
    ] as readonly (readonly [unknown, RegExp, typeof TypeError?])[]
  ) {
    test(`${name}() rejects ${JSON.stringify(given)}`, async () => {
      const error = await assertRejects(
        () => call(() => start(given as never)),
        type,
      );
      assertMatch(error.message, message);
    });
  }
}

const NO_STORE = 'store must be an object with a method "authenticate"';

/** Calls without what a function needs, or with a wrong type, and the message. */
const MISTAKES:
  readonly (readonly [call: Call, ...cases: [unknown, string][]])[] = [
    ...[
      createHandler,
      createNodeListener,
      serve,
      (store: PlantStore) => withBehavior(store, {}),
    ].map((start) =>
      [
        start as Call,
        [undefined, NO_STORE],
        [null, NO_STORE],
        [{}, NO_STORE],
        [Promise.resolve(store), `${NO_STORE}; add await before the promise`],
      ] as [Call, ...[unknown, string][]]
    ),
    [
      (options) => createHandler(store, options),
      [
        { explorer: true },
        "options: explorer must be of type function, got boolean",
      ],
      [{ basePath: 1 }, "options: basePath must be of type string, got number"],
    ],
    [
      openFileStore,
      [undefined, "options must be an object, got undefined"],
      [
        { plants: "data/plants.json" },
        "options: tokens must be of type string, got undefined",
      ],
    ],
    [
      createMemoryStore,
      [undefined, "content must be an object, got undefined"],
      [{ plants: [] }, "users must be an object of users keyed by name"],
    ],
    ...[
      listCases as Call,
      (options: never) => verify(handler, options).next(),
    ].map((start) =>
      [
        start,
        [{ level: "all" }, "options: level must be core or http"],
        [{ only: "list" }, "options: only must be an array of strings"],
        [{ only: [1] }, "options: only must be an array of strings"],
        ...["5", NaN, 0, Infinity].map((timeout) =>
          [
            { timeout },
            "options: timeout must be a number of milliseconds",
          ] as [
            unknown,
            string,
          ]
        ),
      ] as [Call, ...[unknown, string][]]
    ),
    [
      (users) => withBehavior(store, users),
      [undefined, "users must be an object of users keyed by name"],
    ],
  ];

for (const [start, ...cases] of MISTAKES) {
  for (const [given, message] of cases) {
    test(`${start.name}: ${message}`, async () => {
      const error = await assertRejects(
        () => call(() => start(given as never)),
        TypeError,
      );
      assertEquals(error.message, message);
    });
  }
}

/** Invalid values of handler options, and what the message says about the VALUE. */
const INVALID: Readonly<
  Record<string, readonly [message: string, values: readonly unknown[]]>
> = {
  basePath: ["starts with a slash and does not end with one, got VALUE", [
    ...["", "/", "api", "/api/", "//", "//api", "/a//b", "/a?b", "/a#b"],
    ...["/a b", "/..", "/a/../b", "/%2e", "/a\\b", "/a\n", "http://h/a"],
    "/\uD800",
  ]],
  cors: ["cors must contain origins such as https://example.com, got", [
    ...["", "on", "a.example", "https://a.example/", "https://A.example"],
    ...["*,https://a.example", "https://a.example:443", "https://a.example,"],
    ...["https://u@a.example", ["https://a.example", "off"]],
  ]],
  publicUrl: ["publicUrl must be a URL such as https://plants.example", [
    ...["p.example", "ftp://p", "xhttps://p", "", "https://u@p"],
    ...["https://:p@p", "https://p?q", "https://p#"],
  ]],
};

for (const [name, [message, values]] of Object.entries(INVALID)) {
  for (const value of values) {
    test(`createHandler() rejects ${name} ${JSON.stringify(value)}`, () => {
      const create = () => createHandler(store, { [name]: value });
      const quoted = JSON.stringify(`${value}`);
      assertThrows(create, RangeError, message.replace("VALUE", quoted));
    });
  }
}

test("createHandler() normalizes the base path", async () => {
  const handler = createHandler(store, { basePath: "/caf\u00E9/%61" });
  assertEquals((await handler("/caf%C3%A9/a/readyz")).status, 200);
});
