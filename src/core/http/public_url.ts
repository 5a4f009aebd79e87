import { resolveBasePath } from "./base_path.ts";

/** An HTTP URL without a user name, query, or fragment. */
const PUBLIC_URL = /^https?:\/\/[^/?#@\\]+(?:\/[^?#]*)?$/i;

/** The maximum length, because URL parsers take quadratic time for long hosts. */
const MAX_LENGTH = 2_000;

/**
 * Validates the public URL of the service.
 *
 * @param url The URL including the base path, such as `https://plants.example/api`,
 * or only its path.
 * @param name The name of the option, for messages.
 * @returns The URL or path without a trailing slash.
 * @throws {RangeError} If the URL is invalid.
 */
export function resolvePublicUrl(url: string, name = "publicUrl"): string {
  if (url.startsWith("/")) return resolveBasePath(url, name);
  const isShort = url.length <= MAX_LENGTH;
  if (isShort && PUBLIC_URL.test(url) && URL.canParse(url)) {
    let { href } = new URL(url);
    while (href.endsWith("/")) href = href.slice(0, -1);
    return href;
  }
  throw new RangeError(
    `${name} must be a URL such as https://plants.example, without a user name, query, or fragment, or a path such as /api`,
  );
}
