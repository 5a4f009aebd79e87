import { spawnSync } from "node:child_process";
import { cp, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import manifest from "../../../package.json" with { type: "json" };
import { makeFolder } from "../../support/files.ts";

// Messages of npm scripts.

/** Runs a command line in a shell. */
function sh(command: string, cwd = ".") {
  const env = { ...process.env, NO_COLOR: "1" };
  return spawnSync("sh", ["-c", command], { cwd, env, encoding: "utf8" });
}

test("a command rejects its options that npm consumed", () => {
  for (
    const [line, option] of [
      ["npm start --base-path=/api x", "base-path"],
      [
        "npm_lifecycle_event=start npm_config_expires=true node tools/start.mjs token 1d",
        "expires",
      ],
    ] as const
  ) {
    const { status, stderr } = sh(line);
    assertEquals(status, 2);
    assertMatch(
      stderr,
      new RegExp(`^plant-store: npm consumed --${option} \\(npm_config_`, "m"),
    );
  }
});

test("a mistake in the data of a clone is reported with its place", async (t) => {
  const clone = await makeFolder(t);
  for (const name of ["data", "mod.ts", "package.json", "src", "tools"]) {
    await cp(name, join(clone, name), { recursive: true });
  }
  const packages = resolve("node_modules");
  await symlink(packages, join(clone, "node_modules"), "junction");
  await writeFile(join(clone, "data", "plants.json"), "[,]");
  for (const command of ["check", ""]) {
    const { status, stderr } = sh(`node tools/start.mjs ${command}`, clone);
    assertEquals(status, 1);
    assertMatch(stderr, /^(?:plant-store: )?data\/plants\.json:1:2: /);
  }
});

test("prestart says if dependencies are missing or Node.js is too old", async (t) => {
  const folder = await makeFolder(t);
  const start = async (node: string) => {
    const metadata = JSON.stringify({ engines: { node } });
    await writeFile(join(folder, "package.json"), metadata);
    const script = resolve(manifest.scripts.pretest.split(" ")[1]!);
    return sh(`node '${script}'`, folder);
  };
  const missing = await start(">=20.0.0");
  assertEquals(missing.status, 1);
  assertMatch(missing.stderr, /are not installed; run: npm ci --include=dev\n/);
  const { stderr } = await start(">=100.0.0");
  assertMatch(stderr, /^plant-store: Node\.js 100\.0\.0 or later is required/);
});
