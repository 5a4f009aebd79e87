export async function fetchWithRetry(
  url,
  headers,
  { attempts = 3, timeout = 5000 } = {},
) {
  return await fetch(url, { headers });
}
