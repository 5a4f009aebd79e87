// deno-fmt-ignore-file: one or two lines for each test case
import { MONSTERA, PLANTS } from "../data.ts";
import { ALL, BAD_HOST, type Entry, LIBRARY, SERVER } from "./entry.ts";

interface Row extends Partial<Entry> {
  readonly id: string;
  readonly target: string;
}

/** Options for a target that the HTTP library of a server can reject with 400. */
const REJECTABLE = { status: [400, 404], ...LIBRARY } as const;

const missing = ({ id, target, status = 404, ...others }: Row): Entry => ({
  id: `path.missing.${id}`,
  send: [`GET ${target}`, ALL],
  status,
  title: `${target} returns ${[status].flat().join(" or ")}, because paths must match exactly`,
  ...others,
});

const found = ({ id, target }: Row): Entry => ({
  id: `path.found.${id}`,
  send: [`GET ${target}`, ALL],
  list: PLANTS,
  title: `${target} is another form of /plants`,
});

export const PATHS: readonly Entry[] = [
  ...[
    { id: "other", target: "/nope" },
    { id: "slash", target: "/plants/" },
    { id: "case", target: "/Plants" },
    { id: "longer", target: "/plantsx" },
    { id: "extension", target: "/plants.json" },
    { id: "inner", target: "/plants/Monstera" },
    { id: "parameter", target: "/plants;v=1" },
    { id: "prototype", target: "/__proto__" },
    { id: "constructor", target: "/constructor" },
  ].map(missing),
];

export const TARGETS: readonly Entry[] = [
  ...[
    { id: "double-slash", target: "//plants", ...REJECTABLE },
    { id: "host-like", target: "//evil/plants", ...REJECTABLE },
    { id: "escaped-slash", target: "/x%2F..%2Fplants" },
    { id: "escaped-first", target: "/%2Fplants" },
    { id: "escaped-last", target: "/plants%2F" },
    { id: "twice-escaped", target: "/%2570lants" },
    { id: "escaped-mark", target: "/plants%3Flimit=1" },
    { id: "nul", target: "/plants%00" },
    { id: "asterisk", target: "/*" },
    { id: "dot-last", target: "/plants/." },
    { id: "dots-last", target: "/plants/x/.." },
    { id: "space-last", target: "/plants%20" },
    { id: "health", target: "/healthz/" },
    { id: "ready", target: "/readyz/" },
    { id: "absolute", target: "http://other.example/nope" },
    { id: "asterisk-alone", target: "*", ...REJECTABLE, ...SERVER },
    { id: "relative", target: "plants", ...REJECTABLE, ...SERVER },
  ].map(missing),
  ...[
    { id: "escaped", target: "/%70lants" },
    { id: "escaped-all", target: "/%70%6C%61%6e%74%73" },
    { id: "dot", target: "/./plants" },
    { id: "dots", target: "/x/../plants" },
    { id: "escaped-dots", target: "/x/%2e%2E/plants" },
    { id: "above", target: "/../plants" },
    { id: "absolute", target: "http://other.example/plants" },
    { id: "absolute-port", target: "http://other.example:81/plants" },
    { id: "absolute-https", target: "https://other.example/plants" },
  ].map(found),
  { id: "path.absolute-query", send: ["GET http://o.example/plants?limit=1", ALL],
    list: [MONSTERA], title: "The query of an absolute target is used" },
  { id: "path.fragment", send: ["GET /plants#x", ALL], status: [200, 400], ...LIBRARY,
    title: "A # ends the path, or returns 400" },
  { id: "path.backslash", send: ["GET /x\\..\\plants", ALL], status: [200, 400],
    ...LIBRARY, title: "A backslash is a slash, or returns 400" },
  { id: "path.absolute-host", send: ["GET http://o.example/plants", BAD_HOST, ALL],
    status: [200, 400], ...LIBRARY,
    title: "An invalid Host next to an absolute target is ignored or returns 400" },
];
