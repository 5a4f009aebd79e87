import { openInProcess } from "./in_process.ts";
import { testContract } from "./suite.ts";

testContract(
  "the handler in process",
  (setup) => Promise.resolve(openInProcess(setup)),
);
