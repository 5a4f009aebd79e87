import { cp, readFile, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { makeFolder } from "../../support/files.ts";
import { findPort } from "../../support/port.ts";
import {
  runProgram,
  startProgram,
  startProgramFor,
} from "../../support/program.ts";
import { list } from "../../support/send.ts";

// Runs the instructions of the Dockerfile without Docker, in a folder that
// contains only the files that it copies.

const dockerfile = await readFile("deploy/Dockerfile", "utf8");

/** Returns the arguments of every instruction with this name. */
function find(name: string): string[] {
  const lines = dockerfile.matchAll(new RegExp(`^${name} (.*)$`, "gm"));
  return Array.from(lines, ([, args]) => args!);
}

/** Returns the arguments of the only instruction with this name. */
function findOnly(name: string): string {
  const [args, ...others] = find(name);
  assertEquals(others, [], name);
  return args!;
}

const copied = find("COPY").flatMap((args) => args.split(" ").slice(0, -1));

test("Dockerfile.dockerignore allows exactly the files that are copied", async () => {
  const text = await readFile("deploy/Dockerfile.dockerignore", "utf8");
  const [first, ...rest] = text.match(/^[^#\n].*$/gm)!;
  assertEquals(first, "*");
  assertEquals(rest.sort(), copied.map((path) => `!${path}`).sort());
});

test("Dockerfile: the server starts from the copied files, is healthy, and stops", async (t) => {
  const folder = await makeFolder(t);
  for (const path of copied) {
    await cp(path, join(folder, path), { recursive: true });
  }
  // Uses the installed packages, because downloading them takes long.
  const [install, build, prune] = findOnly("RUN").split(" && ");
  assertEquals(prune, "npm prune --omit=dev");
  await runProgram("sh", ["-c", `${install} --dry-run`], { cwd: folder });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await runProgram("sh", ["-c", build!], { cwd: folder });

  const pairs = findOnly("ENV").split(" ").map((pair) => pair.split("="));
  const { HOST, ...variables } = Object.fromEntries(pairs);
  assertEquals(HOST, "0.0.0.0");
  const port = `${await findPort()}`;
  const env = {
    ...variables,
    HOST: "127.0.0.1",
    PORT: port,
    BASE_PATH: "/api",
  };
  const [node, ...args] = JSON.parse(findOnly("ENTRYPOINT"));
  const server = startProgramFor(t, node, args, { cwd: folder, env });
  await server.until("stdout", /Listening on /);
  const { status } = await list(`http://127.0.0.1:${port}/api/`);
  assertEquals(status, 200);

  const [, check] = /CMD (\[.*\])$/.exec(findOnly("HEALTHCHECK"))!;
  const [program, ...checkArgs] = JSON.parse(check!);
  await runProgram(program, checkArgs, { env });
  server.kill(findOnly("STOPSIGNAL") as NodeJS.Signals);
  assertEquals((await server.ended).status, 0);
  const unhealthy = await startProgram(program, checkArgs, { env }).ended;
  assertEquals(unhealthy.status, 1);
});
