import { readFile } from "node:fs/promises";

/** The heading of a version in the changelog. */
const RELEASE = /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/m;

/** Reads the version in every file that contains it, except package.json. */
export async function readVersions(): Promise<Map<string, string | undefined>> {
  const [changelog, ...manifests] = await Promise.all(
    ["CHANGELOG.md", ...MANIFESTS].map((path) => readFile(path, "utf8")),
  );
  return new Map([
    ...manifests.map((text, index) =>
      [MANIFESTS[index]!, JSON.parse(text).version] as const
    ),
    ["CHANGELOG.md", RELEASE.exec(changelog!)?.[1]],
  ]);
}

const MANIFESTS = ["package-lock.json", "deno.json"];

/** Reads the changes under Unreleased in the changelog. */
export async function readUnreleased(): Promise<string> {
  const changelog = await readFile("CHANGELOG.md", "utf8");
  const [, text = ""] = /^## \[Unreleased\]$(.*?)^## /ms.exec(changelog) ?? [];
  return text.trim();
}
