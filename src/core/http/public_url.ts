/** An HTTP URL without a user name, query, or fragment. */
const PUBLIC_URL = /^https?:\/\/[^/?#@\\]+(?:\/[^?#]*)?$/i;

/**
 * Validates the public URL of the service.
 *
 * @param url The URL including the base path, such as `https://plants.example/api`.
 * @param name The name of the option, for messages.
 * @returns The URL without a trailing slash.
 * @throws {RangeError} If the URL is invalid.
 */
export function resolvePublicUrl(url: string, name = "publicUrl"): string {
  if (!PUBLIC_URL.test(url) || !URL.canParse(url)) {
    throw new RangeError(
      `${name} must be a URL such as https://plants.example, without a user name, query, or fragment`,
    );
  }
  let resolved = new URL(url).href;
  while (resolved.endsWith("/")) resolved = resolved.slice(0, -1);
  return resolved;
}
