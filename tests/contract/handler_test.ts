import { IN_PROCESS, openInProcess } from "./in_process.ts";
import { testContract } from "./suite.ts";

testContract(IN_PROCESS, (setup) => Promise.resolve(openInProcess(setup)));
