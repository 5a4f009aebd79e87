import { getQuery, H3, HTTPError, serve } from "h3";
import { authorize, hostname, list, port, readLimit } from "./shop.mjs";

const app = new H3();
app.use((event) => {
  const access = authorize(event.req.headers.get("authorization"));
  if (access === undefined) throw new HTTPError({ status: 401 });
  event.context.access = access;
});
app.get("/plants", (event) => {
  const limit = readLimit(getQuery(event).limit);
  if (Number.isNaN(limit)) throw new HTTPError({ status: 400 });
  return list(event.context.access, limit);
});
serve(app, { port, hostname, silent: true });
