import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { NodeRequest } from "../../../src/server/node/exchange.ts";

/** Creates a request with this target and Host. */
function createRequest(url: string, host?: string): NodeRequest {
  const headers = host === undefined ? {} : { host };
  const message = { method: "GET", url, headers, socket: {} };
  return new NodeRequest(message as unknown as IncomingMessage);
}

for (
  const [target, host, expected] of [
    ["/", "b:8", "http://b:8"],
    ["/", "B.example:80", "http://b.example"],
    ["/", "b:", "http://b"],
    ["/", "b:99999", ""], // a valid Host, but not a valid URL
    ["/", undefined, ""],
    ["http://a:8/", "b", "http://a:8"],
    ["https://a/", "b", "https://a"],
    ["http://user:pw@a:8/", undefined, "http://a:8"],
    [`http://${"a".repeat(256)}/`, "b", ""],
    ["http://[zz]/", "b", ""],
  ] as const
) {
  test(`NodeRequest.origin of ${target} with Host ${host} is ${expected || "empty"}`, () => {
    assertEquals(createRequest(target, host).origin, expected);
  });
}
