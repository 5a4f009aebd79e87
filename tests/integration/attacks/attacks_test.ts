import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { assertEquals } from "@std/assert";
import { startServer } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";
import { assertWithstands, type Attack, get } from "./attack.ts";

const ROUNDS = 500;

/** Plants whose list has about 7 MB. */
const PLANTS = Array.from({ length: 100_000 }, (_, index) => ({
  name: `Plant number ${index} of a list that is rather long`,
  tag: `tag ${index % 50}`,
}));
const file = join(await makeFolder({ after }), "plants.json");
await writeFile(file, JSON.stringify(PLANTS));
const OPTIONS = ["--plants", file];
const victim = await startServer({ after }, OPTIONS);

const ATTACKS: Readonly<Record<string, Attack>> = {
  *"2,500 connections, each reset immediately"(open) {
    for (let count = 0; count < 5 * ROUNDS; count++) {
      const socket = open();
      socket.on("connect", () => socket.resetAndDestroy());
      if (count % 5 === 0) yield;
    }
  },

  *"2,000 silent connections"(open) {
    for (let count = 0; count < 2_000; count++) {
      open();
      if (count % 10 === 0) yield;
    }
  },

  *"30,000 pipelined requests on each of 5 connections, unread"(open) {
    const requests = get("/plants?limit=100").repeat(30_000);
    for (let count = 0; count < 5; count++) open().pause().write(requests);
    for (let round = 0; round < ROUNDS; round++) yield;
  },

  *"nonstop pipelined requests on 2 connections, every response read"(open) {
    const requests = get("/plants?limit=1").repeat(10_000);
    for (let count = 0; count < 2; count++) {
      const socket = open().resume();
      const write = () => {
        while (!socket.destroyed && socket.write(requests));
      };
      socket.on("connect", write).on("drain", write);
    }
    for (let round = 0; round < ROUNDS; round++) yield;
  },

  *"500 responses of 7 MB, each reset when it begins"(open) {
    for (let round = 0; round < ROUNDS; round++) {
      const socket = open();
      socket.once("data", () => socket.resetAndDestroy());
      socket.write(get("/plants"));
      yield;
    }
  },

  *"40 slow readers of 7 MB"(open) {
    const sockets = Array.from({ length: 40 }, () => open().pause());
    for (const socket of sockets) socket.write(get("/plants"));
    for (let round = 0; round < ROUNDS; round++) {
      sockets[round % 40]!.read(1_000);
      yield;
    }
  },
};

for (const [description, attack] of Object.entries(ATTACKS)) {
  test(`attack: ${description}`, (t) => assertWithstands(t, victim, attack));
}

test(
  "attack: 500 headers and 500 bodies, sent byte by byte until the server closes them",
  { timeout: 60_000 },
  async (t) => {
    const victim = await startServer(t, OPTIONS);
    await assertWithstands(t, victim, function* (open) {
      const ended: string[] = [];
      const sockets = Array.from({ length: 1_000 }, (_, index) => {
        const socket = open();
        let received = "";
        socket.on("data", (data) => received += data);
        socket.on("close", () => ended.push(received.slice(0, 12)));
        const header = "GET /plants HTTP/1.1\r\nHost: h\r\nX: ";
        const body = get("/plants?limit=1", "Content-Length: 60000\r\n");
        socket.write(index < 500 ? header : body);
        return socket;
      });
      while (ended.length < sockets.length) {
        for (let count = 0; count < 4; count++) {
          sockets[Math.random() * sockets.length | 0]!.write("x");
        }
        yield;
      }
      // A body gets its response immediately.
      const expected = ["HTTP/1.1 200", "HTTP/1.1 408"]
        .flatMap((start) => Array(500).fill(start));
      assertEquals(ended.sort(), expected);
    });
  },
);
