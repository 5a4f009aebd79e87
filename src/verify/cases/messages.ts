// deno-fmt-ignore-file: one or two lines for each test case
import { MONSTERA } from "../data.ts";
import { ALL, type Entry, SERVER, SERVER_LIBRARY } from "./entry.ts";

export const MESSAGES: readonly Entry[] = [
  { id: "coding.after-chunked",
    send: ["GET /plants", ALL, "Transfer-Encoding: chunked, gzip"], status: [400, 501],
    request: { content: "x" }, ...SERVER_LIBRARY,
    title: "A transfer coding after chunked returns 400 or 501" },
  { id: "expect.continue",
    send: ["GET /plants?limit=1", ALL, "Expect: 100-continue", "Content-Length: 1"],
    list: [MONSTERA], request: { content: "x" }, ...SERVER,
    title: "Expect: 100-continue is accepted" },
];
