// deno-fmt-ignore-file: one or two lines for each test case
import { FERN, MONSTERA, PLANTS, ROSE } from "../data.ts";
import { ALL, ANY, type Entry, FERNS, SAME, SERVER, toRequest } from "./entry.ts";

/** The values of If-None-Match. Words with ETAG stand for the ETag of the list. */
const ETAGS = [
  { id: "same", etags: "ETAG", status: 304, what: "the ETag" },
  { id: "weak", etags: "W/ETAG", status: 304, what: "the ETag as a weak one" },
  { id: "list", etags: '"a", W/ETAG, "b"', status: 304, what: "the ETag in a list" },
  { id: "list-weak", etags: 'W/"a", W/ETAG', status: 304, what: "the ETag in a weak list" },
  { id: "list-tight", etags: '"a",ETAG', status: 304, what: "a list without spaces" },
  { id: "star", etags: "*", status: 304, what: "an asterisk" },
  { id: "comma-inside", etags: '"a,b", ETAG', status: 304, what: "a comma inside another ETag" },
  { id: "other", etags: '"a"', list: PLANTS, what: "another ETag" },
  { id: "unquoted", etags: "a", list: PLANTS, what: "a word without quotes" },
  { id: "longer", etags: '"xOPAQUE_ETAG"', list: PLANTS, what: "a longer ETag" },
  { id: "quoted-star", etags: '"*"', list: PLANTS, what: "an asterisk in quotes" },
  { id: "spaces", etags: `"a"${" ".repeat(4_000)}, ETAG`, status: 304, what: "4000 spaces" },
  { id: "opaque", etags: "OPAQUE_ETAG", list: PLANTS, what: "the ETag without quotes" },
  { id: "star-in-list", etags: '"a", *', list: PLANTS, what: "an asterisk in a list" },
  { id: "lower-weak", etags: "w/ETAG", list: PLANTS, what: "w/ before the ETag" },
  { id: "after-word", etags: "a, ETAG", status: 304, what: "a word before the ETag" },
  { id: "letter-case", etags: "OTHER_ETAG", list: PLANTS, what: "other letter case" },
  { id: "suffix", etags: '"OPAQUE_ETAG-gzip"', list: PLANTS, what: "a suffix in the ETag" },
].map(({ id, etags, what, ...others }): Entry => ({
  id: `conditional.${id}`,
  send: ["GET /plants", ALL, `If-None-Match: ${etags}`],
  ...others,
  title: `If-None-Match with ${what} returns ${others.list ? "the list" : "304"}`,
}));

export const CONDITIONAL: readonly Entry[] = [
  ...ETAGS,
  { id: "conditional.twice", send: ["GET /plants", ALL, 'If-None-Match: "a"', SAME],
    status: 304, title: "Several If-None-Match headers form one list" },
  { id: "conditional.twice-first", send: ["GET /plants", ALL, SAME, 'If-None-Match: "a"'],
    status: 304, title: "The first of several If-None-Match headers counts" },
  { id: "conditional.head", send: ["HEAD /plants", ALL, SAME], status: 304,
    title: "If-None-Match also applies to HEAD" },
  { id: "conditional.later", send: ["GET /plants", ALL, SAME], status: 304,
    waitSeconds: 1.1, ...SERVER,
    title: "The ETag of an unchanged list is the same after a second" },
  { id: "conditional.other-user", send: ["GET /plants", FERNS, SAME], list: [FERN],
    title: "The list of another user has another ETag" },
  { id: "conditional.other-limit", send: ["GET /plants?limit=1", ALL, SAME],
    list: [MONSTERA], title: "The list with another limit has another ETag" },
  { id: "conditional.equal-length",
    send: ["GET /plants", "Authorization: Bearer test-flowers", SAME], list: [ROSE],
    previousRequest: toRequest("GET /plants", "Authorization: Bearer test-constructor"),
    title: "Another list of the same length has another ETag" },
  { id: "conditional.equal-body",
    send: ["GET /plants?limit=7", "Authorization: Bearer test-valid", SAME],
    status: 304, title: "The same list has the same ETag for every user and limit" },
  { id: "conditional.missing-path", send: ["GET /nope", ANY], status: 404,
    title: "If-None-Match has no effect on an unknown path" },
];

export const CONDITIONAL_ORDER: readonly Entry[] = [
  { id: "conditional.after-credentials", send: ["GET /plants", ANY], status: 401,
    title: "Credentials are checked before If-None-Match" },
  { id: "conditional.after-limit", send: ["GET /plants?limit=x", ALL, ANY],
    status: 400, title: "The limit is checked before If-None-Match" },
];
