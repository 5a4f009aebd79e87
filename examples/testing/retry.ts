/** Options for {@linkcode fetchWithRetry}. */
export interface RetryOptions {
  /** The maximum number of requests. Default: 3. */
  readonly attempts?: number;
  /** The maximum duration of each request, in milliseconds. Default: 5000. */
  readonly timeout?: number;
}

/** Sends a request. If the response is 503, waits as long as it says and tries again. */
export async function fetchWithRetry(
  url: string,
  headers: Readonly<Record<string, string>>,
  { attempts = 3, timeout = 5_000 }: RetryOptions = {},
): Promise<Response> {
  for (let attempt = 1;; attempt++) {
    const signal = AbortSignal.timeout(timeout);
    const response = await fetch(url, { headers, signal });
    if (response.status !== 503 || attempt === attempts) return response;
    await response.body?.cancel();
    const seconds = Number(response.headers.get("Retry-After"));
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  }
}
