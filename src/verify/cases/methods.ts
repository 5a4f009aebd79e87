// deno-fmt-ignore-file: one or two lines for each test case
import type { Case } from "../case.ts";
import { ALL, type Entry, group, NO_TOKEN, ORIGIN } from "./group.ts";

export const METHODS: readonly Case[] = [
  ...group("core", 4, ["POST", "PUT", "PATCH", "DELETE"].map((method): Entry => ({
    id: `method.${method}`, send: [`${method} /plants`, ALL, ORIGIN], status: 405,
    title: `The request ${method} /plants returns 405`,
  }))),
  ...group("core", 7, [
    { id: "head.list", send: ["HEAD /plants?limit=1", ALL, ORIGIN], status: 200,
      title: "HEAD returns the status and headers of GET, but no body" },
    { id: "head.limit", send: ["HEAD /plants?limit=x", ALL], status: 400,
      title: "HEAD checks the limit as GET does" },
    { id: "head.unauthorized", send: ["HEAD /plants"], status: 401, headers: NO_TOKEN,
      title: "HEAD checks the credentials as GET does" },
  ]),
  ...group("http", 4, [
    { id: "head.missing", send: ["HEAD /nope", ALL], status: 404,
      title: "HEAD checks the path as GET does" },
  ]),
];
