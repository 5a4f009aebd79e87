import { resolveBasePath } from "./base_path.ts";

/** An HTTP URL without a user name, query, or fragment. */
const PUBLIC_URL = /^https?:\/\/([^/?#@\\]+)(?:\/[^?#]*)?$/i;

/** The maximum length of a host, because URL parsers take quadratic time for long ones. */
const MAX_HOST_LENGTH = 255;

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
  const [, host = ""] = PUBLIC_URL.exec(url) ?? [];
  if (host !== "" && host.length <= MAX_HOST_LENGTH && URL.canParse(url)) {
    let { href } = new URL(url);
    while (href.endsWith("/")) href = href.slice(0, -1);
    return href;
  }
  throw new RangeError(
    `${name} must be a URL such as https://plants.example, without a user name, query, or fragment, or a path such as /api`,
  );
}
