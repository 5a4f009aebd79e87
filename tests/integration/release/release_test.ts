import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import metadata from "../../../package.json" with { type: "json" };
import { listFiles, readDocument } from "../../../tools/markdown.ts";
import { findPort } from "../../../tools/port.ts";
import { DENO } from "../../../tools/runtimes.ts";
import { list } from "../../../tools/send.ts";
import { runProgram, startProgramFor } from "../../../tools/start_program.ts";
import { makeFolder } from "../../support/files.ts";

// Makes releases in a copy of the repository with the commands of CONTRIBUTING.md, and
// runs the workflow in clones of their tags. It publishes only in a local registry, and
// installs the package from there.

/** The commands of the workflow that CI runs too, or that need the registry. */
const OTHERS = [
  ...["npm ci", "npm audit --omit=dev", "npm audit signatures"],
  ...["npm run check", "npm test", "npm install --global npm@11"],
];

const folder = await makeFolder({ after });
const source = join(folder, "source"), remote = join(folder, "remote");

/** The command that checks the tag. */
const CHECK = "node --import tsx tools/release.ts";

/** Runs commands in a shell. */
const run = (commands: string, cwd: string, env = {}) =>
  runProgram("bash", ["-e", "-c", commands], { cwd, env });

const registry = await startRegistry();
const userConfig = join(folder, "npmrc");
const token = `${registry.replace("http:", "")}/:_authToken=token`;
await writeFile(userConfig, `registry=${registry}\n${token}\n`);

/** Starts a local registry, which also has the packages of the configured one. */
async function startRegistry(): Promise<string> {
  const { stdout } = await run("npm config get registry", folder);
  const config = {
    storage: join(folder, "storage"),
    uplinks: { npm: { url: stdout.trim() } },
    packages: {
      [metadata.name]: { access: "$all", publish: "$all" },
      "**": { access: "$all", proxy: "npm" },
    },
  };
  const home = join(folder, "verdaccio");
  await mkdir(home);
  // Not each registry has the tag of node-fetch that a package asks for.
  const overrides = { overrides: { "node-fetch": "2.7.0" } };
  await writeFile(join(home, "package.json"), JSON.stringify(overrides));
  await run("npm install verdaccio@6.8.0", home);
  const path = join(home, "config.json");
  await writeFile(path, JSON.stringify(config));
  const address = `127.0.0.1:${await findPort()}`;
  const command = join(home, "node_modules/.bin/verdaccio");
  const server = startProgramFor({ after }, command, [
    "-c",
    path,
    "-l",
    address,
  ]);
  await server.until("stdout", /http address/);
  return `http://${address}`;
}

/** Changes commands that publish, so that they reach no public registry. */
function redirect(commands: string): string {
  return commands
    .replace(
      /npm publish --provenance(?:=false)?/,
      `npm publish --provenance=false --userconfig '${userConfig}'`,
    )
    .replace(
      "deno publish",
      `${DENO.join(" ")} publish --dry-run --config offline.json`,
    );
}

/** Links the installed packages into a clone. */
const install = (clone: string) =>
  symlink(resolve("node_modules"), join(clone, "node_modules"), "junction");

for (const path of listFiles()) {
  await mkdir(dirname(join(source, path)), { recursive: true });
  await cp(path, join(source, path));
}
await install(source);
await run(
  `git init --quiet --initial-branch main
git config user.name Test
git config user.email test@example.com
git add --all
git commit --quiet --message Start
git init --quiet --bare --initial-branch main ${remote}
git remote add origin ${remote}
git push --quiet --set-upstream origin main`,
  source,
);

const [PRERELEASE, RELEASE] = readDocument("CONTRIBUTING.md").blocks
  .filter(({ under }) => under[1] === "Releases").map(({ text }) => text);
const FIRST = metadata.version, SECOND = `${FIRST.split(".")[0]}.99.0`;

/** Makes a release with the commands of the page. */
const release = (version: string) =>
  run(RELEASE!.replaceAll("1.0.0", version), source);

/** Replaces a text in a file of the repository, and commits it. */
async function edit(path: string, from: string | RegExp, to: string) {
  const text = await readFile(join(source, path), "utf8");
  await writeFile(join(source, path), text.replace(from, to));
  await run(`git commit --quiet --all --message Edit`, source);
}

/** Dates the changes of a version. */
const date = (version: string) =>
  edit("CHANGELOG.md", /^## .*$/m, `## ${version} (2026-11-23)`);

// Git dependencies run `prepublish`, as `npm ci` does. For `prepare`, npm would warn
// everyone who installs the file that `npm pack` creates.
test("npm installs the Git URL of the repository", async () => {
  const project = join(folder, "project");
  await mkdir(project);
  await writeFile(join(project, "package.json"), "{}");
  await run(`npm install git+file://${source}`, project);
  const { stdout } = await run("npx plant-store --version", project);
  assertEquals(stdout, `${FIRST}\n`);
});

test("npm version creates a tag only if everything is ready", async () => {
  const url = "https://github.com/example/plant-store";
  const repository = `{ "repository": { "url": "${url}" },`;
  const rejects = (version: string, message: string) =>
    assertRejects(() => release(version), Error, message);

  await rejects(FIRST, "the first heading of CHANGELOG.md must be");
  await date(FIRST);
  await rejects(FIRST, "package.json must have a repository");
  await edit("package.json", "{", repository);
  await rejects(FIRST, "README.md must not say");
  await edit("README.md", "The package is not on npm yet.", "");
  await rejects(FIRST, "SECURITY.md must not say");
  await edit("SECURITY.md", "Plant Store is not published yet, so", "");
  const beta = `${SECOND}-beta.1`;
  await rejects(beta, `the version must have the form "1.2.3", got "${beta}"`);
  const { stdout } = await run("git tag && git status --short", source);
  assertEquals(stdout, "");
});

test("the commands for a prerelease publish no other version", async () => {
  const { stdout } = await run(redirect(PRERELEASE!), source);
  assertMatch(stdout, /^\+ plant-store@1\.0\.0-rc\.0$/m);
  const changes = await run("git status --short", source);
  assertEquals(changes.stdout, "");
});

test("a rejected push creates no tag, and the release can be repeated", async () => {
  const other = join(folder, "other");
  await run(
    `git clone --quiet ${remote} ${other}
cd ${other}
git -c user.name=Other -c user.email=other@example.com commit --quiet --allow-empty --message Other
git push --quiet`,
    folder,
  );
  await assertRejects(() => release(FIRST), Error, "[rejected]");
  const { stdout } = await run("git ls-remote --tags", source);
  assertEquals(stdout, "");
  await run("git pull --quiet --rebase", source);
});

for (const version of [FIRST, SECOND]) {
  test(`the workflow publishes ${version}`, async () => {
    if (version !== FIRST) await date(version);
    await release(version);
    const changes = await run("git status --short", source);
    assertEquals(changes.stdout, "");
    const clone = join(folder, version);
    const tag = `v${version}`;
    await run(`git clone --quiet --branch ${tag} ${remote} ${clone}`, folder);
    await install(clone);
    const workflow = join(clone, ".github/workflows/release.yml");
    const steps = (await readFile(workflow, "utf8")).matchAll(/\brun: (.+)/g);
    const commands = Array.from(steps, ([, command]) => command!);
    const own = commands.filter((each) => !OTHERS.includes(each));
    assertEquals(own, [CHECK, "deno publish", "npm publish --provenance"]);

    const config = JSON.parse(await readFile(join(clone, "deno.json"), "utf8"));
    assertEquals(config.version, version);
    const env = { GITHUB_REF_NAME: tag };
    if (version !== FIRST) {
      // The commands that publish the first version check the rest.
      await run(CHECK, clone, env);
      return;
    }
    const map = await readFile(join(clone, "tools/deno.offline.json"), "utf8");
    const { imports } = JSON.parse(map.replaceAll('"../', '"./'));
    const offline = JSON.stringify({ ...config, imports });
    await writeFile(join(clone, "offline.json"), offline);
    await writeFile(join(clone, ".git/info/exclude"), "offline.json\n");
    const all = own.map(redirect).join("\n");
    const { stdout, stderr } = await run(all, clone, env);
    const output = `${stdout}${stderr}`;
    const find = (pattern: RegExp) =>
      Array.from(output.matchAll(pattern), ([, found]) => found!);
    assertEquals(find(/^(?:\+|Simulating publish of) (\S+)/gm), [
      `plant-store@${version}`,
      `@plant-store/plant-store@${version}`,
    ]);
    const files = find(/^ +file:\S+\/\d+\.\d+\.\d+\/(\S+) \(/gm);
    const others = files.filter((path) =>
      !/^(?:src\/(?!explorer\/client)|data\/)/.test(path)
    );
    assertEquals(others.sort(), [
      ...["CHANGELOG.md", "LICENSE", "README.md"],
      // `verify` links to the specification.
      ...["docs/http-api.md", "docs/verify.md", "mod.ts"],
      ...["offline.json", "package.json"],
    ]);
  });
}

test("the published package works in an empty folder", async (t) => {
  const cwd = await makeFolder(t);
  const env = {
    npm_config_userconfig: userConfig,
    npm_config_registry: registry,
    NPM_CONFIG_REGISTRY: registry, // for Deno
    // Later, npx must not find the packages of the rehearsal.
    npm_config_cache: join(folder, "cache"),
    DENO_DIR: join(folder, "deno"),
  };
  /** Runs and prints commands. */
  async function show(commands: string): Promise<string> {
    const { stdout } = await run(commands, cwd, env);
    const shown = stdout.trim().replace(/\bps_\S+/g, "ps_..."); // never a token
    console.log(`$ ${commands.trim()}\n${shown}`);
    return stdout;
  }
  const tags = await show("npm view plant-store dist-tags --json");
  assertEquals(JSON.parse(tags), { next: "1.0.0-rc.0", latest: FIRST });
  const demo = ["--yes", "plant-store", "--demo", "--port", "0"];
  const server = startProgramFor(t, "npx", demo, { cwd, env });
  const [printed, url] = await server.until("stdout", /Listening on (.*)\n/);
  console.log(`$ npx plant-store --demo\n${printed.trim()}`);
  assertEquals((await (await list(url!)).json()).length, 198);

  await show("npm install plant-store");
  const { blocks } = readDocument("docs/library.md");
  for (const [index, { language, text }] of blocks.entries()) {
    if (language === "sh") await show(text);
    const shown = blocks[index + 1];
    if (language !== "ts" || shown?.language !== "text") continue;
    await writeFile(join(cwd, "shop.mts"), text);
    assertEquals(await show("npx --yes tsx shop.mts"), shown.text);
  }

  const deno = `${DENO.join(" ")} run -A --minimum-dependency-age=0`;
  const help = await show(`${deno} npm:plant-store --help | tail -1`);
  assertMatch(help, /^ *deno run -A npm:plant-store token/);
});
