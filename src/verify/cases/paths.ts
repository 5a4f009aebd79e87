// deno-fmt-ignore-file: one or two lines for each test case
import { MONSTERA } from "../data.ts";
import { ALL, type Entry, LIBRARY } from "./entry.ts";

const missing = ({ id, target }: { readonly id: string; readonly target: string }): Entry => ({
  id: `path.missing.${id}`,
  send: [`GET ${target}`, ALL],
  status: 404,
  title: `${target} returns 404, because paths must match exactly`,
});

export const PATHS: readonly Entry[] = [
  { id: "other", target: "/v1/plants" },
  { id: "slash", target: "/plants/" },
  { id: "case", target: "/Plants" },
  { id: "longer", target: "/plants.json" },
  { id: "inner", target: "/plants/1" },
  { id: "parameter", target: "/plants;v=1" },
  { id: "constructor", target: "/constructor" },
].map(missing);

/** Targets that servers can resolve, redirect, or reject. */
const GUARDED = {
  "escaped": "/%70lants", "escaped-last": "/plant%73", "upper-case": "/PLANTS",
  "double-slash": "//plants", "triple-slash": "///plants", "last-slashes": "/plants//",
  "escaped-slash": "/x%2F..%2Fplants", "escaped-dots": "/x/%2e%2e/plants",
  "dot": "/./plants", "dots": "/x/../plants", "health-dots": "/healthz/../plants",
  "parameter-dots": "/x;/../plants", "backslash": String.raw`/x/..\plants`,
  "nul": "/plants%00", "space": "/plants%20", "absolute": "http://other.example/plants",
};

export const TARGETS: readonly Entry[] = [
  ...[
    { id: "twice-escaped", target: "/%2570lants" },
    { id: "singular", target: "/plant" },
    { id: "dot", target: "/plants." },
    { id: "plus", target: "/pl+ants" },
    { id: "asterisk", target: "/*" },
  ].map(missing),
  { id: "path.absolute", send: ["GET http://other.example/plants?limit=1", ALL],
    list: [MONSTERA], title: "The path and the query of an absolute target are used" },
  ...Object.entries(GUARDED).map(([id, target]): Entry => ({
    id: `path.guarded.${id}`, send: [`GET ${target}`],
    status: [301, 307, 308, 400, 401, 404], ...LIBRARY,
    title: `${target} does not return the plants without a token`,
  })),
];
