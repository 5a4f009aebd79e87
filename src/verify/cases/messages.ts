// deno-fmt-ignore-file: one or two lines for each test case
import { PLANTS } from "../data.ts";
import { ALL, type Entry, SERVER, SERVER_LIBRARY } from "./entry.ts";

export const MESSAGES: readonly Entry[] = [
  { id: "size.target-allowed", send: ["GET /plants?", ALL], list: PLANTS,
    request: { targetLength: 8_192 }, title: "A target of 8192 characters is accepted" },
  { id: "size.target", send: ["GET /plants?", ALL], status: 414, request: { targetLength: 8_193 },
    ...SERVER, title: "A target of 8193 characters returns 414" },
  { id: "size.headers-allowed", send: ["GET /plants", ALL], list: PLANTS,
    request: { headSize: 16_384 }, title: "A request line and headers of 16384 bytes are accepted" },
  { id: "size.headers", send: ["GET /plants", ALL], status: [400, 431],
    request: { headSize: 16_448 }, ...SERVER_LIBRARY,
    title: "A target and headers of more than 16384 bytes return 431 or 400" },
  { id: "coding.chunked", send: ["GET /plants", ALL, "Transfer-Encoding: chunked"], list: PLANTS,
    request: { content: "x" }, ...SERVER, title: "A chunked body is accepted and ignored" },
  { id: "coding.letter-case",
    send: ["GET /plants", ALL, "Transfer-Encoding: Chunked"], list: PLANTS,
    request: { content: "x" }, ...SERVER,
    title: "The letter case of chunked has no effect" },
  { id: "coding.unsupported",
    send: ["GET /plants", ALL, "Transfer-Encoding: gzip, chunked"], status: [400, 501],
    request: { content: "x" }, ...SERVER_LIBRARY,
    title: "A transfer coding other than chunked returns 400 or 501" },
  { id: "expect.continue",
    send: ["GET /plants", ALL, "Expect: 100-continue", "Content-Length: 1"],
    list: PLANTS, request: { content: "x" }, ...SERVER, title: "Expect: 100-continue is accepted" },
  { id: "expect.letter-case",
    send: ["GET /plants", ALL, "Expect: 100-Continue", "Content-Length: 1"],
    list: PLANTS, request: { content: "x" }, ...SERVER,
    title: "The letter case of 100-continue has no effect" },
  { id: "expect.other", send: ["GET /plants", ALL, "Expect: 200-ok"], status: 417,
    ...SERVER_LIBRARY, title: "An Expect header other than 100-continue returns 417" },
];
