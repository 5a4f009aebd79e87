// Save this file as app/api/[[...path]]/route.ts.
import { createDemoStore, createHandler } from "plant-store";
import { explorer } from "plant-store/explorer";
import { openapi } from "plant-store/openapi";

const options = { basePath: "/api", explorer, openapi };
const plants = createHandler(createDemoStore(), options);

export {
  plants as DELETE,
  plants as GET,
  plants as HEAD,
  plants as OPTIONS,
  plants as PATCH,
  plants as POST,
  plants as PUT,
};
