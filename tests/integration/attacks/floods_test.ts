import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { assertWithstands, get } from "./attack.ts";
import { startLargeVictim, startVictim } from "./victim.ts";

const ROUNDS = 500;

test("attack: 2,500 connections, each reset immediately", async (t) => {
  await assertWithstands(t, await startVictim(t), function* (open) {
    for (let count = 0; count < 5 * ROUNDS; count++) {
      const socket = open();
      socket.on("connect", () => socket.resetAndDestroy());
      if (count % 5 === 0) yield;
    }
  });
});

test("attack: 30,000 pipelined requests on each of 5 connections, no response read", async (t) => {
  const requests = get("/plants").repeat(30_000);
  await assertWithstands(t, await startVictim(t), function* (open) {
    for (let count = 0; count < 5; count++) open().pause().write(requests);
    for (let round = 0; round < ROUNDS; round++) yield;
  });
});

test("attack: pipelined requests without a pause on 2 connections, every response read", async (t) => {
  const requests = get("/plants?limit=1").repeat(10_000);
  await assertWithstands(t, await startVictim(t), function* (open) {
    for (let count = 0; count < 2; count++) {
      const socket = open().resume();
      const write = () => {
        while (!socket.destroyed && socket.write(requests));
      };
      socket.on("connect", write).on("drain", write);
    }
    for (let round = 0; round < ROUNDS; round++) yield;
  });
});

test("attack: 500 responses of 7 MB, each reset when it begins", async (t) => {
  const victim = await startLargeVictim(t, 100_000);
  await assertWithstands(t, victim, function* (open) {
    for (let round = 0; round < ROUNDS; round++) {
      const socket = open();
      socket.once("data", () => socket.resetAndDestroy());
      socket.write(get("/plants"));
      yield;
    }
  }, "/plants?limit=10");
});

test("attack: 500 URLs and headers of 100 kB, each rejected with 431", async (t) => {
  const requests = [
    `GET /${"x".repeat(100_000)} HTTP/1.1\r\n`,
    get("/plants", `X: ${"x".repeat(100_000)}\r\n`),
  ];
  let rejected = 0, closed = 0;
  await assertWithstands(t, await startVictim(t), function* (open) {
    for (let round = 0; round < ROUNDS; round++) {
      const socket = open();
      socket.on("data", (data) => {
        if (data.includes("HTTP/1.1 431 ")) rejected++;
      });
      socket.on("close", () => closed++);
      socket.write(requests[round % 2]!);
      yield;
    }
    while (closed < ROUNDS) yield;
  });
  assertEquals(rejected, ROUNDS);
});
