import { rm } from "node:fs/promises";
import { describe } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { assertEquals } from "@std/assert";
import { digest } from "../contract/stores.ts";
import { openWire } from "../contract/wire.ts";
import { type Running, start, stopAfter } from "../support/command.ts";
import { createConcurrentTest, type Hooks } from "../support/concurrent.ts";
import { replaceFile, writeFiles } from "../support/files.ts";
import { findPort } from "../support/port.ts";
import { list } from "../support/send.ts";
import { openIdleWires } from "../support/server.ts";
import { until } from "../support/until.ts";

// What docs/operating.md promises about the process, for each program that starts a
// server on this runtime.

type Env = Readonly<Record<string, string>>;

/** A program that starts a server. */
interface Program {
  readonly name: string;
  readonly module: string;
  /** Starts the program, or a module, with variables; on `main.ts`, also with options. */
  run(env: Env, args?: readonly string[], module?: string): Running;
}

const RUNTIME = "Deno" in globalThis
  ? "Deno"
  : "Bun" in globalThis
  ? "Bun"
  : "Node.js";
const MAIN: Program = {
  name: `main.ts on ${RUNTIME}`,
  module: "main",
  run: (env, args = [], module) => start(args, env, ".", module),
};

/** `deno serve` and Bun control the start and the shutdown (docs/deploying.md). */
const CONTROLLED_BY_RUNTIME = {
  "SIGTERM during a request": ["closed", 0],
  "SIGTERM with clients that stay connected for longer than SHUTDOWN_TIMEOUT": [
    0,
    false,
    true,
  ],
  "SIGTERM during SHUTDOWN_DELAY": 0,
  "SIGINT during SHUTDOWN_DELAY": 0,
};

/** A connection with incomplete headers stays open until the deadline. */
const LATE = { status: 0, stderr: "", isEarly: false };

/** The outcomes that differ from `main.ts` on Node.js. */
const DIFFERENCES: Readonly<Record<string, Readonly<Record<string, unknown>>>> =
  {
    "fetch.ts on Deno": {
      ...CONTROLLED_BY_RUNTIME,
      "a port in use": [
        1,
        "fatal: AddrInUse: Address already in use (os error 98)",
      ],
      "an address of another machine": [
        1,
        "fatal: AddrNotAvailable: Cannot assign requested address (os error 99)",
      ],
      "an unknown host": [
        1,
        "fatal: Error: failed to lookup address information: Name or service not known",
      ],
    },
    "main.ts on Bun": {
      "SIGTERM with idle connections": LATE,
      "SIGINT with idle connections": LATE,
    },
    "fetch.ts on Bun": {
      ...CONTROLLED_BY_RUNTIME,
      "a port in use": ["listens", ""],
      "an address of another machine": [
        1,
        "fatal: Error: EADDRNOTAVAIL: address not available, listen",
      ],
      "an unknown host": [1, "fatal: Error: EINVAL: invalid argument, listen"],
    },
  };

/** A started program. */
interface Subject {
  readonly t: Hooks;
  readonly program: Program;
  /** Starts a server on a free port; the test stops it. */
  serve(env?: Env, args?: readonly string[]): Promise<Served>;
  /** Runs the program until it exits or listens. Returns the status and errors. */
  attempt(env: Env, module?: string): Promise<Attempt>;
}
type Attempt = readonly [status: number | null | "listens", stderr: string];
type Served = Running & { readonly url: string; readonly port: number };

const LISTENING = /(?:Listening on|server:) (http:\S+)\n/;

const HEADERS = "Host: h\r\nAuthorization: Bearer demo-curator\r\n\r\n";
const GET = `GET /plants?limit=1 HTTP/1.1\r\n${HEADERS}`;
const statusOf = (received: string) => received.slice(9, 12) || "closed";

/** Reduces errors to the last line, without a time and a place in the code. */
function lastLine([status, stderr]: Attempt): Attempt {
  const line = stderr.trimEnd().split("\n").at(-1)!;
  return [status, line.replace(/^\S+Z (fatal: .*) at .*$/, "$1")];
}

const CONTENT = {
  plants: '[{"name": "a"}]',
  tokens: { u: { plants: "all", tokens: [{ sha256: digest("t") }] } },
};

/** A promise about the process: what happens, and the outcome. */
type Case = readonly [
  name: string,
  act: (subject: Subject) => Promise<unknown>,
  expected: unknown,
];

/** The slowest cases come first, because several run at a time. */
const CASES: readonly Case[] = [
  ["a port in use", async ({ serve, attempt }) => {
    const { port } = await serve();
    const [status, line] = lastLine(await attempt({ PORT: `${port}` }));
    return [status, line.replace(`${port}`, "N")];
  }, [1, "plant-store: port N is already in use; choose another with --port"]],
  [
    "an address of another machine",
    async ({ attempt }) => lastLine(await attempt({ HOST: "203.0.113.1" })),
    [
      1,
      'plant-store: cannot listen on "203.0.113.1": not an address of this machine',
    ],
  ],
  [
    "an unknown host",
    async ({ attempt }) => lastLine(await attempt({ HOST: "example.invalid" })),
    [1, 'plant-store: cannot resolve host "example.invalid"'],
  ],
  [
    "an invalid variable",
    ({ attempt }) => attempt({ LOG: "x" }),
    [2, 'plant-store: LOG must be off, errors, or requests, got "x"\n'],
  ],
  [
    "invalid files",
    async ({ t, attempt }) => {
      const content = { plants: '[\n{"name": ""},\n1\n]', tokens: "[]" };
      const { plants, tokens } = await writeFiles(t, content);
      const [status, stderr] = await attempt({
        PLANTS_FILE: plants,
        TOKENS_FILE: tokens,
      });
      return [status, stderr.match(/\w+\.json:\d+:\d+: .*(?=\n)/g)];
    },
    [1, [
      "plants.json:2:10: name must be a non-empty string",
      "plants.json:3:1: expected a plant object",
      'tokens.json:1:1: expected an object such as {"florist": {"plants": "all", "tokens": []}}',
    ]],
  ],
  ["demo tokens", async ({ t, serve }) => {
    const { tokens } = await writeFiles(t, {});
    const own = { PLANTS_FILE: "data/plants.json", TOKENS_FILE: tokens };
    const outcome: string[] = [];
    for (const env of [{}, own, { HOST: "127.0.0.1" }]) {
      const server = await serve({ HOST: "0.0.0.0", ...env });
      server.kill("SIGTERM");
      const { stderr } = await server.ended;
      outcome.push(stderr.replace(/(?<=demo tokens ).*\n$/, "..."));
    }
    return outcome;
  }, [
    "plant-store: warning: this server listens on 0.0.0.0, so other machines can use the public demo tokens ...",
    "",
    "",
  ]],
  ...(["SIGTERM", "SIGINT"] as const).map((signal): Case => [
    `${signal} with idle connections`,
    async ({ serve }) => {
      const server = await serve({ SHUTDOWN_TIMEOUT: "5" });
      const idle = await openIdleWires(server.port);
      const began = performance.now();
      // Two signals at once, as from a terminal and from npm, count as one.
      const other = signal === "SIGTERM" ? "SIGINT" : "SIGTERM";
      server.kill("SIGSTOP");
      server.kill(signal);
      server.kill(other);
      server.kill("SIGCONT");
      const { status, stderr } = await server.ended;
      const isEarly = performance.now() - began < 5_000;
      for (const wire of idle) wire.destroy();
      return { status, stderr, isEarly };
    },
    { status: 0, stderr: "", isEarly: true },
  ]),
  ["SIGTERM during a request", async ({ serve }) => {
    const server = await serve({ DELAY: "1000" });
    const wire = openWire(server.port);
    wire.write(GET);
    await delay(300);
    server.kill("SIGTERM");
    const { status } = await server.ended;
    return [statusOf(await wire.closed), status];
  }, ["200", 0]],
  [
    "SIGTERM with clients that stay connected for longer than SHUTDOWN_TIMEOUT",
    async (
      { t, serve },
    ) => {
      // 15 MB do not fit in the buffers of the connection.
      const plants = Array(1_500).fill({ name: "x".repeat(10_000) });
      const files = await writeFiles(t, { ...CONTENT, plants });
      const server = await serve({
        SHUTDOWN_TIMEOUT: "0.5",
        PLANTS_FILE: files.plants,
        TOKENS_FILE: "data/tokens.json",
      });
      const idle = await openIdleWires(server.port);
      const halfOpen = openWire(server.port);
      halfOpen.end();
      const slow = openWire(server.port);
      slow.write(GET.replace("?limit=1", ""));
      await slow.until(/^HTTP/);
      slow.pause();
      const began = performance.now();
      server.kill("SIGTERM");
      const { status } = await server.ended;
      const duration = performance.now() - began;
      for (const wire of [...idle, halfOpen, slow]) wire.destroy();
      return [status, duration >= 500, duration < 10_000];
    },
    [0, true, true],
  ],
  ...([["SIGTERM", 143], ["SIGINT", 130]] as const).map((
    [signal, expected],
  ): Case => [
    `${signal} during SHUTDOWN_DELAY`,
    async ({ serve }) => {
      const server = await serve({ SHUTDOWN_DELAY: "60" });
      server.kill("SIGTERM");
      const isDraining = until(async () => {
        const ready = await fetch(`${server.url}readyz`);
        await ready.body?.cancel();
        return ready.status === 503;
      });
      const first = await Promise.race([
        isDraining.catch(() => server.ended),
        server.ended,
      ]);
      if (first) return first.status;
      const wire = openWire(server.port);
      wire.write(GET);
      const received = await wire.until(/\}\]$/);
      wire.destroy();
      await delay(150); // earlier signals count as the same one
      server.kill(signal);
      const isClosing = /connection: close/i.test(received);
      const { status } = await server.ended;
      return [statusOf(received), isClosing, status];
    },
    ["200", false, expected],
  ]),
  ...["exception", "rejection"].map((kind): Case => [
    `an uncaught ${kind}`,
    async ({ program, attempt }) => {
      const env = { CRASH: program.module, KIND: kind, LOG: "off" };
      const [status, stderr] = await attempt(env, "tests/support/crash.ts");
      const line = /^\S+Z fatal: Error: boom at .*crash\.ts:[^\n]*\n$/;
      return [status, line.test(stderr) || stderr];
    },
    [1, true],
  ]),
  ["closed output", async ({ serve }) => {
    const server = await serve({ LOG: "requests" });
    server.process.stdout!.destroy();
    server.process.stderr!.destroy();
    const statuses: number[] = [];
    for (let round = 0; round < 3; round++) {
      const response = await fetch(`${server.url}healthz`);
      await response.body?.cancel();
      statuses.push(response.status);
    }
    return statuses;
  }, [200, 200, 200]],
  ["files that change", async ({ t, serve }) => {
    const { plants, tokens } = await writeFiles(t, CONTENT);
    const env = { PLANTS_FILE: plants, TOKENS_FILE: tokens };
    const server = await serve(env);
    const names = async () => await (await list(server.url, "t")).text();
    const outcome = [await names()];
    await replaceFile(plants, '[\n{"name": "b"},\n{"name": ""}\n]');
    await server.until("stderr", /Z .*plants\.json:3:10: name must be .*\n$/);
    outcome.push(await names());
    await replaceFile(plants, '[{"name": "b"}, {"name": "c"}]');
    await server.until(
      "stderr",
      /plants\.json reloaded: 2 plants \(previously 1 plant\)\n$/,
    );
    outcome.push(await names());
    await rm(plants);
    await server.until("stderr", /Z cannot read ".*": file not found\n$/);
    outcome.push(await names());
    return outcome;
  }, [
    '[{"name":"a"}]',
    '[{"name":"a"}]',
    '[{"name":"b"},{"name":"c"}]',
    '[{"name":"b"},{"name":"c"}]',
  ]],
];

// Most of these tests wait.
const test = createConcurrentTest(4);

for (const program of [MAIN]) {
  describe(program.name, () => {
    for (const [name, act, expected] of CASES) {
      test(name, async (t) => {
        const own = DIFFERENCES[program.name] ?? {};
        const outcome = await act(createSubject(t, program));
        assertEquals(outcome, Object.hasOwn(own, name) ? own[name] : expected);
      });
    }
  });
}

function createSubject(t: Hooks, program: Program): Subject {
  async function begin(
    env: Env,
    args?: readonly string[],
    module?: string,
  ): Promise<Running> {
    const PORT = `${await findPort()}`;
    const all = { HOST: "127.0.0.1", PORT, ...env };
    const running = program.run(all, args, module);
    stopAfter(t, running);
    return running;
  }
  return {
    t,
    program,
    async serve(env = {}, args) {
      const running = await begin(env, args);
      const [, url] = await running.until("stdout", LISTENING);
      const { href, port } = new URL(url!);
      return { ...running, url: href, port: Number(port) };
    },
    async attempt(env, module) {
      const { ended, until } = await begin(env, [], module);
      const exits = ended.then(({ status, stderr }) =>
        [status, stderr] as const
      );
      if (module !== undefined) return await exits;
      const listens = until("stdout", LISTENING)
        .then(() => ["listens", ""] as const, () => exits);
      return await Promise.race([exits, listens]);
    },
  };
}
