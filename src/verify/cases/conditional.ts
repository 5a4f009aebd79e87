// deno-fmt-ignore-file: one or two lines for each test case
import type { Case } from "../case.ts";
import { FERN, MONSTERA, PLANTS, ROSE } from "../data.ts";
import { ALL, ANY, type Entry, FERNS, group, NONE, SAME, toRequest } from "./group.ts";

/** The values of If-None-Match. Words with ETAG stand for the ETag of the list. */
const ETAGS = [
  { id: "same", etags: "ETAG", status: 304, what: "the ETag" },
  { id: "weak", etags: "W/ETAG", status: 304, what: "the ETag as a weak one" },
  { id: "list", etags: 'W/"a", W/ETAG, "b"', status: 304, what: "the ETag in a list" },
  { id: "star", etags: "*", status: 304, what: "an asterisk" },
  { id: "other", etags: '"*"', list: PLANTS, what: "another ETag" },
  { id: "longer", etags: "LONGER_ETAG", list: PLANTS, what: "a longer ETag" },
  { id: "shorter", etags: "SHORTER_ETAG", list: PLANTS, what: "a shorter ETag" },
  { id: "letter-case", etags: "OTHER_CASE_ETAG", list: PLANTS, what: "other letter case" },
].map(({ id, etags, what, ...others }): Entry => ({
  id: `conditional.${id}`,
  send: ["GET /plants", ALL, `If-None-Match: ${etags}`],
  ...others,
  title: `If-None-Match with ${what} returns ${others.list ? "the list" : "304"}`,
}));

export const CONDITIONAL: readonly Case[] = [
  ...group("http", 6, [
    ...ETAGS,
    { id: "conditional.empty", send: ["GET /plants?limit=0", NONE, SAME], status: 304,
      headers: { etag: { text: "an ETag", pattern: /./ } }, previousRequest: toRequest("GET /plants?limit=0", NONE),
      title: "An empty list has an ETag, also with 304" },
    { id: "conditional.head", send: ["HEAD /plants", ALL, SAME], status: 304,
      title: "If-None-Match also applies to HEAD" },
    { id: "conditional.other-user", send: ["GET /plants", FERNS, SAME], list: [FERN],
      title: "The list of another user has another ETag" },
    { id: "conditional.other-limit", send: ["GET /plants?limit=4", ALL, SAME],
      list: PLANTS.slice(0, 4), title: "The list with another limit has another ETag" },
    { id: "conditional.equal-length",
      send: ["GET /plants", "Authorization: Bearer test-flowers", SAME], list: [ROSE],
      previousRequest: toRequest("GET /plants", "Authorization: Bearer test-constructor"),
      title: "Another list of the same length has another ETag" },
    { id: "conditional.equal-start",
      send: ["GET /plants?limit=2", "Authorization: Bearer test-mixed", SAME],
      list: [MONSTERA, ROSE], previousRequest: toRequest("GET /plants?limit=2", ALL),
      title: "Another list with the same first plant has another ETag" },
  ]),
  ...group("http", 10, [
    { id: "conditional.after-credentials", send: ["GET /plants", ANY], status: 401,
      title: "Credentials are checked before If-None-Match" },
    { id: "conditional.after-limit", send: ["GET /plants?limit=x", ALL, ANY],
      status: 400, title: "The limit is checked before If-None-Match" },
  ]),
];
