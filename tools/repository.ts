import metadata from "../package.json" with { type: "json" };

const { repository }: {
  readonly name: string;
  readonly repository?: { readonly url: string };
} = metadata;

/**
 * The URL of the repository, such as `https://github.com/OWNER/plant-store`, or
 * `undefined` until package.json has one. Links depend on it.
 */
export const REPOSITORY: string | undefined = repository?.url
  .replace(/^git\+|\.git$/g, "");
