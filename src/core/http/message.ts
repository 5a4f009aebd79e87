import * as fixed from "./fixed_responses.ts";
import type { ServiceRequest } from "./request.ts";
import type { ServiceResponse } from "./response.ts";
import { isValidHost } from "./target.ts";

/** The result of checking the headers that servers and proxies can understand differently (request smuggling). */
export interface MessageCheck {
  readonly rejection: ServiceResponse | undefined;
  /** Whether the connection closes after the response. Node.js discards what follows an upgrade. */
  readonly isLast: boolean;
}

/** Checks the Host, the transfer coding, and the Expect header of a request. */
export function checkMessage(request: ServiceRequest): MessageCheck {
  const host = request.header("host");
  const coding = request.header("transfer-encoding")?.toLowerCase();
  const expect = request.header("expect")?.toLowerCase();
  const rejection = request.rejection ?? (
    host !== undefined && !isValidHost(host)
      ? fixed.invalidHost
      : coding !== undefined && coding !== "chunked"
      ? fixed.invalidFraming
      : expect !== undefined && expect !== "100-continue"
      ? fixed.expectationFailed
      : undefined
  );
  const isLast = rejection !== undefined || coding !== undefined ||
    expect !== undefined || request.header("upgrade") !== undefined;
  return { rejection, isLast };
}
