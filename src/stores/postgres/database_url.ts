/**
 * Validates the URL of a database.
 *
 * @param url A URL such as `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
 * @param name The name of the option, for messages.
 * @throws {RangeError} If the URL is invalid or contains several hosts. The message
 * omits the URL because it can contain a password.
 */
export function parseDatabaseUrl(url: string, name = "url"): URL {
  const [, host = ""] =
    /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^@/?#]+)/.exec(url) ?? [];
  if (host.includes(",")) {
    throw new RangeError(
      `${name} must contain only one host; use a host name or a proxy that always points to the primary server`,
    );
  }
  try {
    decodeURIComponent(url);
    if (host !== "") return new URL(url);
  } catch {
    // The message below describes the format.
  }
  throw new RangeError(
    `${name} must look like postgres://USER:PASSWORD@HOST:PORT/DATABASE`,
  );
}
