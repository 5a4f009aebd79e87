import { createHandler } from "../../../mod.ts";
import { openPostgresStore } from "../../../src/stores/postgres.ts";
import { ACCESS, PLANTS } from "../../contract/cases.ts";
import { openHandler } from "../../contract/in_process.ts";
import { FAILING, OPTIONS } from "../../contract/setups.ts";
import { digest } from "../../contract/stores.ts";
import { testContract } from "../../contract/suite.ts";
import { createDatabase, type User } from "./database.ts";

const users = Object.entries(ACCESS).map(([token, plants]): [string, User] => [
  token,
  { plants, tokens: [{ sha256: digest(token), expires: "2999-01-01" }] },
]);
users.push(["late", {
  plants: "all",
  tokens: [{ sha256: digest("expired"), expires: "2020-01-01" }],
}]);

testContract("the PostgreSQL store in process", async (setup) => {
  if (FAILING[setup]) {
    return openHandler(createHandler(FAILING[setup], OPTIONS[setup]));
  }
  const database = await createDatabase();
  await database.fill(PLANTS, Object.fromEntries(users));
  const store = await openPostgresStore({ url: database.url });
  return openHandler(createHandler(store, OPTIONS[setup]), async () => {
    await store.close();
    await database.remove();
  });
});
