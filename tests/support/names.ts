import type { Viewer } from "../../mod.ts";

/** Returns the names of the plants that a user of a built-in store sees. */
export async function listNames(viewer: Viewer | undefined): Promise<string[]> {
  if (!viewer) throw new Error("the token is not valid");
  return (await viewer.list()).map(({ name }) => name);
}
