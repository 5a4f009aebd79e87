import { createHandler } from "../../../mod.ts";
import { openMemory } from "../../contract/setups.ts";

// The handler of the contract as a worker.

const handler = createHandler(openMemory());

export default {
  fetch: (request: Request): Promise<Response> => handler(request),
};
