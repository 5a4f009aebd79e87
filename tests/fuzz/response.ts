/** A response as it came, a character a byte. */
export interface WireResponse {
  readonly status: number;
  /** The fields by their lower-case names; those that came twice are joined. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
  /** How many bytes of what was read are this response. */
  readonly size: number;
}

/**
 * Reads the first response of what came to a request with this method. Content
 * is found by its length alone.
 *
 * @returns The response, undefined where more has to come.
 * @throws {Error} When it is no response.
 */
export function readResponse(
  text: string,
  method: string,
): WireResponse | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) {
    if (text.length > 65_536) throw new Error("a head that does not end");
    return undefined;
  }
  const [start = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(start)?.[1]);
  if (Number.isNaN(status)) throw new Error("no status line");
  const fields = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) throw new Error("a line that is no field");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  const hasContent = method !== "HEAD" && status >= 200 && status !== 204 &&
    status !== 304;
  const length = hasContent ? fields.get("content-length") ?? "0" : "0";
  if (!/^\d+$/.test(length)) throw new Error("a length that is none");
  const size = end + 4 + Number(length);
  if (text.length < size) return undefined;
  return { status, fields, body: text.slice(end + 4, size), size };
}
