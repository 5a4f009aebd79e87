import express from "express";
import { authorize, hostname, list, port, readLimit } from "./shop.mjs";

const app = express();
app.use((request, response, next) => {
  response.locals.access = authorize(request.get("Authorization"));
  if (response.locals.access !== undefined) next();
  else response.sendStatus(401);
});
app.get("/plants", (request, response) => {
  const limit = readLimit(request.query.limit);
  if (Number.isNaN(limit)) response.sendStatus(400);
  else response.json(list(response.locals.access, limit));
});
app.listen(port, hostname);
