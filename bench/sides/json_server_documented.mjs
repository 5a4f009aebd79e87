import jsonServer from "json-server";
import { authorize, plants, port, ready } from "./shop.mjs";

// json-server as its documentation has it: its access control example, and its
// own filter by tags. It pages by `_limit`, and has no check of it. Its log
// is left out, as everywhere.

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
server.listen(port, "127.0.0.1", ready);
