import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { assertWithstands, get } from "./attack.ts";
import { startLargeVictim, startVictim } from "./victim.ts";

test(
  "attack: 500 headers and 500 bodies, sent byte by byte until the server closes them",
  { timeout: 60_000 },
  async (t) => {
    const limits = "headersTimeout=2000,requestTimeout=6000";
    const victim = await startVictim(t, ["--limits", limits]);
    const ended: string[] = [];
    await assertWithstands(t, victim, function* (open) {
      function start(text: string) {
        const socket = open();
        let received = "";
        socket.on("data", (data) => received += data);
        socket.on("close", () => ended.push(received.slice(0, 12)));
        socket.write(text);
        return socket;
      }
      const header = "GET /plants HTTP/1.1\r\nHost: h\r\nX: ";
      const headers = Array.from({ length: 500 }, () => start(header));
      yield;
      const body = get("/plants", "Content-Length: 60000\r\n");
      const bodies = Array.from({ length: 500 }, () => start(body));
      const sockets = [...headers, ...bodies];
      while (ended.length < sockets.length) {
        for (let count = 0; count < 4; count++) {
          sockets[Math.random() * sockets.length | 0]!.write("x");
        }
        yield;
      }
    });
    // A body gets its response immediately, and its connection closes last.
    assertEquals(ended.slice(0, 500), Array(500).fill("HTTP/1.1 408"));
    assertEquals(ended.slice(500), Array(500).fill("HTTP/1.1 200"));
  },
);

test("attack: 2,000 silent connections", async (t) => {
  await assertWithstands(t, await startVictim(t), function* (open) {
    for (let count = 0; count < 2_000; count++) {
      open();
      if (count % 10 === 0) yield;
    }
  });
});

test("attack: 40 slow readers of a million plants", async (t) => {
  const victim = await startLargeVictim(t, 1_000_000);
  await assertWithstands(t, victim, function* (open) {
    const sockets = Array.from({ length: 40 }, () => {
      const socket = open().pause();
      socket.write(get("/plants"));
      return socket;
    });
    for (let round = 0; round < 500; round++) {
      sockets[round % 40]!.read(1_000);
      yield;
    }
  }, "/plants?limit=10");
});
