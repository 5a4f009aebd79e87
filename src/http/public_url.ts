/**
 * An HTTP URL without a user name, query, or fragment. URL parsers take quadratic
 * time for long hosts.
 */
const PUBLIC_URL = /^https?:\/\/[^/?#@\\]{1,255}(?:\/[^?#]*)?$/i;

/**
 * Validates the public URL of the service.
 *
 * @param url The URL including the base path, such as `https://plants.example/api`.
 * @param name The name of the option, for messages.
 * @returns The URL without a trailing slash.
 * @throws {RangeError} If the URL is invalid.
 */
export function resolvePublicUrl(url: string, name = "publicUrl"): string {
  if (PUBLIC_URL.test(url) && URL.canParse(url)) {
    return new URL(url).href.replace(/(?<!\/)\/+$/, "");
  }
  throw new RangeError(
    `${name} must be a URL such as https://plants.example, without a user name, query, or fragment`,
  );
}
