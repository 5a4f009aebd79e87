import { getQuery, H3, HTTPError, serve } from "h3";
import { authorize, filter, port, readLimit, ready } from "./shop.mjs";

// H3 as its documentation has it.

const app = new H3();
app.use((event) => {
  const access = authorize(event.req.headers.get("authorization"));
  if (access === undefined) throw new HTTPError({ status: 401 });
  event.context.access = access;
});
app.get("/plants", (event) => {
  const limit = readLimit(getQuery(event).limit);
  if (Number.isNaN(limit)) throw new HTTPError({ status: 400 });
  return filter(event.context.access, limit);
});
await serve(app, { port, hostname: "127.0.0.1", silent: true }).ready();
ready();
