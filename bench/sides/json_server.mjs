import jsonServer from "json-server";
import { authorize, hostname, plants, port } from "./shop.mjs";

// The access control example from its documentation, with its built-in tag filter.

const server = jsonServer.create();
server.use(jsonServer.defaults({ logger: false }));
server.use((request, response, next) => {
  const access = authorize(request.get("Authorization"));
  if (access === undefined) {
    response.sendStatus(401);
    return;
  }
  if (access !== "all") request.query.tag = [...access.tags];
  next();
});
server.use(jsonServer.router({ plants }));
server.listen(port, hostname);
