import { createDemoStore, createHandler, type Handler } from "plant-store";

/** The API with the demo data, which runs in the page. */
export const api: Handler = createHandler(createDemoStore());
