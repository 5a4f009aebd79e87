import { test } from "node:test";
import { assert } from "@std/assert";
import { createAttack, get } from "./attack.ts";
import { startLargeVictim, startVictim } from "./victim.ts";
import { assertWithstands } from "./withstand.ts";

test("attack: 1,000 connections a second", async (t) => {
  await assertWithstands(
    t,
    await startVictim(t),
    createAttack(({ open, repeat }) => {
      repeat(1_000, () => {
        const socket = open();
        socket.on("connect", () => socket.resetAndDestroy());
      });
    }),
  );
});

test("attack: 30,000 requests on each of 5 connections, of which no answer is read", async (t) => {
  const requests = get("/plants").repeat(30_000);
  await assertWithstands(
    t,
    await startVictim(t),
    createAttack(({ open }) => {
      for (let count = 0; count < 5; count++) open().pause().write(requests);
    }),
    { lead: 2_000 }, // what fits into the buffers of a connection is answered
  );
});

test("attack: 2 connections that ask without a pause, and read each answer", async (t) => {
  const requests = get("/plants?limit=1").repeat(10_000);
  await assertWithstands(
    t,
    await startVictim(t),
    createAttack(({ open }) => {
      for (let count = 0; count < 2; count++) {
        const socket = open().resume();
        const write = () => {
          while (!socket.destroyed && socket.write(requests));
        };
        socket.on("connect", write).on("drain", write);
      }
    }),
  );
});

test("attack: 200 answers of 7 MB a second, each aborted when it begins", async (t) => {
  await assertWithstands(
    t,
    await startLargeVictim(t, 100_000),
    createAttack(({ open, repeat }) => {
      repeat(200, () => {
        const socket = open();
        socket.once("data", () => socket.resetAndDestroy());
        socket.write(get("/plants"));
      });
    }),
    { target: "/plants?limit=10" },
  );
});

test("attack: 200 URLs and header fields of 100 kB a second, each refused with 431", async (t) => {
  const requests = [
    `GET /${"x".repeat(100_000)} HTTP/1.1\r\n`,
    get("/plants", `X: ${"x".repeat(100_000)}\r\n`),
  ];
  let sent = 0, refused = 0;
  await assertWithstands(
    t,
    await startVictim(t),
    createAttack(({ open, repeat }) => {
      repeat(200, () => {
        const socket = open();
        socket.on("data", (data) => {
          if (data.includes("HTTP/1.1 431 ")) refused++;
        });
        socket.write(requests[sent++ % 2]!);
      });
    }),
  );
  // The last of a round may have been ended before they were answered.
  assert(refused > sent * 0.8, `${refused} of ${sent}`);
});
