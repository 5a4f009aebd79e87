import plants from "../../data/plants.json" with { type: "json" };
import users from "../../data/tokens.json" with { type: "json" };
import { createCatalogue } from "../domain/catalogue.ts";
import { encodePlants } from "../domain/encoded_plants.ts";
import { createSnapshot } from "../domain/snapshot.ts";
import { runSteps } from "../domain/steps.ts";
import { readUsers, type Users } from "../domain/user.ts";
import type { FileStore } from "../stores/files.ts";
import { viewByToken } from "../stores/view_by_token.ts";

/** Opens a store of the sample data as it was built in: there is nothing to follow. */
export function openSampleStore(): FileStore {
  const catalogue = runSteps(createCatalogue(encodePlants(plants)));
  const { credentials } = readUsers(users) as Users;
  const loaded = new Date();
  const nothing = () => Promise.resolve();
  return {
    view: viewByToken(createSnapshot(catalogue, credentials)),
    ready: () => ({ loaded }),
    reload: nothing,
    close: nothing,
    [Symbol.asyncDispose]: nothing,
  };
}
