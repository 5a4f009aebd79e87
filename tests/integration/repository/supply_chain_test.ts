import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { assert, assertEquals, assertMatch } from "@std/assert";
import metadata from "../../../package.json" with { type: "json" };

// What the project takes from others is the same for everybody, byte for byte,
// and runs nothing when users install it. tests/integration/package installs it.

/** An entry of a lockfile. */
interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<
    Record<string, { readonly optional?: boolean }>
  >;
}

const readJson = async (path: string) =>
  JSON.parse(await readFile(path, "utf8"));

const { stdout } = await promisify(execFile)("git", ["ls-files"]);
const files = stdout.trim().split("\n");
const lockfiles = files.filter((file) =>
  /(?:^|\/)package-lock\.json$/.test(file)
);
const manifests = files.filter((file) => /(?:^|\/)package\.json$/.test(file));

/** What npm runs when a package is installed, from a registry or from git. */
const ON_INSTALL = [
  ...["preinstall", "install", "postinstall"],
  ...["prepublish", "preprepare", "prepare", "postprepare"],
];

test("there is a lockfile for each manifest with dependencies, and no other", () => {
  // Those of the standard library have none.
  const locked = manifests.filter((file) => !file.startsWith("tools/std/"));
  assert(locked.length > 1);
  assertEquals(
    lockfiles.map(dirname).sort(),
    locked.map(dirname).sort(),
  );
});

for (const file of lockfiles) {
  test(`${file} has the digest of each package, and no registry`, async () => {
    const { lockfileVersion, packages } = await readJson(file);
    assertEquals(lockfileVersion, 3);
    const entries = Object.entries<Locked>(packages);
    assert(entries.length > 1);
    for (const [path, { integrity, resolved, link }] of entries) {
      // What lies in the repository is linked.
      if (link) assertMatch(resolved!, /^[\w./]+$/, path);
      else assertEquals(resolved, undefined, path);
      const isForeign = /(?:^|\/)node_modules\//.test(path) && !link;
      if (isForeign) {
        assertMatch(integrity ?? "", /^sha512-[\w+/]{86}==$/, path);
      }
    }
  });
}

for (const file of manifests) {
  test(`${file} names exact versions of tools`, async () => {
    const { private: isPrivate, dependencies, devDependencies } =
      await readJson(file);
    const tools = { ...devDependencies, ...isPrivate && dependencies };
    for (const [name, version] of Object.entries(tools)) {
      assertMatch(
        version as string,
        /^(?:\d+\.\d+\.\d+(?:-[\w.]+)?|file:[\w./]+)$/,
        name,
      );
    }
  });
}

test("what is installed by a gate is what the lockfiles say", async () => {
  for (const file of [...manifests, ".ci/run", "deploy/Dockerfile"]) {
    const text = await readFile(file, "utf8");
    assertEquals(/\bnpm (?:i|add|install|update)\b/.exec(text), null, file);
    for (const [, name] of text.matchAll(/\bnpx (?:--?\S+ )*(\S+)/g)) {
      assertMatch(name!, /@\d+\.\d+\.\d+$/, file);
    }
  }
});

test("no package that users install runs anything when it is installed", async () => {
  const { packages } = await readJson("package-lock.json");
  const { dependencies, peerDependencies } = metadata;
  const names = Object.keys({ ...dependencies, ...peerDependencies });
  for (const name of names) {
    const found: Locked = packages[join("node_modules", name)];
    assertEquals(found.hasInstallScript, undefined, name);
    const { peerDependencies: peers, peerDependenciesMeta: meta } = found;
    const required = Object.keys(peers ?? {}).filter((peer) =>
      !meta?.[peer]?.optional
    );
    for (
      const next of [...Object.keys(found.dependencies ?? {}), ...required]
    ) {
      if (!names.includes(next)) names.push(next);
    }
  }
  assertEquals(names, ["valibot", "postgres"]);
  const own = Object.keys(metadata.scripts);
  assertEquals(own.filter((script) => ON_INSTALL.includes(script)), []);
});
