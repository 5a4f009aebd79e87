/** `uri-host [ ":" port ]` with a name or an IPv4 address (RFC 9110 section 7.2). */
const NAME = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+(?::[0-9]*)?$/;

/** The same syntax with an IPv6 address. */
const ADDRESS = /^(\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/;

/**
 * Whether `host` is a host with an optional port. Some runtimes build the request
 * URL from it, so a slash or a question mark in the host would change the path.
 */
export function isValidHost(host: string): boolean {
  if (NAME.test(host)) return true;
  const address = ADDRESS.exec(host)?.[1];
  return address !== undefined && URL.canParse(`http://${address}`);
}
