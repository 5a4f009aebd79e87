import type { User } from "../../mod.ts";

/** Returns the names of the plants that a user of a built-in store sees. */
export async function listNames(user: User | undefined): Promise<string[]> {
  if (!user) throw new Error("the token is not valid");
  return (await user.list()).map(({ name }) => name);
}
