// deno-lint-ignore-file no-unused-vars -- you will use all of them
export async function fetchWithRetry(
  url,
  headers,
  { attempts = 3, timeout = 5000 } = {},
) {
  return await fetch(url, { headers });
}
