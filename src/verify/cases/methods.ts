// deno-fmt-ignore-file: one or two lines for each test case
import { ALL, type Entry, NO_TOKEN, SERVER_LIBRARY } from "./entry.ts";

export const LIST_METHODS: readonly Entry[] = ["POST", "PUT", "PATCH", "DELETE"]
  .map((method): Entry => ({
    id: `method.${method}`, send: [`${method} /plants`, ALL], status: 405,
    title: `The request ${method} /plants returns 405`,
  }));

export const HEAD: readonly Entry[] = [
  { id: "head.list", send: ["HEAD /plants?limit=1", ALL], status: 200,
    title: "HEAD returns the status and headers of GET, but no body" },
  { id: "head.limit", send: ["HEAD /plants?limit=x", ALL], status: 400,
    title: "HEAD checks the limit as GET does" },
  { id: "head.unauthorized", send: ["HEAD /plants"], status: 401, headers: NO_TOKEN,
    title: "HEAD checks the credentials as GET does" },
];

export const OTHER_METHODS: readonly Entry[] = [
  { id: "method.TRACE", send: ["TRACE /plants", ALL], status: [405, 501], ...SERVER_LIBRARY,
    title: "The request TRACE /plants returns 405 or 501" },
  { id: "method.unknown", send: ["FOO /plants", ALL], status: [400, 405, 501],
    ...SERVER_LIBRARY, title: "An unknown method returns 400, 405, or 501" },
];
