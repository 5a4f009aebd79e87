/**
 * Validates the public URL of the service.
 *
 * @param url The URL including the base path, such as `https://plants.example/api`.
 * @param name The name of the option, for messages.
 * @returns The URL without a trailing slash.
 * @throws {RangeError} If the URL is invalid.
 */
export function resolvePublicUrl(url: string, name = "publicUrl"): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (
    parsed && /^https?:/.test(parsed.protocol) && parsed.username === "" &&
    parsed.password === "" && !/[?#]/.test(url)
  ) {
    return parsed.href.replace(/\/+$/, "");
  }
  throw new RangeError(
    `${name} must be a URL such as https://plants.example, without a user, query, or fragment`,
  );
}
