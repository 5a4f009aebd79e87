import express from "express";
import {
  authorize,
  headers,
  hostname,
  isCached,
  list,
  listJson,
  port,
  readLimit,
} from "./shop.mjs";

const app = express();
app.use((request, response, next) => {
  response.locals.user = authorize(request.get("Authorization"));
  if (response.locals.user !== undefined) next();
  else response.sendStatus(401);
});
app.get("/plants", (request, response) => {
  const limit = readLimit(request.query.limit);
  if (Number.isNaN(limit)) response.sendStatus(400);
  else if (isCached) {
    response.set(headers).send(listJson(response.locals.user, limit));
  } else response.set(headers).json(list(response.locals.user, limit));
});
app.listen(port, hostname);
