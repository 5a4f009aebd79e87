import { STATUS_TEXT, type StatusCode } from "@std/http/status";
import { createError, type ServiceResponse } from "../../core/http/response.ts";

// The errors of clients that only a server can detect.

export const malformed: ServiceResponse = createError(
  400,
  "Malformed HTTP request",
);

export const headersTooLarge: ServiceResponse = createError(
  431,
  "Request headers too large; send fewer or shorter headers",
);

export const timeout: ServiceResponse = createError(
  408,
  "Request timed out; send it again",
);

/** Formats a response that closes its connection, for servers that cannot send it otherwise. */
export function formatResponse(
  { status, headers, body = "" }: ServiceResponse,
): string {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_TEXT[status as StatusCode]}`,
    `Date: ${new Date().toUTCString()}`,
    "Connection: close",
  ];
  for (let at = 0; at < headers.length; at += 2) {
    lines.push(`${headers[at]}: ${headers[at + 1]}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}
