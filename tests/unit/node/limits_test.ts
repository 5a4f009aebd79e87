import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert } from "@std/assert";
import { MAX_LIMIT } from "../../../src/core/http/limit.ts";
import { CHUNK_LENGTH } from "../../../src/core/domain/encoded_list.ts";
import { MAX_SHORT_LENGTH } from "../../../src/core/http/list_json.ts";
import { MAX_HEADERS } from "../../../src/server/runtimes/node_adapter.ts";
import { LIMITS } from "../../../src/server/runtimes/defaults.ts";
import { MAX_SIZE } from "../../../src/stores/files/read_file.ts";

const seconds = (time: number) => `${time / 1_000} seconds`;
const format = (limit: number) => limit.toLocaleString("en");

/** What documents say about limits. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  "docs/http-api.md": [
    `integer from 0 to ${MAX_LIMIT}.`,
  ],
  "docs/operating.md": [
    `A file can have up to ${MAX_SIZE / 1_000_000} MB.`,
    `all headers have more than ${format(LIMITS.headerBytes)} bytes`,
    `more than ${MAX_HEADERS} headers`,
    `the target has more than ${format(LIMITS.urlLength)} characters`,
    `the headers take longer than ${seconds(LIMITS.headersTimeout)} to arrive`,
    `the request longer than ${seconds(LIMITS.requestTimeout)}`,
    `11 kB per second for ${LIMITS.sendTimeout / 60_000} minutes`,
    `A list of more than ${MAX_SHORT_LENGTH / 1_024} kB is encoded while`,
    `the server keeps up to ${
      (MAX_SHORT_LENGTH + CHUNK_LENGTH) / 1_024
    } kB of it`,
    `absent for a list of more than ${MAX_SHORT_LENGTH / 1_024} kB`,
    `the client sends nothing for ${seconds(LIMITS.keepAliveTimeout)}`,
    `more than ${format(LIMITS.connections)} connections`,
    `at least 4096 (${format(LIMITS.connections)} connections, and a reserve`,
    `wait (${LIMITS.queuedBytes / 1_000} kB in memory)`,
    `On all connections together, ${LIMITS.totalQueuedBytes / 1e6} MB can wait`,
  ],
};

for (const [path, sentences] of Object.entries(SENTENCES)) {
  test(`the limits in ${path} are those of the code`, async () => {
    const text = (await readFile(path, "utf8")).replace(/\s+/g, " ");
    for (const each of sentences) assert(text.includes(each), each);
  });
}
