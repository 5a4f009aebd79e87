import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { makeFolder } from "../../support/files.ts";
import { findPort } from "./nginx.ts";
import { run, start, startFor } from "./programs.ts";

// No image can be built where there is no Docker: what it does is done in a
// folder that has the files it copies and no other.

/** The instructions in turn, comments left out. */
const instructions = (await readFile("deploy/Dockerfile", "utf8")).split("\n")
  .map((line) => /^([A-Z]+) (.*)$/.exec(line))
  .filter((match) => match !== null)
  .map(([, name, rest]) => [name!, rest!] as const);

/** What the one instruction of this name says. */
function only(name: string): string {
  const found = instructions.filter(([other]) => other === name);
  assertEquals(found.length, 1, name);
  return found[0]![1];
}

const copied = instructions.filter(([name]) => name === "COPY")
  .flatMap(([, rest]) => rest.split(" ").slice(0, -1));

test("Dockerfile: its .dockerignore lets through what is copied, and nothing else", async () => {
  const lines = (await readFile("deploy/Dockerfile.dockerignore", "utf8"))
    .split("\n");
  const [first, ...rest] = lines.filter((line) => /^[^#]/.test(line));
  assertEquals(first, "*");
  assertEquals(rest.sort(), copied.map((path) => `!${path}`).sort());
});

test("Dockerfile: the service starts from what is copied, is healthy and stops", async (t) => {
  const folder = await makeFolder(t);
  for (const path of copied) {
    await cp(path, join(folder, path), { recursive: true });
  }
  await run("sh", ["-c", only("RUN")], { cwd: folder });

  const env = {
    ...Object.fromEntries(
      only("ENV").split(" ").map((pair) => pair.split("=")),
    ),
    PORT: `${await findPort()}`,
    BASE_PATH: "/api",
  };
  assertEquals(env["HOST"], "0.0.0.0");
  const [node, ...command] = JSON.parse(only("ENTRYPOINT"));
  const server = startFor(t, node, command, {
    cwd: folder,
    env: { ...env, HOST: "127.0.0.1" },
  });
  await server.until("stdout", /Listening on /);
  const response = await fetch(`http://127.0.0.1:${env.PORT}/api/plants`, {
    headers: { authorization: "Bearer demo-curator" },
  });
  assertEquals(response.status, 200);
  await response.body?.cancel();

  const [, check] = /CMD (\[.*\])$/.exec(only("HEALTHCHECK"))!;
  const [program, ...checkArgs] = JSON.parse(check!);
  await run(program, checkArgs, { env });

  server.kill(only("STOPSIGNAL") as NodeJS.Signals);
  assertEquals((await server.ended).status, 0);
  const { status } = await start(program, checkArgs, { env }).ended;
  assertEquals(status, 1);
});

test("Dockerfile: the image is of a Node that the package admits", async () => {
  const { engines } = JSON.parse(await readFile("package.json", "utf8"));
  const [, oldest] = /^>=(\d+)/.exec(engines.node)!;
  const [, version] = /^node:(\d+)-slim$/.exec(only("FROM"))!;
  assert(Number(version) >= Number(oldest));
});
