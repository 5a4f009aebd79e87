import { readFile } from "node:fs/promises";
import { after } from "node:test";
import { createHandler } from "../../../mod.ts";
import { openPostgresStore } from "../../../src/stores/postgres.ts";
import { PLANTS } from "../../contract/cases.ts";
import { openHandler } from "../../contract/in_process.ts";
import { FAILING, OPTIONS } from "../../contract/setups.ts";
import { writeContract } from "../../contract/stores.ts";
import { testContract } from "../../contract/suite.ts";
import { makeFolder } from "../../support/files.ts";
import { createDatabase } from "./database.ts";

const files = await writeContract(await makeFolder({ after }));
const users = JSON.parse(await readFile(files.tokens, "utf8"));
const url = await createDatabase(PLANTS, users);

testContract("the PostgreSQL store in process", async (setup) => {
  if (FAILING[setup]) {
    return openHandler(createHandler(FAILING[setup], OPTIONS[setup]));
  }
  const store = await openPostgresStore({ url });
  return openHandler(createHandler(store, OPTIONS[setup]), store.close);
});
