import express from "express";
import {
  authorize,
  BAD_LIMIT,
  filter,
  port,
  readLimit,
  ready,
  UNAUTHORIZED,
} from "./shop.mjs";

// Express as its documentation has it.

const app = express();
app.use((request, response, next) => {
  const access = authorize(request.get("Authorization"));
  if (access === undefined) {
    response.status(401).json(UNAUTHORIZED);
    return;
  }
  response.locals.access = access;
  next();
});
app.get("/plants", (request, response) => {
  const limit = readLimit(request.query.limit);
  if (Number.isNaN(limit)) {
    response.status(400).json(BAD_LIMIT);
    return;
  }
  response.json(filter(response.locals.access, limit));
});
app.listen(port, "127.0.0.1", ready);
