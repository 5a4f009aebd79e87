import metadata from "../package.json" with { type: "json" };

/** A URL such as `git+https://github.com/OWNER/plant-store.git`. */
const URL = /^git\+(https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+)\.git$/;

/**
 * The URL of the repository, such as `https://github.com/OWNER/plant-store`, or
 * `undefined` until package.json has one. Links depend on it.
 */
export const REPOSITORY: string | undefined = findRepository(metadata);

function findRepository(
  { repository }: {
    readonly name: string;
    readonly repository?: { readonly url: string };
  },
): string | undefined {
  if (!repository) return undefined;
  const [, url] = URL.exec(repository.url) ?? [];
  if (url !== undefined) return url;
  throw new Error(
    `repository.url in package.json must look like git+https://github.com/OWNER/plant-store.git, got ${
      JSON.stringify(repository.url)
    }`,
  );
}
