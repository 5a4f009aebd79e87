// deno-fmt-ignore-file: one or two lines for each test case
import type { Case } from "../case.ts";
import { MONSTERA, PLANTS } from "../data.ts";
import { ALL, group, LIBRARY, NO_TOKEN } from "./group.ts";

export const IGNORED: readonly Case[] = [
  ...group("core", 11, [
    { id: "query.others",
      send: ["GET /plants?__proto__=1&page=2&offset=1&sort=name&fields=name&callback=f", ALL],
      list: PLANTS, title: "Other parameters have no effect" },
    { id: "query.empty", send: ["GET /plants?", ALL], list: PLANTS,
      title: "An empty query has no effect" },
    { id: "query.mixed", send: ["GET /plants?page=2&limit=1&sort=name", ALL], list: [MONSTERA],
      title: "A limit can appear between other parameters" },
    { id: "credentials.query", send: ["GET /plants?access_token=test-all&token=test-all"],
      status: 401, headers: NO_TOKEN, title: "A token in the query is ignored" },
  ]),
  ...group("http", 11, [
    { id: "query.names",
      send: ["GET /plants?x=?%ZZ%26limit=3&Limit=3&xlimit=3&limitx=3&limit%5B%5D=3&size=3&per_page=3" +
        "&_method=DELETE&limit=1", ALL],
      list: [MONSTERA], title: "Parameters with similar names have no effect" },
    { id: "ignored.content-type", list: PLANTS,
      send: ["GET /plants", ALL, "Content-Type: text/plain", "Accept: text/html, */*", "Cookie: a"],
      title: "The list of plants does not depend on Content-Type and Accept and Cookie" },
    { id: "ignored.method-override", send: ["GET /plants", ALL, "X-HTTP-Method-Override: DELETE"],
      list: PLANTS, title: "The list of plants does not depend on X-HTTP-Method-Override" },
    { id: "ignored.forwarded", list: PLANTS,
      send: ["GET /plants", ALL, "X-Forwarded-Prefix: /x", "X-Original-URL: /x"],
      title: "The list of plants does not depend on X-Forwarded-Prefix and X-Original-URL" },
    { id: "ignored.cookie",
      send: ["GET /plants", "Cookie: access_token=test-all; token=test-all; session=test-all",
        "X-API-Key: test-all", "Proxy-Authorization: Bearer test-all",
        "X-Forwarded-Access-Token: test-all"],
      status: 401, headers: NO_TOKEN, title: "A token in another header is ignored" },
    { id: "host.route", send: ["GET /nope", "Host: h/plants?x=", ALL], status: [400, 404], ...LIBRARY,
      title: "A Host that contains a path does not change the path" },
    { id: "host.space", send: ["GET /plants", "Host: a b", ALL], status: [200, 400], ...LIBRARY,
      title: "A Host with a space has no effect, or returns 400" },
  ]),
];
