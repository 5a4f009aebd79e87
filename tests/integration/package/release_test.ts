import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import metadata from "../../../package.json" with { type: "json" };
import { DENO } from "../../../tools/runtimes.ts";
import { makeFolder } from "../../support/files.ts";
import { listFiles, readDocument } from "../../../tools/markdown.ts";
import { runProgram } from "../../../tools/start_program.ts";

// Makes releases in a copy of the repository with the commands of CONTRIBUTING.md, and
// runs the workflow in clones of their tags, except for what it publishes.

/** The commands of the workflow that CI runs too, or that need the registry. */
const OTHERS = [
  ...["npm ci", "npm audit", "npm audit signatures"],
  ...["npm run check", "npm test", "npm install --global npm@11"],
];

const folder = await makeFolder({ after });
const source = join(folder, "source"), remote = join(folder, "remote");

/** The command that checks the tag. */
const CHECK = "node --import tsx tools/release.ts";

/** The commands that publish, as dry runs, which reach neither registry. */
const DRY: Readonly<Record<string, string>> = {
  "deno publish": `${DENO.join(" ")} publish --dry-run --config offline.json`,
  "npm publish --provenance":
    "npm publish --dry-run --registry http://127.0.0.1:1 --fetch-retries 0",
};

/** Runs commands in a shell. */
const run = (commands: string, cwd: string, tag?: string) =>
  runProgram("bash", ["-e", "-c", commands], {
    cwd,
    env: { GITHUB_REF_NAME: tag },
  });

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
git init --quiet --bare ${remote}
git remote add origin ${remote}
git push --quiet --set-upstream origin main
npm pkg set repository.url=https://github.com/example/plant-store
npm run generate`,
  source,
);

/** Follows the instructions for a release. */
async function release(version: string, date: string): Promise<void> {
  const path = join(source, "CHANGELOG.md");
  const changes = await readFile(path, "utf8");
  const dated = changes.replace(/^## .*$/m, `## ${version} (${date})`);
  await writeFile(path, dated);
  const { blocks } = readDocument("CONTRIBUTING.md");
  const [block] = blocks.filter(({ under }) => under[1] === "Releases");
  await run(block!.text.replaceAll("1.0.0", version), source);
}

const FIRST = metadata.version, SECOND = `${FIRST.split(".")[0]}.99.0`;

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

test("npm version does not tag a version whose changes have no date", async () => {
  await assertRejects(() => release(SECOND, "not released"), Error, "got");
  const { stdout } = await run("git tag && git status --short", source);
  assertEquals(stdout, "");
});

for (const version of [FIRST, SECOND]) {
  test(`the workflow publishes ${version}`, async () => {
    await release(version, "2026-11-23");
    const clone = join(folder, version);
    const tag = `v${version}`;
    await run(`git clone --quiet --branch ${tag} ${remote} ${clone}`, folder);
    await install(clone);
    const workflow = join(clone, ".github/workflows/release.yml");
    const steps = (await readFile(workflow, "utf8")).matchAll(/\brun: (.+)/g);
    const commands = Array.from(steps, ([, command]) => command!);
    const own = commands.filter((each) => !OTHERS.includes(each));
    assertEquals(own, [CHECK, ...Object.keys(DRY)]);

    const config = JSON.parse(await readFile(join(clone, "deno.json"), "utf8"));
    assertEquals(config.version, version);
    if (version !== FIRST) {
      // The dry runs of the first version check the rest.
      await run(CHECK, clone, tag);
      return;
    }
    const map = await readFile(join(clone, "tools/deno.offline.json"), "utf8");
    const { imports } = JSON.parse(map.replaceAll('"../', '"./'));
    const offline = JSON.stringify({ ...config, imports });
    await writeFile(join(clone, "offline.json"), offline);
    await writeFile(join(clone, ".git/info/exclude"), "offline.json\n");
    const dry = [CHECK, ...Object.values(DRY)].join("\n");
    const { stdout, stderr } = await run(dry, clone, tag);
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
