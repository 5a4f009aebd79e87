import type { Socket } from "node:net";
import { test } from "node:test";
import { assert, assertMatch } from "@std/assert";
import { openWire } from "../contract/wire.ts";
import { createAttack, get, type Means } from "./attack.ts";
import { startLargeVictim, startVictim } from "./victim.ts";
import { assertWithstands } from "./withstand.ts";

/** Opens `count` connections within half a second, starts each, and has a byte of each come now and then. */
function trickle(
  { open, repeat }: Means,
  count: number,
  start: string,
): void {
  const sockets: Socket[] = [];
  repeat(count * 2, () => {
    if (sockets.length === count) return;
    const socket = open();
    sockets.push(socket);
    socket.resume().write(start);
  });
  repeat(1_000, () => {
    sockets[Math.random() * sockets.length | 0]?.write("x");
  });
}

test("attack: 500 headers that come byte by byte, and are cut after 10 s", async (t) => {
  const start = "GET /plants HTTP/1.1\r\nHost: h\r\nX: ";
  const victim = await startVictim(t);
  const wire = openWire(victim.port);
  const opened = performance.now();
  wire.write(start);
  const timer = setInterval(() => wire.write("x"), 100);
  t.after(() => clearInterval(timer));
  const seconds = wire.closed.then((received) => {
    assertMatch(received, /^HTTP\/1\.1 408 /);
    return (performance.now() - opened) / 1000;
  });
  await assertWithstands(
    t,
    victim,
    createAttack((means) => trickle(means, 500, start)),
  );
  assert(await seconds > 9 && await seconds < 14, `${await seconds} s`);
});

test("attack: 500 bodies that come byte by byte, and are cut after 15 s", async (t) => {
  const start = get("/plants", "Content-Length: 60000\r\n");
  const victim = await startVictim(t);
  const wire = openWire(victim.port);
  const opened = performance.now();
  wire.write(start);
  const timer = setInterval(() => wire.write("x"), 100);
  t.after(() => clearInterval(timer));
  const seconds = wire.closed.then((received) => {
    assertMatch(received, /^HTTP\/1\.1 200 /);
    return (performance.now() - opened) / 1000;
  });
  await assertWithstands(
    t,
    victim,
    createAttack((means) => trickle(means, 500, start)),
  );
  assert(await seconds > 14 && await seconds < 19, `${await seconds} s`);
});

test("attack: 2,000 connections on which nothing comes", async (t) => {
  await assertWithstands(
    t,
    await startVictim(t),
    createAttack(({ open, repeat }) => {
      let left = 2_000;
      repeat(3_000, () => left-- > 0 && open());
    }),
  );
});

test("attack: 40 readers of a million plants who take 1 kB a second", async (t) => {
  const victim = await startLargeVictim(t, 1_000_000);
  await assertWithstands(
    t,
    victim,
    createAttack(({ open, repeat }) => {
      const sockets = Array.from({ length: 40 }, () => {
        const socket = open().pause();
        socket.write(get("/plants"));
        return socket;
      });
      repeat(1, () => {
        for (const socket of sockets) socket.read(1_000);
      });
    }),
    { target: "/plants?limit=10", lead: 500 }, // the buffers of connections are filled at once
  );
});
