import { createHandler, type Handler } from "../../../mod.ts";
import type { Setup } from "../../contract/cases.ts";
import { openStore, OPTIONS } from "../../contract/setups.ts";

// The contract's service as a worker; the binding SETUP says which set-up it is.

let handler: Handler | undefined;

const worker: {
  fetch(request: Request, env: { readonly SETUP: Setup }): Promise<Response>;
} = {
  fetch(request, { SETUP }) {
    handler ??= createHandler(openStore(SETUP), OPTIONS[SETUP]);
    return handler(request);
  },
};

export default worker;
