// deno-fmt-ignore-file: one or two lines for each test case
import { ALL, type Entry, NO_TOKEN, ORIGIN, REQUESTED, SERVER_LIBRARY } from "./entry.ts";

export const LIST_METHODS: readonly Entry[] = [
  { id: "method.POST", send: ["POST /plants"], status: 405,
    title: "The request POST /plants returns 405" },
  { id: "method.PUT", send: ["PUT /plants"], status: 405,
    title: "The request PUT /plants returns 405" },
  { id: "method.PATCH", send: ["PATCH /plants"], status: 405,
    title: "The request PATCH /plants returns 405" },
  { id: "method.DELETE", send: ["DELETE /plants"], status: 405,
    title: "The request DELETE /plants returns 405" },
];

export const HEAD: readonly Entry[] = [
  { id: "head.list", send: ["HEAD /plants", ALL], status: 200,
    title: "HEAD returns the status and headers of GET, but no body" },
  { id: "head.limit", send: ["HEAD /plants?limit=x", ALL], status: 400,
    title: "HEAD checks the limit as GET does" },
  { id: "head.unauthorized", send: ["HEAD /plants"], status: 401, headers: NO_TOKEN,
    title: "HEAD checks the credentials as GET does" },
  { id: "head.missing", send: ["HEAD /nope"], status: 404,
    title: "HEAD checks the path as GET does" },
];

export const OTHER_METHODS: readonly Entry[] = [
  { id: "method.QUERY", send: ["QUERY /plants"], status: 405,
    title: "The request QUERY /plants returns 405" },
  { id: "method.PROPFIND", send: ["PROPFIND /plants"], status: 405,
    title: "The request PROPFIND /plants returns 405" },
  { id: "method.TRACE", send: ["TRACE /plants"], status: [405, 501], ...SERVER_LIBRARY,
    title: "The request TRACE /plants returns 405 or 501" },
  { id: "method.CONNECT", send: ["CONNECT h:80"], status: [400, 405, 501],
    mayClose: true, ...SERVER_LIBRARY,
    title: "CONNECT returns 400, 405, or 501, or closes the connection" },
  { id: "method.unknown", send: ["FOO /plants"], status: [400, 405, 501],
    ...SERVER_LIBRARY, title: "An unknown method returns 400, 405, or 501" },
];

export const OPTIONS: readonly Entry[] = [
  { id: "head.first", send: ["HEAD /plants?limit=1", ALL], status: 200,
    title: "HEAD applies the limit as GET does" },
  { id: "head.health", send: ["HEAD /healthz"], status: 200,
    title: "HEAD is allowed for /healthz" },
  { id: "head.ready", send: ["HEAD /readyz"], status: 200,
    title: "HEAD is allowed for /readyz" },
  { id: "options.list", send: ["OPTIONS /plants"], status: 204,
    title: "OPTIONS returns 204 for /plants" },
  { id: "options.health", send: ["OPTIONS /healthz"], status: 204,
    title: "OPTIONS returns 204 for /healthz" },
  { id: "options.asterisk", send: ["OPTIONS *"], status: [200, 204], ...SERVER_LIBRARY,
    title: "OPTIONS * returns 204 or 200" },
  { id: "options.missing", send: ["OPTIONS /nope"], status: 404,
    title: "OPTIONS returns 404 for an unknown path" },
  { id: "options.Origin-alone", send: ["OPTIONS /plants", ORIGIN], status: 204,
    title: "OPTIONS with Origin alone is not a preflight" },
  { id: "options.Access-Control-Request-Method-alone",
    send: ["OPTIONS /plants", REQUESTED], status: 204,
    title: "OPTIONS with Access-Control-Request-Method alone is not a preflight" },
];
