export async function fetchWithRetry(
  url,
  headers,
  { attempts = 3, timeout = 5000 } = {},
) {
  for (let attempt = 1;; attempt++) {
    // The signal also limits the time to read the body.
    const signal = AbortSignal.timeout(timeout);
    const response = await fetch(url, { headers, signal });
    if (response.status !== 503 || attempt === attempts) return response;
    // Otherwise, the unread body would keep its connection busy.
    await response.body?.cancel();
    const seconds = Number(response.headers.get("Retry-After"));
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}
