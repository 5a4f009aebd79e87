import { randomBytes } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  request as send,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import {
  type AddressInfo,
  createServer as listen,
  type Server as NetServer,
  type Socket,
} from "node:net";
import { test } from "node:test";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  type CaseResult,
  listCases,
  verify,
  type VerifyOptions,
} from "../../../src/contract/verify.ts";
import { serve } from "../../../src/server/serve.ts";
import { openFiles } from "../../contract/stores.ts";

type Context = { after(fn: () => unknown): void };

async function run(
  target: string,
  options: VerifyOptions = {},
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for await (const result of verify(target, options)) results.push(result);
  return results;
}

const failed = (results: readonly CaseResult[]) =>
  results.filter(({ status }) => status === "failed");

/** Starts a server that the test stops, and returns its URL. */
async function open(
  t: Context,
  server: NetServer,
): Promise<string> {
  await new Promise<void>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve())
  );
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server whose connections all do the same. */
async function openRaw(
  t: Context,
  onData: (socket: Socket, data: string) => void,
): Promise<string> {
  const sockets = new Set<Socket>();
  const server = listen((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket))
      .on("data", (data) => onData(socket, data.toString("latin1")));
  });
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  return await open(t, server);
}

/** Responds with a status and a body. */
const always = (status: string, body = "") => (socket: Socket) =>
  void socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
const ERROR = '{"error":400,"message":"an error message"}';

/** Servers that implement nothing. */
const NOTHING: Readonly<
  Record<string, (socket: Socket, data: string) => void>
> = {
  "200 []": always("200 OK", "[]"),
  "204": always("204 No Content"),
  "400": always("400 Bad Request", ERROR),
  "401": always("401 Unauthorized", ERROR.replace("400", "401")),
  "401 and a challenge": always(
    '401 Unauthorized\r\nWWW-Authenticate: Bearer realm="plant-store"',
    ERROR.replace("400", "401"),
  ),
  "404": always("404 Not Found", ERROR.replace("400", "404")),
  "a redirect": always("302 Found\r\nLocation: /plants"),
  "an echo": (socket, data) => socket.write(data),
  "the request in a response": (socket, data) => always("200 OK", data)(socket),
  "random bytes": (socket) => socket.end(randomBytes(1_000)),
  "a truncated body": (socket) =>
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[]"),
  "a closed connection": (socket) => socket.destroy(),
};

for (const [name, onData] of Object.entries(NOTHING)) {
  test(`verify: a server that always returns ${name} passes few test cases`, async (t) => {
    const url = await openRaw(t, onData);
    const results: CaseResult[] = [];
    try {
      for await (const result of verify(url)) results.push(result);
    } catch (error) {
      assertMatch((error as Error).message, /^no response: ./);
    }
    assertEquals(results.length, listCases().length);
    for (const level of ["core", "http"]) {
      const own = results.filter((each) => each.level === level);
      const passed = own.filter(({ status }) => status === "passed");
      const ids = passed.map(({ id }) => id).join();
      assert(passed.length * 5 < own.length, ids);
    }
    const first = results.find(({ id }) => id === "list.all")!;
    assertEquals(first.status, "failed");
    assert(first.differences[0]!.length < 400);
  });
}

for (
  const [name, reason, onData] of [
    ["nothing", /^no response: .* within 0.2 s$/, () => {}],
    [
      "half a header",
      /within 0.2 s$/,
      (socket) => void socket.write("HTTP/1.1 200 OK\r\nX: "),
    ],
    ["a body that never ends", /within 0.2 s$|exceeds 1 MB/, (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const timer = setInterval(() => socket.write("x".repeat(10)), 10);
      socket.on("close", () => clearInterval(timer));
    }],
  ] satisfies readonly (readonly [string, RegExp, (socket: Socket) => void])[]
) {
  test(`verify: stops after five timeouts if a server sends ${name}`, async (t) => {
    const url = await openRaw(t, onData);
    const results: CaseResult[] = [];
    await assertRejects(async () => {
      for await (const each of verify(url, { timeout: 200 })) {
        results.push(each);
      }
    }, Error);
    assertMatch(results[0]!.differences[0]!, reason);
    assert(failed(results).length <= 5);
    assertEquals(results.length, listCases().length);
  });
}

test("verify: a long body is a failure", async (t) => {
  const url = await openRaw(
    t,
    (socket) =>
      void socket.end(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(1_100_000)}`),
  );
  const results: CaseResult[] = [];
  await assertRejects(async () => {
    for await (const each of verify(url, { only: ["list"] })) {
      results.push(each);
    }
  }, Error);
  assertEquals(results[0]!.differences, [
    "no response: the body exceeds 1 MB",
  ]);
});

test("verify: redirects are not followed", async (t) => {
  let count = 0;
  const url = await open(
    t,
    createServer((_, response) => {
      count++;
      response.writeHead(302, { location: "/" }).end();
    }),
  );
  const [first] = await run(url, { only: ["list.all"] });
  assertEquals(first?.differences, ["status: expected 200, got 302"]);
  assertEquals(count, 2);
});

test("verify: the server passes, with and without a base path", async (t) => {
  for (const basePath of ["/api", "/api/v1"]) {
    const store = await openFiles();
    const server = await serve(store, { port: 0, basePath });
    t.after(() => server.close());
    t.after(() => store.close());
    const results = await run(server.url);
    assertEquals(failed(results), []);
    assert(results.every(({ status }) => status === "passed"));
  }
});

/** Faults of servers: what a proxy in front of the correct server does wrong. */
const FAULTS: readonly (readonly [
  name: string,
  section: number,
  id: string,
  proxy: (
    request: IncomingMessage,
    pass: () => void,
    response: ServerResponse,
  ) => void,
])[] = [
  ["no limit for targets", 4, "size.target", (request, pass) => {
    request.url = request.url!.slice(0, 8_000);
    pass();
  }],
  [
    "a small limit for targets",
    4,
    "size.target-allowed",
    ({ url }, pass, response) => {
      if (url!.length < 4_000) pass();
      else response.writeHead(414).end();
    },
  ],
  ["no limit for headers", 4, "size.headers", (request, pass) => {
    delete request.headers["x-filler"];
    pass();
  }],
  ["any transfer coding", 4, "coding.unsupported", (request, pass) => {
    delete request.headers["transfer-encoding"];
    pass();
  }],
  [
    "chunked requests are rejected",
    4,
    "coding.chunked",
    ({ headers }, pass, response) => {
      if (headers["transfer-encoding"] !== "chunked") pass();
      else response.writeHead(411).end();
    },
  ],
  ["every Expect header", 4, "expect.other", (request, pass) => {
    delete request.headers.expect;
    pass();
  }],
  [
    "Expect: 100-continue is rejected",
    4,
    "expect.continue",
    ({ headers }, pass, response) => {
      if (headers.expect !== "100-continue") pass();
      else response.writeHead(417).end();
    },
  ],
  ["a missing Host", 4, "host.missing", (request, pass) => {
    request.headers.host ??= "h";
    pass();
  }],
  ["OPTIONS * is 404", 7, "options.asterisk", ({ url }, pass, response) => {
    if (url !== "*") pass();
    else response.writeHead(404).end();
  }],
  [
    "absolute targets are unknown",
    8,
    "path.found.absolute",
    ({ url }, pass, response) => {
      if (url!.startsWith("/") || !url!.includes("plants")) pass();
      else {
        const error = '{"error":404,"message":"not found"}';
        response.writeHead(404, { "content-type": "application/json" }).end(
          error,
        );
      }
    },
  ],
  ["bodies must be JSON", 11, "ignored.body", ({ headers }, pass, response) => {
    if (headers["content-type"] !== "application/json") pass();
    else response.writeHead(400).end();
  }],
  ["tokens in bodies", 11, "ignored.token-in-body", (request, pass) => {
    if (/urlencoded/.test(request.headers["content-type"] ?? "")) {
      request.headers.authorization = "Bearer all";
    }
    pass();
  }],
];

/** Sends a request on, with the parts that a fault has changed. */
function pass(
  port: number,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const { method, url, headers, rawHeaders } = request;
    const own = new Map(
      Object.entries(headers).map(([name, value]) => [name, value]),
    );
    const fields: string[] = [];
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index]!.toLowerCase();
      if (
        own.has(name) && name !== "content-length" && name !== "connection" &&
        (name !== "transfer-encoding" || own.get(name) !== "chunked")
      ) fields.push(name, rawHeaders[index + 1]!);
      if (name === "authorization") own.delete("authorization-added");
    }
    for (const name of ["authorization", "host"]) {
      if (
        own.has(name) && !rawHeaders.some((each) => each.toLowerCase() === name)
      ) fields.push(name, `${own.get(name)}`);
    }
    const message = send({
      port,
      host: "127.0.0.1",
      method: method!,
      path: url!,
      headers: [
        ...fields,
        "Connection",
        "close",
        ...method === "GET" || method === "HEAD" || method === "OPTIONS" ||
            fields.includes("transfer-encoding")
          ? []
          : ["Content-Length", "0"],
      ],
      setHost: false,
      agent: false,
    }, (answer) => {
      response.writeHead(
        answer.statusCode!,
        answer.rawHeaders.filter((_, index, all) =>
          !/^(?:connection|keep-alive|transfer-encoding)$/i.test(
            all[index - index % 2]!,
          )
        ),
      );
      answer.pipe(response);
    });
    message.on("error", () => response.destroy());
    message.end();
  };
}

test("verify: finds faults of servers", async (t) => {
  const store = await openFiles();
  t.after(() => store.close());
  const server = await serve(store, { port: 0 });
  t.after(() => server.close());
  const send = pass(Number(new URL(server.url).port));
  const start = async (fault: typeof FAULTS[number][3]) => {
    const listener: RequestListener = (request, response) => {
      request.resume();
      fault(request, () => send(request, response), response);
    };
    const proxy = createServer({
      maxHeaderSize: 100_000,
      requireHostHeader: false,
      insecureHTTPParser: false,
    }, listener);
    proxy.on("checkContinue", listener).on("checkExpectation", listener);
    return await open(t, proxy);
  };
  const none = failed(await run(await start((_, pass) => pass())));
  await t.test("none", () =>
    assertEquals(none.map(({ id, differences }) => [id, differences]), []));
  for (const [name, section, id, fault] of FAULTS) {
    await t.test(name, async () => {
      for await (const result of verify(await start(fault))) {
        if (result.status !== "failed") continue;
        assertEquals([result.id, result.section], [id, section]);
        return;
      }
      throw new Error("no test case fails");
    });
  }
});

test("verify: finds a body that is read as the next request", async (t) => {
  const url = await openRaw(t, (socket, data) => {
    // Ignores Content-Length, so that a body is a request.
    const count = data.split("HTTP/1.1\r\n").length - 1;
    for (let index = 0; index < count; index++) {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]");
    }
    if (!/keep-alive/.test(data)) socket.end();
  });
  const results = await run(url, { only: ["ignored.body-before-next"] });
  assertEquals(failed(results).length, 1);
});
