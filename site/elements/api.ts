import { createHandler, type Handler } from "plant-store";
import { store } from "../../examples/demo_store.ts";

/** The API with the demo data, which runs in the page. */
export const api: Handler = createHandler(store);
