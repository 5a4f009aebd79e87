import { createHandler, type Handler } from "../../../mod.ts";
import type { Setup } from "../../contract/all_cases.ts";
import { openMemory, OPTIONS } from "../../contract/setups.ts";

// The handler of the contract as a worker, with the setup in the binding SETUP.

let handler: Handler | undefined;

const worker: {
  fetch(request: Request, env: { readonly SETUP: Setup }): Promise<Response>;
} = {
  fetch(request, { SETUP }) {
    handler ??= createHandler(openMemory(), OPTIONS[SETUP]);
    return handler(request);
  },
};

export default worker;
