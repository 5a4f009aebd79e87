import { BAD_HOST } from "./replies.ts";
import type { Reply } from "./reply.ts";
import type { AnswerRequest } from "./request.ts";

/** `uri-host [ ":" port ]` (RFC 9110 section 7.2): a name or an IPv4 address, which the grammar does not tell apart. */
const NAME = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+(?::[0-9]*)?$/;

/** The same with an IPv6 address in brackets. */
const ADDRESS = /^(\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/;

/** Refuses a request whose Host is no host; one without Host may go on. */
export function judgeHost(
  request: Pick<AnswerRequest, "header">,
): Reply | undefined {
  const host = request.header("host");
  return host === undefined || isHost(host) ? undefined : BAD_HOST;
}

/**
 * Whether `host` is a host with an optional port. Some runtimes build the
 * request's URL from this field, so that one with a slash or a question mark in
 * it would change the path.
 */
function isHost(host: string): boolean {
  if (NAME.test(host)) return true;
  const address = ADDRESS.exec(host)?.[1];
  return address !== undefined && URL.canParse(`http://${address}`);
}
