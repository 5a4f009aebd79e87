/**
 * Checks the address of a database.
 *
 * @param url Such as `postgres://USER:PASSWORD@HOST:PORT/DATABASE`; it may name
 * several hosts, separated by commas.
 * @returns The addresses of one host each.
 * @throws {RangeError} When it is no address of a database. The message does not
 * show it: there may be a password in it.
 */
export function parseDatabaseUrl(url: string): readonly string[] {
  const [, start = "", hosts = "", rest = ""] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]+)(.*)$/.exec(url) ?? [];
  const addresses = hosts.split(",").map((host) => `${start}${host}${rest}`);
  if (addresses.every(isAddress)) return addresses;
  throw new RangeError(
    "the address of the database must be like postgres://USER:PASSWORD@HOST:PORT/DATABASE",
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
