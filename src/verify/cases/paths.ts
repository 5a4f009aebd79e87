// deno-fmt-ignore-file: one or two lines for each test case
import { PLANTS } from "../data.ts";
import { ALL, type Entry } from "./entry.ts";

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
];
