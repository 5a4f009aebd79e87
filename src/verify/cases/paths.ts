// deno-fmt-ignore-file: one or two lines for each test case
import { PLANTS } from "../data.ts";
import { ALL, type Entry, LIBRARY } from "./entry.ts";

const missing = ({ id, target }: { readonly id: string; readonly target: string }): Entry => ({
  id: `path.missing.${id}`,
  send: [`GET ${target}`, ALL],
  status: 404,
  title: `${target} returns 404, because paths must match exactly`,
});

export const PATHS: readonly Entry[] = [
  { id: "other", target: "/nope" },
  { id: "slash", target: "/plants/" },
  { id: "case", target: "/Plants" },
  { id: "longer", target: "/plantsx" },
  { id: "inner", target: "/plants/Monstera" },
  { id: "parameter", target: "/plants;v=1" },
  { id: "constructor", target: "/constructor" },
].map(missing);

export const TARGETS: readonly Entry[] = [
  missing({ id: "twice-escaped", target: "/%2570lants" }),
  { id: "path.absolute", send: ["GET http://other.example/plants", ALL], list: PLANTS,
    title: "The path of an absolute target is used" },
  // Servers can resolve these targets, redirect them, or reject them.
  ...[
    { id: "escaped", target: "/%70lants" },
    { id: "double-slash", target: "//plants" },
    { id: "escaped-slash", target: "/x%2F..%2Fplants" },
    { id: "dots", target: "/x/../plants" },
    { id: "absolute", target: "http://other.example/plants" },
  ].map(({ id, target }): Entry => ({
    id: `path.guarded.${id}`, send: [`GET ${target}`],
    status: [301, 307, 308, 400, 401, 404], ...LIBRARY,
    title: `${target} does not return the plants without a token`,
  })),
];
