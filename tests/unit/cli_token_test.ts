import { readFile, writeFile } from "node:fs/promises";
import { test, type TestContext } from "node:test";
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { digest } from "../contract/stores.ts";
import { writeFiles } from "../support/files.ts";
import { type Ended, run } from "../support/command.ts";

const USERS = {
  $schema: "./tokens.schema.json",
  curator: {
    plants: "all",
    tokens: [{ sha256: digest("one"), created: "2026-01-01" }],
  },
  florist: { plants: { tags: ["flower"] }, tokens: [] },
};

interface Admin {
  readonly path: string;
  /** Runs a command on the tokens file. */
  run(...args: string[]): Promise<Ended>;
  /** What the file holds. */
  // deno-lint-ignore no-explicit-any
  read(): Promise<any>;
}

async function prepare(t: TestContext): Promise<Admin> {
  const { tokens } = await writeFiles(t, {
    tokens: JSON.stringify(USERS, null, 2),
  });
  return {
    path: tokens,
    run: (...args) => run(args, { TOKENS_FILE: tokens }),
    read: async () => JSON.parse(await readFile(tokens, "utf8")),
  };
}

test("token add prints the token alone, and keeps its digest alone", async (t) => {
  const admin = await prepare(t);
  const { status, stdout, stderr } = await admin.run("token", "add", "florist");
  assertEquals([status, stderr], [0, ""]);
  assertMatch(stdout, /^ps_[A-Za-z0-9_-]{43}\n$/);
  const { florist, curator } = await admin.read();
  assertEquals(florist.tokens.length, 1);
  assertEquals(florist.tokens[0].sha256, digest(stdout.trim()));
  assertMatch(florist.tokens[0].created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assertEquals(curator, USERS.curator);
  assertNotMatch(await readFile(admin.path, "utf8"), /ps_/);
});

test("token add takes a date or a duration to expire after", async (t) => {
  const admin = await prepare(t);
  const day = 86_400_000;
  for (
    const [given, expected] of [
      ["2031-01-31", () => Date.parse("2031-01-31")],
      ["2031-01-31T12:00:00+01:00", () => Date.parse("2031-01-31T11:00:00Z")],
      ["30d", () => Date.now() + 30 * day],
      ["2w", () => Date.now() + 14 * day],
      ["12h", () => Date.now() + day / 2],
      ["90m", () => Date.now() + day / 16],
    ] as const
  ) {
    const earliest = expected() - 999; // the fraction of the second is left out
    const { status } = await admin.run(
      "token",
      "add",
      "florist",
      "--expires",
      given,
    );
    assertEquals(status, 0);
    const { expires } = (await admin.read()).florist.tokens.at(-1);
    const time = Date.parse(expires);
    assert(time >= earliest && time <= expected(), `${given}: ${expires}`);
  }
});

test("token and user refuse what they can't use, and change nothing", async (t) => {
  const admin = await prepare(t);
  const before = await readFile(admin.path, "utf8");
  for (
    const [args, wanted, message] of [
      [["token", "add"], 2, /missing argument USER/],
      [["token", "add", "a", "b"], 2, /unexpected argument "b"/],
      ...["soon", "2031-02-30", "0d", "999999w"].map((date) =>
        [
          ["token", "add", "florist", "--expires", date],
          2,
          new RegExp(`--expires must be a date .*, got "${date}"`),
        ] as const
      ),
      [
        ["token", "add", "florist", "--expires=2020-01-01"],
        2,
        /--expires must be in the future, got "2020-01-01"/,
      ],
      [["token", "add", "nobody"], 1, /no user "nobody"/],
      [["token", "add", "__proto__"], 1, /no user "__proto__"/],
      [["token", "revoke", "curator"], 2, /specify a token ID or --all/],
      [
        ["token", "revoke", "curator", "12345678", "--all"],
        2,
        /specify a token ID or --all/,
      ],
      [["token", "revoke", "curator", "1234567"], 2, /at least 8 digits/],
      [["token", "revoke", "curator", "00000000"], 1, /no token with this ID/],
      [
        ["token", "revoke", "florist", digest("one").slice(0, 8)],
        1,
        /no token with this ID/,
      ],
      [
        ["token", "revok", "curator"],
        2,
        /unknown command "token revok"; use token add, list or revoke/,
      ],
      [["user", "set", "curator"], 2, /specify --all, --none, or any of/],
      [["user", "set", "x", "--all", "--tag", "fern"], 2, /specify --all/],
      [["user", "set", "x", "--all", "--none"], 2, /specify --all/],
      [["user", "set", "x", "--name", "a", "--none"], 2, /specify --all/],
      [["user", "set", "x", "--tag="], 2, /a tag must be a non-empty string/],
      [
        ["user", "set", "$schema", "--all"],
        2,
        /\$schema cannot be the name of a user/,
      ],
      [["user", "set", "a\nb", "--all"], 2, /control characters/],
      [["user", "remove", "nobody"], 1, /no user "nobody"/],
    ] as const
  ) {
    const { status, stdout, stderr } = await admin.run(...args);
    assertEquals(status, wanted, stderr);
    assertEquals(stdout, "");
    assertMatch(stderr, /^plant-store: [^\n]*\n$/);
    assertMatch(stderr, message);
  }
  assertEquals(await readFile(admin.path, "utf8"), before);
});

test("token list shows ids, never a token or a whole digest", async (t) => {
  const admin = await prepare(t);
  const users = await admin.read();
  users.florist.tokens.push({ sha256: digest("old"), expires: "2020-01-01" });
  await writeFile(admin.path, JSON.stringify(users));
  const { status, stdout } = await admin.run("token", "list");
  assertEquals(status, 0);
  const lines = stdout.trimEnd().split("\n").map((line) => line.split(/ {2,}/));
  assertEquals(lines[0], ["USER", "ID", "CREATED", "EXPIRES"]);
  assertEquals(lines[1], [
    "curator",
    digest("one").slice(0, 8),
    "2026-01-01",
    "-",
  ]);
  assertEquals(lines[2]![0], "florist");
  assertEquals(lines[2]![3], "2020-01-01 (expired)");
  assertNotMatch(stdout, /[0-9a-f]{9}/);
});

test("token revoke takes one token back, or all", async (t) => {
  const admin = await prepare(t);
  await admin.run("token", "add", "curator");
  const id = digest("one").slice(0, 8);
  assertEquals((await admin.run("token", "revoke", "curator", id)).status, 0);
  const { curator } = await admin.read();
  assertEquals(curator.tokens.length, 1);
  assert(curator.tokens[0].sha256 !== digest("one"));
  assertEquals(
    (await admin.run("token", "revoke", "curator", "--all")).status,
    0,
  );
  assertEquals((await admin.read()).curator.tokens, []);
});

for (
  const [id, text] of [
    ["on one line", (user: string) => `{ "u": ${user} }`],
    ["minified", (user: string) => `{"u":${user}}`.replaceAll(" ", "")],
    ["last in its array", (user: string) => `{\n  "u": ${user}\n}\n`],
  ] as const
) {
  test(`token revoke revokes a token that is ${id}`, async (t) => {
    const digests = ["one", "two"].map(digest);
    const { tokens } = await writeFiles(t, {
      tokens: text(
        `{"plants": "all", "tokens": [{"sha256": "${
          digests[0]
        }"}, {"sha256": "${digests[1]}"}]}`,
      ),
    });
    const { status, stderr } = await run(
      ["token", "revoke", "u", digests[1]!.slice(0, 8)],
      { TOKENS_FILE: tokens },
    );
    assertEquals(status, 0, stderr);
    assertEquals(
      stderr,
      `plant-store: revoked 1 token of user "u" in ${tokens}\n`,
    );
    const { u } = JSON.parse(await readFile(tokens, "utf8"));
    assertEquals(u.tokens, [{ sha256: digests[0] }]);
  });
}

test("user set adds a user or changes what a user may see; user remove removes one", async (t) => {
  const admin = await prepare(t);
  await admin.run("user", "set", "42", "--all");
  await admin.run(
    "user",
    "set",
    "__proto__",
    "--tag",
    "fern",
    "--tag",
    "moss",
    "--name",
    "a b",
  );
  await admin.run("user", "set", "curator", "--none");
  const text = await readFile(admin.path, "utf8");
  assert(text.indexOf('"42"') > text.indexOf('"florist"'));
  const users = new Map<string, unknown>(Object.entries(JSON.parse(text)));
  assertEquals(users.get("42"), { plants: "all", tokens: [] });
  assertEquals(users.get("__proto__"), {
    plants: { tags: ["fern", "moss"], names: ["a b"] },
    tokens: [],
  });
  assertEquals(users.get("curator"), { ...USERS.curator, plants: {} });
  assertEquals((await admin.run("user", "remove", "__proto__")).status, 0);
  assertEquals((await admin.run("user", "remove", "curator")).status, 0);
  assertEquals(Object.keys(await admin.read()), ["42", "$schema", "florist"]);
});

test("a user whose name starts with a dash is named after --", async (t) => {
  const admin = await prepare(t);
  for (
    const args of [
      ["user", "set", "--all", "--", "-bob"],
      ["--", "user", "set", "--all", "--", "--help"],
      ["token", "add", "--", "-bob"],
      ["token", "revoke", "--all", "--", "-bob"],
    ]
  ) {
    const { status, stderr } = await admin.run(...args);
    assertEquals(status, 0, stderr);
  }
  const { "-bob": bob, "--help": help } = await admin.read();
  assertEquals([bob, help], Array(2).fill({ plants: "all", tokens: [] }));
  const { status, stderr } = await admin.run("user", "remove", "-bob");
  assertEquals(status, 2);
  assertMatch(stderr, /unknown option "-bob"/);
});

test("token add says what is wrong with the file", async (t) => {
  const admin = await prepare(t);
  await writeFile(admin.path, '{\n  "u": 1\n}');
  const { status, stdout, stderr } = await admin.run("token", "add", "u");
  assertEquals([status, stdout], [1, ""]);
  assertEquals(stderr, `${admin.path}:2:8: expected a user object\n`);
});

test("20 simultaneous token add commands all add their token", async (t) => {
  const admin = await prepare(t);
  const ended = await Promise.all(
    Array.from({ length: 20 }, () => admin.run("token", "add", "florist")),
  );
  for (const { status, stderr } of ended) {
    assertEquals([status, stderr], [0, ""]);
  }
  const { florist } = await admin.read();
  assertEquals(
    florist.tokens.map(({ sha256 }: { sha256: string }) => sha256).sort(),
    ended.map(({ stdout }) => digest(stdout.trim())).sort(),
  );
});
