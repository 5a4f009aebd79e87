import { createHandler } from "../../mod.ts";
import { openHandler } from "./in_process.ts";
import { openMemory, OPTIONS } from "./setups.ts";
import { testContract } from "./suite.ts";

testContract("the handler in process", (setup) =>
  Promise.resolve(
    openHandler(createHandler(openMemory(), OPTIONS[setup])),
  ));
