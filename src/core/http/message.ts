import * as fixed from "./fixed_responses.ts";
import type { ServiceRequest } from "./request.ts";
import type { ServiceResponse } from "./response.ts";
import { isValidHost } from "./target.ts";

/** What servers and proxies can understand differently (request smuggling). */
export interface Message {
  /** The error response, if the request is rejected. */
  readonly rejection: ServiceResponse | undefined;
  /** Whether the connection closes after the response. Node.js discards what follows an upgrade. */
  readonly isLast: boolean;
}

/** Checks the Host, the transfer coding, and the Expect header of a request. */
export function checkMessage(request: ServiceRequest): Message {
  const host = request.header("host");
  const coding = request.header("transfer-encoding")?.toLowerCase();
  const expect = request.header("expect")?.toLowerCase();
  let { rejection } = request;
  if (host !== undefined && !isValidHost(host)) {
    rejection ??= fixed.invalidHost;
  } else if (coding !== undefined && coding !== "chunked") {
    rejection ??= fixed.invalidFraming;
  } else if (expect !== undefined && expect !== "100-continue") {
    rejection ??= fixed.expectationFailed;
  }
  const isLast = rejection !== undefined || coding !== undefined ||
    expect !== undefined || request.header("upgrade") !== undefined;
  return { rejection, isLast };
}
