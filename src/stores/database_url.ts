/**
 * Validates the URL of a database.
 *
 * @param url A URL such as `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. It can
 * contain several hosts, separated by commas.
 * @param name The name of the option, for messages.
 * @returns A URL for each host.
 * @throws {RangeError} If the URL is invalid. The message omits the URL because
 * it can contain a password.
 */
export function parseDatabaseUrl(
  url: string,
  name = "url",
): readonly string[] {
  const [, start = "", hosts = "", rest = ""] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]+)(.*)$/.exec(url) ?? [];
  const addresses = hosts.split(",").map((host) => `${start}${host}${rest}`);
  if (addresses.every(isAddress)) return addresses;
  throw new RangeError(
    `${name} must look like postgres://USER:PASSWORD@HOST:PORT/DATABASE`,
  );
}

function isAddress(text: string): boolean {
  try {
    decodeURIComponent(text);
    return URL.canParse(text);
  } catch {
    return false;
  }
}
