import plants from "../../data/plants.json" with { type: "json" };
import users from "../../data/tokens.json" with { type: "json" };
import { createCatalog } from "../domain/catalog.ts";
import { encodePlants } from "../domain/encoded_plants.ts";
import { createSnapshot } from "../domain/snapshot.ts";
import { runSteps } from "../domain/steps.ts";
import { readUsers, type Users } from "../domain/user.ts";
import type { FileStore } from "../stores/files.ts";
import { digest } from "../stores/digest.ts";

/** Opens a store of the sample data as it was built in: there is nothing to follow. */
export function openSampleStore(): FileStore {
  const catalog = runSteps(createCatalog(encodePlants(plants)));
  const { credentials } = readUsers(users) as Users;
  const snapshot = createSnapshot(catalog, credentials, { keyOf: digest });
  const loaded = new Date();
  const nothing = () => Promise.resolve();
  return {
    authenticate: (token) => snapshot.authenticate(token),
    ready: () => ({ loaded }),
    reload: nothing,
    close: nothing,
    [Symbol.asyncDispose]: nothing,
  };
}
