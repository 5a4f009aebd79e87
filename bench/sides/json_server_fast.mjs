import jsonServer from "json-server";
import { authorize, plants, port, ready } from "./shop.mjs";

// json-server with all of its middleware left out that can be.

const server = jsonServer.create();
server.disable("etag");
server.disable("x-powered-by");
server.use((request, response, next) => {
  const access = authorize(request.headers.authorization);
  if (access === undefined) {
    response.sendStatus(401);
    return;
  }
  if (access !== "all") request.query.tag = [...access.tags];
  next();
});
server.use(jsonServer.router({ plants }));
server.listen(port, "127.0.0.1", ready);
