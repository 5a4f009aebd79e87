import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { makeFolder } from "../../support/files.ts";
import { findPort } from "../../../tools/port.ts";
import {
  runProgram,
  startProgram,
  startProgramFor,
} from "../../../tools/start_program.ts";
import { list } from "../../../tools/send.ts";

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

test("Dockerfile: the user is a number, which Kubernetes can check", () => {
  assertEquals(Number(findOnly("USER")) > 0, true);
});

/** The folder of the image, with the packages and files that remain. */
const folder = await makeFolder({ after });

before(async () => {
  for (const path of copied) {
    await cp(path, join(folder, path), { recursive: true });
  }
  const [install, ...commands] = findOnly("RUN").split(" && ");
  assertEquals(install, "npm ci");
  // Copies the installed packages, because downloading them takes a long time.
  await runInFolder("npm ci --dry-run --ignore-scripts");
  await runProgram("cp", ["-a", "node_modules", folder]);
  const all = ["npm run prepublish", ...commands]; // npm ci runs it
  for (const command of all) await runInFolder(command);
});

/** Runs a command in the folder of the image. */
async function runInFolder(command: string): Promise<void> {
  const env = { npm_config_offline: "true" };
  await runProgram("sh", ["-c", command], { cwd: folder, env });
}

const variables: Readonly<Record<string, string>> = Object.fromEntries(
  findOnly("ENV").split(" ").map((pair) => pair.split("=")),
);
const [node, ...entryArgs]: string[] = JSON.parse(findOnly("ENTRYPOINT"));
const [, check] = /CMD (\[.*\])$/.exec(findOnly("HEALTHCHECK"))!;
const [checkProgram, ...checkArgs]: string[] = JSON.parse(check!);

for (
  const [name, value] of [
    ["HOST", "127.0.0.2"],
    ["HOST", "::1"],
    ["BASE_PATH", "/a%20b"],
  ] as const
) {
  test(`Dockerfile: the server is healthy with ${name}=${value} until it stops`, async (t) => {
    assertEquals(variables, { HOST: "0.0.0.0", PORT: "8000" });
    const PORT = `${await findPort()}`;
    const env = { HOST: "127.0.0.1", PORT, [name]: value };
    const options = { cwd: folder, env };
    const args = [...entryArgs, "--demo"];
    const server = startProgramFor(t, node!, args, options);
    const [, url] = await server.until("stdout", /Listening on (.*)\n/);
    assertEquals((await list(url!)).status, 200);
    await runProgram(checkProgram!, checkArgs, options);
    server.kill(findOnly("STOPSIGNAL") as NodeJS.Signals);
    assertEquals((await server.ended).status, 0);
    const { ended } = startProgram(checkProgram!, checkArgs, options);
    assertEquals((await ended).status, 1);
  });
}

test("Dockerfile: without --demo, the server needs files", async () => {
  const { ended } = startProgram(node!, entryArgs, { cwd: folder });
  const { status, stderr } = await ended;
  assertEquals(status, 1);
  const hint = `; to create them, run: node "${folder}/dist/cli.js" init; `;
  assertStringIncludes(stderr, hint);
});

test("Dockerfile: no packages for development remain", async () => {
  const packages = await readdir(join(folder, "node_modules"));
  const unneeded = /^(?:esbuild|tsx|typescript)$/;
  assertEquals(packages.filter((name) => unneeded.test(name)), []);
});
