import process from "node:process";
import { test, type TestContext } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import type { ResponseEvent } from "../../../mod.ts";
import { createLog } from "../../../src/cli/log.ts";

const EVENT: ResponseEvent = {
  requestId: "r-1",
  method: "GET",
  path: "/plants",
  status: 200,
  user: "curator",
  bytes: 12,
  duration: 0.12345,
};

/** Returns the lines that `use` writes to standard error. */
function capture(
  t: TestContext,
  isTerminal: boolean,
  use: () => void,
): string[] {
  const lines: string[] = [];
  const mock = t.mock.method(console, "error", (line: string) => {
    lines.push(line);
  });
  const { isTTY } = process.stderr;
  process.stderr.isTTY = isTerminal;
  try {
    use();
  } finally {
    process.stderr.isTTY = isTTY;
    mock.mock.restore();
  }
  return lines;
}

test('createLog("requests") writes text on a terminal', (t) => {
  const [line] = capture(t, true, () => {
    createLog("requests").onResponse!(EVENT);
  });
  assertMatch(line!, /^\S+Z GET \/plants 200 curator 12 B 0\.1 ms r-1$/);
});

test('createLog("requests") writes JSON if there is no terminal', (t) => {
  const lines = capture(t, false, () => {
    const log = createLog("requests");
    const { user: _, ...anonymous } = EVENT;
    log.onResponse!(anonymous);
    log.write("error: Error: boom\nand more");
    log.notice("warning: x");
  }).map((line) => JSON.parse(line));
  const { time, ...response } = lines[0];
  assertMatch(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assertEquals(response, {
    method: "GET",
    path: "/plants",
    status: 200,
    user: null,
    bytes: 12,
    milliseconds: 0.123,
    requestId: "r-1",
  });
  assertEquals(lines.slice(1).map(({ message }) => message), [
    "error: Error: boom",
    "warning: x",
  ]);
});

test('createLog("requests") drops requests while 1 MB is waiting', (t) => {
  let waiting = 999_999;
  const { stderr } = process;
  const get = () => waiting;
  Object.defineProperty(stderr, "writableLength", { get, configurable: true });
  t.after(() => Reflect.deleteProperty(stderr, "writableLength"));
  const lines = capture(t, false, () => {
    const log = createLog("requests");
    log.onResponse!(EVENT);
    waiting++;
    log.onResponse!(EVENT);
    log.notice("warning: x");
  });
  assertEquals(lines.length, 2);
});

test('createLog("off") still writes notices', (t) => {
  const lines = capture(t, false, () => {
    const log = createLog("off");
    log.write("error: Error: boom");
    log.notice("warning: x");
  });
  assertEquals(lines, ["plant-store: warning: x"]);
});
