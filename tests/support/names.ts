import type { EncodedList, Viewer } from "../../mod.ts";

/** Returns the names of the plants that a user of a built-in store sees. */
export async function listNames(viewer: Viewer | undefined): Promise<string[]> {
  if (!viewer) throw new Error("the token is not valid");
  const { body } = await viewer.list() as EncodedList;
  const plants = JSON.parse(new TextDecoder().decode(body as Uint8Array));
  return plants.map(({ name }: { name: string }) => name);
}
